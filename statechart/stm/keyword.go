package stm

// reserved holds the words that are quoted where they are names (S90).
var reserved = wordSet(
	"import", "bind", "guard", "event", "machine", "fragment",
	"version", "profile", "initial", "on", "timeout", "outcome", "carry", "defer", "with", "invoke",
	"autoforward", "finalize", "resting", "use", "state", "parallel", "orthogonal", "final", "history", "from",
	"to", "self", "internal", "always", "after", "at", "select", "returns", "join", "else", "where", "when",
	"do", "as", "for", "in", "limit",
	"raise", "send", "cancel", "set", "log",
	"and", "or", "not", "true", "false",
)

// declKeywords begin a declaration of a file.
var declKeywords = wordSet("import", "bind", "guard", "event", "machine", "fragment")

// itemKeywords begin an item of a body. The value tells whether the word can
// also continue an item: then it is a weaker sign that a new one begins.
var itemKeywords = map[string]bool{
	"version": true, "profile": false, "initial": false, "on": true, "timeout": true, "outcome": false, "no": true,
	"resting": false, "autoforward": false, "carry": false, "defer": false, "with": true, "finalize": false,
	"invoke": false, "use": false, "state": false, "parallel": false, "orthogonal": false, "final": false,
	"history": true, "from": false,
}

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// nearKeyword returns the keyword that word was probably meant to be, or "".
func nearKeyword(word string, sets ...map[string]bool) string {
	best, distance := "", 3
	for _, set := range sets {
		for k := range set {
			d := editDistance(word, k)
			if 2*d < len(k) && (d < distance || d == distance && k < best) {
				best, distance = k, d
			}
		}
	}
	return best
}

// editDistance counts insertions, deletions, replacements and swaps of
// neighbours. Words that are much longer than a keyword are far from all.
func editDistance(a, b string) int {
	const far = 16
	if len(a) > far || len(b) > far {
		return far
	}
	var before, prev, row [far + 1]int
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}

package lease

import (
	"slices"

	"github.com/durachart/durachart/store"
)

// maxGiven bounds what is given back in one pass (D63), so that a process that comes
// does not stop the whole work of those that are there.
const maxGiven = 16

// shares is what a survey says of how shards are spread: the fair share of N shards
// among the processes that live is within least and most, which are N ÷ live rounded
// down and up.
//
// A process lacks shards that has less than least, or less than most while another has
// more than that. Only who lacks shards announces itself, so that the steady state has
// no announcements although N ÷ live is rarely whole.
type shares struct {
	least, most int
	counts      map[string]int // of unexpired leases; the own ones as we believe
	live        []string       // owners of unexpired leases and of unexpired announcements, and we
	wanting     []string       // others of live that announced themselves
	me          string
}

// sharesOf reads a survey as the process me sees it, which has mine shards.
func sharesOf(s *store.Survey, me string, mine int) shares {
	sh := shares{me: me, counts: map[string]int{}}
	for i := range s.Leases {
		if l := &s.Leases[i]; l.Live && l.Owner != me {
			sh.counts[l.Owner]++
		}
	}
	sh.counts[me] = mine
	for i := range s.Workers {
		if w := &s.Workers[i]; w.Live && w.Owner != me {
			sh.wanting = append(sh.wanting, w.Owner)
			sh.counts[w.Owner] += 0
		}
	}
	for owner := range sh.counts {
		sh.live = append(sh.live, owner)
	}
	slices.Sort(sh.live)
	sh.least = len(s.Leases) / len(sh.live)
	sh.most = (len(s.Leases) + len(sh.live) - 1) / len(sh.live)
	return sh
}

// lacking reports whether this process lacks shards.
func (sh *shares) lacking() bool {
	mine := sh.counts[sh.me]
	return mine < sh.least || mine < sh.most && sh.crowded()
}

// crowded reports whether somebody has more than anybody should.
func (sh *shares) crowded() bool {
	for _, n := range sh.counts {
		if n > sh.most {
			return true
		}
	}
	return false
}

// missing is how many shards those who announced themselves have less than n each.
func (sh *shares) missing(n int) (total int) {
	for _, owner := range sh.wanting {
		total += max(0, n-sh.counts[owner])
	}
	return total
}

// limit is how many shards this process may hold, as long as others take theirs.
func (sh *shares) limit() int {
	if sh.missing(sh.least) > 0 {
		return sh.least
	}
	return sh.most
}

// surplus is how many shards this process is to give back now: what it has beyond its
// limit, while others lack as many.
func (sh *shares) surplus() int {
	limit := sh.limit()
	return max(0, min(sh.counts[sh.me]-limit, sh.missing(limit), maxGiven))
}

// mySide turns free, so that processes that take at the same time begin at different
// ends and do not all ask for the same shards.
func (sh *shares) mySide(free []int) []int {
	rank := slices.Index(sh.live, sh.me)
	from := len(free) * rank / len(sh.live)
	return slices.Concat(free[from:], free[:from])
}

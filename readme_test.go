package durachart_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheReadmeShowsTheExample: the quick start of the README is the source of
// Example, so it compiles and does what it says.
func TestTheReadmeShowsTheExample(t *testing.T) {
	source := read(t, "example_test.go")
	_, source, _ = strings.Cut(source, ")\n\n")
	source, _, _ = strings.Cut(source, "\n\t// Output:")
	assert.Contains(t, read(t, "README.md"), "```go\n"+source+"}\n```")
}

// TestLinksBetweenPagesHold: what a page links to within the repository is there.
func TestLinksBetweenPagesHold(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)[)#]`)
	for _, page := range []string{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"} {
		for _, found := range link.FindAllStringSubmatch(read(t, page), -1) {
			assert.FileExists(t, found[1], page)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

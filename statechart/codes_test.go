package statechart_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// elsewhere are the codes that Build does not give: they are about text alone,
// or about charts together with their handlers.
var elsewhere = []string{"unknown_fragment", "bad_argument", "fragment_recursion", "import_missing", "import_cycle", "unbound_handler"}

// section14 lists the codes of the specification.
const section14 = `syntax duplicate bad_name too_large item_misplaced empty_machine missing_initial region_shape
unknown_state initial_unresolved ambiguous_state crosses_region bad_targets final_with_exit dead_end
outcome_on_composite outcome_on_nonterminal unreachable nondeterministic_automatic shadowed_transition
shadowed_event eventless_cycle bad_done_trigger invoke_no_exit invoke_automatic_exit invoke_on_composite
invoke_without_chart with_unused unknown_chart join_misplaced join_conflict join_count selector_malformed
selector_target_unresolved selector_phantom_branch selector_non_exhaustive reserved_event unknown_event
events_undeclared unknown_event_field op_type_mismatch literal_type_mismatch timeout_invalid
timeout_unhandled timeout_never history_no_default history_unused internal_ignored no_history_ignored
activity_dropped carry_reserved bad_expression unknown_fragment bad_argument fragment_recursion
import_missing import_cycle unused peer_spelling unbound_handler`

// Every code of the specification is given by the checks, and a test of this
// package shows it as the one finding of a chart.
func TestEveryCodeIsShown(t *testing.T) {
	var code, tests strings.Builder
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if !strings.HasSuffix(name, "_test.go") {
			code.Write(text)
		} else if name != "codes_test.go" {
			tests.Write(text)
		}
	}
	for _, c := range strings.Fields(section14) {
		given := strings.Contains(code.String(), `"`+c+`"`)
		shown := regexp.MustCompile(`"(error|warning) ` + c + `\b`).MatchString(tests.String())
		if slices.Contains(elsewhere, c) {
			require.False(t, given, c)
			continue
		}
		require.True(t, given, "the checks never give %s", c)
		require.True(t, shown, "no test shows %s", c)
	}
}

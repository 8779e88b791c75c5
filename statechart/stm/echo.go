package stm

import (
	"fmt"

	"github.com/durachart/durachart/statechart"
)

// Findings that say that something is not there. After an error in the text they
// are often only its echo.
var (
	// flowCodes depend on transitions and entries.
	flowCodes = wordSet("dead_end", "unreachable", "invoke_no_exit", "timeout_unhandled", "timeout_never",
		"history_unused", "unused", "missing_initial", "bad_done_trigger", "final_with_exit")
	// stateCodes depend on which states there are.
	stateCodes = wordSet("unknown_state", "initial_unresolved", "empty_machine", "region_shape", "history_no_default",
		"selector_target_unresolved", "join_count", "invoke_without_chart")
	// declCodes depend on the declarations of the file and its imports.
	declCodes = wordSet("unknown_chart", "unknown_event", "unknown_event_field", "events_undeclared", "unused")
)

// isEcho reports whether a finding of that code in this file probably comes from
// what could not be read.
func (u *unit) isEcho(code string) bool {
	return u.lostFlow && flowCodes[code] || u.lostStates && (stateCodes[code] || flowCodes[code]) || u.lostDecls && declCodes[code]
}

// checkUnused reports fragments and parameters that nothing uses, as the checks
// do for guards and bindings. That goes for the file that was asked for only: what
// it imports is there for others too. So are the fragments of a file that has no
// machine.
func (u *unit) checkUnused() {
	if u.lostFlow || u.lostStates {
		return
	}
	for _, f := range u.fragments {
		if !f.used && len(u.machines) > 0 {
			u.unused(f.pos, "fragment", f.name)
		}
		for _, q := range f.params {
			if !q.used {
				u.unused(q.pos, "parameter", q.name)
			}
		}
	}
}

func (u *unit) unused(pos statechart.Pos, what, name string) {
	u.problem(statechart.Warning, "unused", pos, fmt.Sprintf("nothing uses the %s %q", what, name), "")
}

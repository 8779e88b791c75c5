package execution_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/durachart/durachart/execution"
)

// The step does what the slow interpreter does, for random charts and events.
func TestRandomChartsAgainstReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := randomChart(t)
		t.Log(c.Text())
		host := &execution.Host{Trace: true}
		ref := newReference(c)
		s := execution.New("random", "1", "r-1", nil)
		compare := func(what string, want string, r execution.Result) {
			t.Helper()
			got := snapshotText(r.Snapshot)
			if string(r.Disposition) != want || got != ref.text() || !slices.Equal(r.Trace, ref.trace) {
				t.Fatalf("%s\n%s %s\n  %s\nwant\n%s %s\n  %s", what, r.Disposition, got,
					strings.Join(r.Trace, "\n  "), want, ref.text(), strings.Join(ref.trace, "\n  "))
			}
		}
		r, err := execution.Step(c, s, execution.StartEvent("r-1", 1), epoch, host)
		if err != nil {
			t.Fatal(err)
		}
		want := ref.start()
		if ref.fail != "" {
			return // an endless chart: S35 has its own story
		}
		compare("start", want, r)
		for i := range rapid.IntRange(0, 12).Draw(t, "events") {
			name := rapid.SampledFrom(alphabet).Draw(t, "name")
			n := int64(rapid.IntRange(0, 1).Draw(t, "n"))
			id := fmt.Sprintf("ev-%d", i)
			e, err := execution.NewEvent(id, name, map[string]any{"n": n})
			if err != nil {
				t.Fatal(err)
			}
			if r, err = execution.Step(c, r.Snapshot, e, epoch, host); err != nil {
				t.Fatal(err)
			}
			want := ref.send(refEvent{id: id, name: name, data: map[string]any{"n": n}})
			if ref.fail != "" {
				if r.Disposition != execution.StepFailed {
					t.Fatalf("the step should have failed: %s", r)
				}
				return
			}
			compare(name, want, r)
		}
	})
}

// snapshotText shows a snapshot as reference.text shows the reference.
func snapshotText(s *execution.Snapshot) string {
	pool := []string{}
	for _, e := range s.Deferred {
		pool = append(pool, e.ID)
	}
	history := map[string][]string{}
	for _, h := range s.History {
		history[h.Path] = h.States
	}
	text, _ := json.Marshal(history)
	return fmt.Sprintf("%s %s %v history %s pool %v", s.Status, s.Outcome, s.Configuration, text, pool)
}

package execution_test

import (
	"fmt"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
)

type door struct {
	Opened int `json:"opened"`
}

// A step takes a snapshot and an event, and gives a new snapshot and effects. What
// to do with them is the caller's business.
func ExampleStep() {
	b := statechart.New("door").Version("1").Initial("Closed")
	b.State("Closed")
	b.State("Open").Timeout(30 * time.Second)
	b.From("Closed").To("Open").On("Open").Do(statechart.Call("count"))
	b.From("Open").To("Closed").On("Close", "timeout")
	chart := b.MustBuild()

	host := &execution.Host{
		Handlers: execution.Handlers{
			"count": execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[door]) error {
				s.Context().Opened++
				return nil
			}),
		},
		Trace: true,
	}
	now := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)

	s := execution.New("door", "1", "front", nil)
	r, _ := execution.Step(chart, s, execution.StartEvent("front", 1), now, host)
	open, _ := execution.NewEvent("ev-1", "Open", map[string]any{"by": "key"})
	r, _ = execution.Step(chart, r.Snapshot, open, now, host)
	fmt.Println(r)
	fmt.Println(string(r.Snapshot.Context))
	// Output:
	// Open #ev-1 -> applied
	//   take Closed -> Open
	//   exit Closed
	//   call count
	//   enter Open
	// = RUNNING [Open]
	// > start-timer timeout:Open 3 2030-01-01T12:00:30.000Z
	// {"opened":1}
}

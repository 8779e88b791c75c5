package timer_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/durachart/durachart/store/memstore"
	"github.com/durachart/durachart/timer"
)

// TestTimersSurviveACrashAfterEachCommand is the row "Timer" of the crash points: the
// process dies right after its n-th firing commit, of which it hears nothing, and another
// takes over.
func TestTimersSurviveACrashAfterEachCommand(t *testing.T) {
	const timers = 6
	for commits := range timers + 1 {
		story(t, func(t *testing.T, w *world) {
			for i := range timers {
				w.create(fmt.Sprintf("x%d", i), in(map[string]time.Duration{"t": time.Duration(i) * time.Second, "u": time.Hour}))
			}
			p := w.process(func(p *process, _ *timer.Config) { p.left.Store(int64(commits)) })
			after(time.Duration(commits) * time.Second)
			p.kill()
			require.Len(t, w.log(), commits)
			after(time.Second)
			p = w.process()
			after(time.Minute)
			assert.Len(t, w.log(), timers)
			for i := range timers {
				e, err := w.db.Load(t.Context(), fmt.Sprintf("x%d", i))
				require.NoError(t, err)
				assert.Equal(t, e.Timers["u"], e.NextFireAt)
			}
			p.kill()
		})
	}
}

// TestEveryTimerFiresOnceAndNotEarly commits random timers, tells the service of some
// and not of others, kills processes, and checks what fired.
func TestEveryTimerFiresOnceAndNotEarly(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		synctest.Test(t, func(t *testing.T) {
			w := &world{t: t, db: new(memstore.Store)}
			held := rapid.IntRange(2, 60).Draw(rt, "held")
			page := rapid.IntRange(1, 20).Draw(rt, "page")
			start := func() *process {
				return w.process(func(_ *process, c *timer.Config) {
					c.Held, c.Page, c.Horizon = held, page, 20*time.Second
				})
			}
			const executions = 12
			armed := map[string]map[string]time.Time{} // that should fire
			for i := range executions {
				id := fmt.Sprintf("x%d", i)
				w.create(id, nil)
				armed[id] = map[string]time.Time{}
			}
			p := start()
			for range rapid.IntRange(1, 60).Draw(rt, "steps") {
				after(time.Duration(rapid.IntRange(0, 3000).Draw(rt, "pause")) * time.Millisecond)
				id := fmt.Sprintf("x%d", rapid.IntRange(0, executions-1).Draw(rt, "which"))
				switch rapid.IntRange(0, 9).Draw(rt, "what") {
				case 0:
					p.kill()
					p = start()
				default:
					e, err := w.db.Load(t.Context(), id)
					require.NoError(t, err)
					// What is gone from the record has fired; the rest is kept, moved or dropped.
					timers := map[string]time.Time{}
					for name, due := range e.Timers {
						if rapid.IntRange(0, 3).Draw(rt, "keep") > 0 {
							timers[name] = due
						}
					}
					for name, due := range in(map[string]time.Duration{
						fmt.Sprintf("t%d", rapid.IntRange(0, 3).Draw(rt, "name")): time.Duration(rapid.IntRange(-1000, 60_000).Draw(rt, "in")) * time.Millisecond,
					}) {
						timers[name] = due
					}
					dropped := map[string]time.Time{}
					for name, due := range e.Timers {
						if !timers[name].Equal(due) {
							dropped[name] = due
						}
					}
					version := w.arm(id, timers)
					if rapid.Bool().Draw(rt, "told") {
						p.Armed(id, version, timers)
					}
					for name, due := range dropped {
						delete(armed[id], fmt.Sprintf("%s@%d", name, due.UnixMilli()))
					}
					for name, due := range timers {
						armed[id][fmt.Sprintf("%s@%d", name, due.UnixMilli())] = due
					}
				}
			}
			after(5 * time.Minute)
			p.kill()
			fired := map[string]int{}
			for _, f := range w.fired {
				fired[fmt.Sprintf("%s %s@%d", f.id, f.name, f.due.UnixMilli())]++
				assert.False(t, f.at.Before(f.due), "early")
			}
			for id, timers := range armed {
				for key := range timers {
					assert.Equal(t, 1, fired[id+" "+key], "%s %s", id, key)
				}
			}
			for key, n := range fired {
				assert.Equal(t, 1, n, key)
			}
		})
	})
}

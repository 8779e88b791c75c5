package execution_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/execution/executiontest"
	"github.com/durachart/durachart/statechart"
)

// Families of random charts, in a random order of deliveries, with crashes and
// control operations: the rig complains of nothing, configurations are legal, the
// books agree with what there is, and in the end nobody is forgotten.
func TestRandomFamilies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := &family{t: t, chart: randomFamily(t), ended: map[string]bool{}}
		t.Log(f.chart.Text())
		f.w = executiontest.New(executiontest.Config{
			Charts: []*statechart.Chart{f.chart}, Handlers: storyHandlers(),
			Limits:  execution.Limits{Deferred: 3, Microsteps: 60, Results: 2},
			NoTrace: rapid.Bool().Draw(t, "no trace"),
		})
		step, err := f.w.Start("f-1", "family", map[string]any{"list": []any{1, 2, 3}, "n": 1})
		if err != nil {
			t.Fatal(err)
		}
		f.check(step)
		for range rapid.IntRange(1, 25).Draw(t, "turns") {
			f.turn()
		}
		f.quiesce()
	})
}

// enough steps for executions that come to rest at all.
const enough = 60

type family struct {
	t     *rapid.T
	w     *executiontest.World
	chart *statechart.Chart
	n     int
	ended map[string]bool // children whose end was reported
}

// turn does one random thing.
func (f *family) turn() {
	id := rapid.SampledFrom(f.w.IDs()).Draw(f.t, "execution")
	f.n++
	op := fmt.Sprintf("op-%d", f.n)
	switch rapid.IntRange(0, 19).Draw(f.t, "what") {
	case 0, 1, 2, 3, 4, 5:
		e, err := execution.NewEvent(op, rapid.SampledFrom(familyEvents).Draw(f.t, "event"),
			map[string]any{"n": rapid.IntRange(0, 2).Draw(f.t, "n")})
		if err != nil {
			f.t.Fatal(err)
		}
		f.check(f.w.Apply(id, e))
	case 6, 7, 8, 9, 10:
		if next := f.w.Next(); len(next) > 0 {
			steps, _ := f.w.DeliverAt(rapid.SampledFrom(next).Draw(f.t, "next"))
			f.check(steps...)
		}
	case 11:
		steps, _ := f.w.StabilizeWithin(enough)
		f.check(steps...)
	case 12, 13:
		steps, _ := f.w.AdvanceWithin(time.Duration(rapid.IntRange(0, 90).Draw(f.t, "seconds"))*time.Second, enough)
		f.check(steps...)
	case 14:
		if errs := f.w.Crash(); len(errs) > 0 {
			f.t.Fatal(errs)
		}
	default:
		f.operate(id, op)
	}
}

func (f *family) operate(id, op string) {
	var e execution.Event
	switch rapid.IntRange(0, 7).Draw(f.t, "operation") {
	case 0:
		e, _ = execution.CancelEvent(op, map[string]any{"n": 1})
	case 1:
		e, _ = execution.TerminateEvent(op, nil)
	case 2:
		e = execution.SuspendEvent(op)
	case 3:
		e = execution.ResumeEvent(op)
	case 4:
		states := f.chart.States()
		e = execution.SetStateEvent(op, []string{states[rapid.IntRange(1, len(states)-1).Draw(f.t, "state")].Path})
	case 5:
		e, _ = execution.ResetEvent(op, map[string]any{"list": []any{7}})
	case 6:
		e = f.failedEvent(id, op)
	case 7:
		e = execution.StopEvent(id)
		if f.w.Snapshot(id).ParentID == "" {
			return
		}
	}
	step := f.w.Apply(id, e)
	if e.Name == "$set_state" && step.Err != nil {
		return // a target of another execution
	}
	if e.Name == "$retry" && step.Err != nil {
		return // a start that failed was followed by another event
	}
	f.check(step)
}

// failedEvent retries the last event that failed.
func (f *family) failedEvent(id, op string) execution.Event {
	letters := f.w.Letters()
	for i := len(letters) - 1; i >= 0; i-- {
		if letters[i].ID == id && letters[i].Reason == execution.ReasonStepFailed {
			return execution.RetryEvent(op, letters[i].Event)
		}
	}
	return execution.ResumeEvent(op)
}

func (f *family) check(steps ...executiontest.Step) {
	f.t.Helper()
	for _, s := range steps {
		if s.Err != nil || len(s.Complaints) > 0 {
			f.t.Fatalf("@%s %s", s.ID, s)
		}
		for _, x := range s.Result.Effects {
			if fin, ok := x.(execution.Finished); ok {
				if f.ended[fin.Child] {
					f.t.Fatalf("%s reports its end twice", fin.Child)
				}
				f.ended[fin.Child] = true
			}
		}
		if fault := f.illegal(s.Result.Snapshot); fault != "" {
			f.t.Fatalf("@%s %s\n%s\n%s", s.ID, s, fault, s.Result.Snapshot.Encode())
		}
	}
}

// illegal tells what is wrong with a snapshot, by rules that the step does not use.
func (f *family) illegal(s *execution.Snapshot) string {
	c := f.chart
	if s.DefinitionID != c.Name() {
		for _, inner := range c.Charts() {
			if inner.Name() == s.DefinitionID {
				c = inner
			}
		}
	}
	if s.Status == execution.Done || s.Status == execution.Cancelled {
		if len(s.Timers)+len(s.Sites)+len(s.Children)+len(s.Deferred) > 0 {
			return "an ended execution has something left"
		}
		return ""
	}
	if s.Status == execution.Pending || len(s.Configuration) == 0 || s.Status == execution.Failed && s.ParentID != "" {
		return ""
	}
	active := map[*statechart.State]bool{}
	root := c.State(s.RootPath)
	for _, path := range s.Configuration {
		for st := c.State(path); ; st = st.Parent {
			active[st] = true
			if st == root {
				break
			}
		}
	}
	for st := range active {
		n := 0
		for _, child := range st.Children {
			if active[child] {
				n++
			}
		}
		switch st.Kind {
		case statechart.Compound:
			if n != 1 {
				return fmt.Sprintf("%d active children of %s", n, st.Path)
			}
		case statechart.Parallel:
			regions := len(slices.DeleteFunc(slices.Clone(st.Children), func(x *statechart.State) bool { return x.Kind == statechart.History }))
			if n != regions {
				return "not all regions of " + st.Path
			}
		case statechart.History:
			return "an active history"
		}
	}
	return books(c, s, active)
}

// books checks timers, sites and children against the active states.
func books(c *statechart.Chart, s *execution.Snapshot, active map[*statechart.State]bool) string {
	for _, tm := range s.Timers {
		owner, found := strings.CutPrefix(tm.Name, "timeout:")
		if found && !active[c.State(owner)] {
			return "timer of a state that is not active: " + tm.Name
		}
		if tm.Entry > s.EntrySeq {
			return "timer of the future"
		}
	}
	children := 0
	for _, site := range s.Sites {
		if !active[c.State(site.Path)] {
			return "open site of a state that is not active: " + site.Path
		}
		if site.Kind != execution.SiteEach {
			children += int(site.Total)
			continue
		}
		marked := int64(0)
		for i := range site.Next {
			if int(i>>3) < len(site.Finished) && site.Finished[i>>3]&(1<<(i&7)) != 0 {
				marked++
			}
		}
		if marked != site.Passed+site.Failed+site.Cancelled {
			return "bitmap and counts differ: " + site.Path
		}
	}
	if children != len(s.Children) {
		return "children of no open site"
	}
	return ""
}

// quiesce lets everything that is on its way arrive, and then nobody is forgotten:
// who waits for a child, waits for one that lives; who lives, is waited for.
func (f *family) quiesce() {
	steps, quiet := f.w.StabilizeWithin(4 * enough)
	f.check(steps...)
	if !quiet {
		return // they talk for ever
	}
	waitedFor := map[string]bool{}
	for _, id := range f.w.IDs() {
		s := f.w.Snapshot(id)
		if s.Ended() {
			continue
		}
		for _, child := range liveChildren(s) {
			waitedFor[child] = true
			c := f.w.Snapshot(child)
			if c == nil || c.Ended() && !s.Held() {
				f.t.Fatalf("%s waits for %s, which does not live", id, child)
			}
		}
	}
	for _, id := range f.w.IDs() {
		s := f.w.Snapshot(id)
		if s.ParentID == "" || s.Ended() || waitedFor[id] {
			continue
		}
		f.t.Fatalf("nobody waits for %s: %s", id, s)
	}
}

// liveChildren computes the live children from the stored form alone.
func liveChildren(s *execution.Snapshot) []string {
	var ids []string
	for _, c := range s.Children {
		if !c.Finished {
			ids = append(ids, c.ID)
		}
	}
	for _, site := range s.Sites {
		for i := range site.Next {
			over := int(i>>3) < len(site.Finished) && site.Finished[i>>3]&(1<<(i&7)) != 0
			if site.Kind == execution.SiteEach && !over {
				ids = append(ids, execution.DerivedID(s.ID, site.Path, fmt.Sprint(site.Seq), fmt.Sprint(i)))
			}
		}
	}
	return ids
}

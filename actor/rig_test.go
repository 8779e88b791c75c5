package actor

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/memstore"
)

var bg = context.Background()

// rig is a database and the runtime that works on it.
type rig struct {
	*Runtime
	t     *testing.T
	data  *memstore.Store // a handle of the test's own on the data
	cmds  *commands
	cfg   Config
	ended chan error // what Run returned
}

// commands counts what a runtime's store was asked about executions: commands
// that name none are polls.
type commands struct {
	mu   sync.Mutex
	n    map[string]int
	once map[string]func() // what is to be done at the next command of that name
}

func (c *commands) count(name, id string) {
	if id == "" {
		return
	}
	key := name + " " + id
	c.mu.Lock()
	c.n[key]++
	do := c.once[key]
	delete(c.once, key)
	c.mu.Unlock()
	if do != nil {
		do()
	}
}

// onCommand has do run before the next command of that name and execution.
func (r *rig) onCommand(key string, do func()) {
	r.cmds.mu.Lock()
	defer r.cmds.mu.Unlock()
	r.cmds.once[key] = do
}

// of runs f and returns the commands that were sent until all is quiet.
func (c *commands) of(f func()) map[string]int {
	synctest.Wait()
	c.mu.Lock()
	before := maps.Clone(c.n)
	c.mu.Unlock()
	f()
	synctest.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	sent := map[string]int{}
	for name, n := range c.n {
		if n > before[name] {
			sent[name] = n - before[name]
		}
	}
	return sent
}

// within runs a story in a bubble of virtual time, over a fresh memory store.
func within(t *testing.T, cfg Config, story func(r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := start(t, newData(t), cfg, nil)
		story(r)
		r.end()
	})
}

// start opens another handle on data and runs a runtime on it, through wrap.
func start(t *testing.T, data *memstore.Store, cfg Config, wrap func(store.Store) store.Store, prepare ...func(*Runtime)) *rig {
	t.Helper()
	r := &rig{t: t, data: data, cmds: &commands{n: map[string]int{}, once: map[string]func(){}}, cfg: cfg, ended: make(chan error, 1)}
	handle, err := data.Attach(memstore.Options{OnCommand: r.cmds.count})
	require.NoError(t, err)
	cfg.Store = handle
	if wrap != nil {
		cfg.Store = wrap(handle)
	}
	if cfg.Charts == nil {
		cfg.Charts = defaultCharts()
	}
	if cfg.Handlers == nil {
		cfg.Handlers = handlers()
	}
	r.Runtime, err = New(cfg)
	require.NoError(t, err)
	for _, prepare := range prepare {
		prepare(r.Runtime)
	}
	go func() { r.ended <- r.Run(bg) }()
	return r
}

// end drains the runtime.
func (r *rig) end() {
	r.t.Helper()
	require.NoError(r.t, r.Drain(bg))
	require.NoError(r.t, <-r.ended)
}

// call is Call that must succeed.
func (r *rig) call(id, event string) Reply {
	r.t.Helper()
	reply, err := r.Call(bg, id, Event{Name: event})
	require.NoError(r.t, err)
	return reply
}

func (r *rig) begin(id, chart string) Reply {
	r.t.Helper()
	reply, err := r.Start(bg, StartRequest{ID: id, Chart: chart})
	require.NoError(r.t, err)
	return reply
}

func (r *rig) send(id, event string) string {
	r.t.Helper()
	eventID, err := r.Send(bg, id, Event{Name: event})
	require.NoError(r.t, err)
	return eventID
}

func (r *rig) get(id string) Execution {
	r.t.Helper()
	e, err := r.Get(bg, id)
	require.NoError(r.t, err)
	return e
}

func (r *rig) idle() {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(bg, 24*time.Hour)
	defer cancel()
	if err := r.WaitIdle(ctx); err != nil {
		r.t.Fatalf("idle: %v\n%s", err, r.describe())
	}
}

// describe says what keeps a runtime from being idle.
func (r *rig) describe() string {
	out := fmt.Sprintf("stats %+v, paused %d, relay %d, overdue %d\n",
		r.Stats(), r.gate.Paused(), r.relay().Pending(), r.timer().Overdue())
	page, _ := r.data.List(bg, store.Filter{}, store.Page{Limit: 100})
	for _, e := range page.Items {
		l, _ := r.data.LoadForEvent(bg, e.ID, nil, 4)
		out += fmt.Sprintf("%s %s v%d parked %+v inbox %d outbox %d spawns %d timers %v\n",
			e.ID, e.Status, e.Version, e.Parked, l.InboxLen, l.OutboxLen, l.SpawnsLen, e.Timers)
		for _, in := range l.Inbox {
			out += fmt.Sprintf("   %s at %v tries %d\n", in.ID, in.At, in.Attempts)
		}
	}
	return out
}

// passivate drops every activation that is idle.
func (r *rig) passivate() {
	synctest.Wait()
	r.gate.Forget(func(string) bool { return true })
}

func defaultCharts() []*statechart.Chart {
	return []*statechart.Chart{lamp(), counter(), family()}
}

// lamp is off or on; on, it goes off by itself after a minute; broken is the end.
func lamp() *statechart.Chart {
	b := statechart.New("lamp").Version("1").Initial("off")
	b.State("off")
	b.State("on").Timeout(time.Minute)
	b.Final("broken", "broken")
	b.From("off").To("on").On("switch")
	b.From("on").To("off").On("switch", "timeout")
	b.From("off").To("broken").On("smash")
	b.From("on").To("broken").On("smash")
	return b.MustBuild()
}

// counter counts what it gets in its context, by a Go action, and keeps the order.
func counter() *statechart.Chart {
	b := statechart.New("counter").Version("1").Initial("counting").Carry("n")
	b.State("counting")
	b.Final("full")
	b.From("counting").On("add").Do(statechart.Call("add"))
	b.From("counting").On("fail").Do(statechart.Call("fail"))
	b.From("counting").On("boom").Do(statechart.Call("boom"))
	b.From("counting").On("flaky").Do(statechart.Call("flaky"))
	b.From("counting").On("tell").Do(statechart.Call("tell"))
	b.From("counting").On("slow").Do(statechart.Call("slow"))
	b.From("counting").To("full").On("stop")
	return b.MustBuild()
}

// family has two regions, children of their own, that work until they are told.
func family() *statechart.Chart {
	b := statechart.New("family").Version("1").Initial("working")
	b.Orthogonal("working", func(s *statechart.StateBuilder) {
		for _, name := range []string{"left", "right"} {
			s.State(name, func(s *statechart.StateBuilder) {
				s.Initial("busy")
				s.State("busy")
				s.Final("ok")
				s.Final("no", "failed")
				s.From("busy").To("ok").On(name)
				s.From("busy").To("no").On("spoil")
			})
		}
	})
	b.Final("good")
	b.Final("bad", "failed")
	b.From("working").JoinAll().To("good").Else("bad")
	b.From("working").To("bad").On("abort")
	return b.MustBuild()
}

// tally is the context of a counter.
type tally struct {
	N    int      `json:"n"`
	Seen []string `json:"seen,omitempty"`
}

// handlers are those of the test charts.
func handlers() execution.Handlers {
	var flaky atomic.Int32
	return execution.Handlers{
		"add": execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[tally]) error {
			s.Context().N++
			s.Context().Seen = append(s.Context().Seen, s.Event().ID)
			return nil
		}),
		"fail": execution.ActionOf(func(execution.Ctx, *execution.Scope[tally]) error { return fmt.Errorf("no luck") }),
		"boom": execution.ActionOf(func(execution.Ctx, *execution.Scope[tally]) error { panic("boom") }),
		"flaky": execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[tally]) error {
			if flaky.Add(1) < 3 {
				return execution.Transient(fmt.Errorf("not yet"))
			}
			s.Context().N++
			return nil
		}),
		"tell": execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[tally]) error {
			return s.Send("listener", "add", nil)
		}),
		"slow": execution.ActionOf(func(ctx execution.Ctx, s *execution.Scope[tally]) error {
			t := time.NewTimer(time.Minute)
			defer t.Stop()
			select {
			case <-t.C:
			case <-ctx.Done():
			}
			s.Context().N++
			return nil
		}),
	}
}

// seen is the order in which a counter got its events.
func (r *rig) seen(id string) []string {
	r.t.Helper()
	var c tally
	decode(r.t, r.get(id).Context, &c)
	return slices.Clone(c.Seen)
}

func decode(t *testing.T, text json.RawMessage, v any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, v))
}

// sent are commands and how often they were sent.
type sent = map[string]int

func newData(t *testing.T) *memstore.Store {
	t.Helper()
	data, err := memstore.New(memstore.Options{})
	require.NoError(t, err)
	return data
}

// push puts an event into an inbox, as another process would.
func push(t *testing.T, data store.Store, id, eventID, name string) {
	t.Helper()
	_, err := data.Push(bg, store.Push{ID: id, Now: time.Now(), Entries: []store.InboxEntry{entry(t, eventID, name)}})
	require.NoError(t, err)
}

// entry is an inbox entry for an event without data.
func entry(t *testing.T, eventID, name string) store.InboxEntry {
	t.Helper()
	ev, err := execution.NewEvent(eventID, name, nil)
	require.NoError(t, err)
	return store.InboxEntry{ID: eventID, At: time.Now(), Event: ev.Encode()}
}

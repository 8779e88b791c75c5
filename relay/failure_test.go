package relay_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
)

// end makes an execution that has ended.
func (w *world) end(id string) {
	c := creation(id)
	c.Status, c.Ended = store.Done, true
	require.NoError(w.t, w.db.Create(w.t.Context(), c))
}

// refusing is a delivery that always fails with err.
func refusing(err error) func(context.Context, string, []store.InboxEntry) (int, error) {
	return func(context.Context, string, []store.InboxEntry) (int, error) { return 0, err }
}

func TestAFailedDeliveryIsMarkedAndLaterEntriesForThatTargetWait(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "full", "b")
		p := w.process()
		room := time.Now().Add(5 * time.Second)
		p.delivers(func(ctx context.Context, target string, events []store.InboxEntry) (int, error) {
			if target == "full" && time.Now().Before(room) {
				return 0, store.ErrBackpressure
			}
			for i, e := range events {
				if err := p.apply(ctx, target, e.ID); err != nil {
					return i, err
				}
			}
			return len(events), nil
		})
		p.relay.Committed(w.step("a", append(emits("full", "e1", "e2"), emits("b", "e3")...)))
		after(0)
		assert.Equal(t, []string{"e3"}, w.applied("b"), "another target does not wait")
		left := w.outbox("a")
		require.Len(t, left, 2)
		assert.Equal(t, []int{1, 0}, []int{left[0].Attempts, left[1].Attempts})
		assert.Contains(t, left[0].LastError, "no room")
		assert.Equal(t, left[0].At, left[1].At)
		assert.Equal(t, time.Second, time.Until(left[0].At))

		p.relay.Committed(w.step("a", emits("full", "e4")))
		after(500 * time.Millisecond)
		assert.Empty(t, w.applied("full"))

		after(10 * time.Second) // tries after 1, 3 and 7 s
		assert.Equal(t, []string{"e1", "e2", "e4"}, w.applied("full"))
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestANewerEntryForATargetThatBacksOffGetsItsDateWhenAPollMeetsIt(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		first := w.process()
		first.delivers(refusing(errors.New("no")))
		first.relay.Committed(w.step("a", emits("b", "e1")))
		after(200 * time.Second) // attempts after 0, 1, 3, 7, 15, 31, 63 and 127 s
		first.kill()
		w.step("a", emits("b", "e2")) // by nobody who hands it over
		second := w.process()
		after(10 * time.Second) // the grace of e2 is over
		left := w.outbox("a")
		require.Len(t, left, 2)
		assert.Equal(t, 8, left[0].Attempts)
		assert.Equal(t, left[0].At, left[1].At)
		assert.Empty(t, second.noted())
		after(5 * time.Minute)
		assert.Equal(t, []string{"e1", "e2"}, w.applied("b"))
		second.kill()
	})
}

func TestAfterTwentyAttemptsAnEntryIsADeadLetter(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		p := w.process(patient)
		tries := 0
		p.delivers(func(ctx context.Context, target string, events []store.InboxEntry) (int, error) {
			if events[0].ID == "e1" {
				tries++
				return 0, errors.New("not this one")
			}
			return len(events), p.apply(ctx, target, events[0].ID)
		})
		p.relay.Committed(w.step("a", emits("b", "e1", "e2")))
		after(2 * time.Hour)
		assert.Equal(t, 20, tries)
		assert.Equal(t, []string{"b e1 attempts"}, w.letters())
		assert.Equal(t, []string{"e2"}, w.applied("b"))
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestWhatCanNeverBeDeliveredIsDeadAtOnceOrNeedsNothing(t *testing.T) {
	stop := store.Emit{Kind: store.EmitControl, TargetID: "x", ID: "x:stop", Event: []byte(`{"name":"$stop"}`)}
	cases := map[string]struct {
		emit    store.Emit
		deliver error // of the runtime; nil: it applies
		letters []string
	}{
		"unknown target":           {emit: emit("nobody", "e"), letters: []string{"nobody e not_found"}},
		"ended target":             {emit: emit("ended", "e"), letters: []string{"ended e ended"}},
		"no target":                {emit: emit("", "e"), letters: []string{" e no_target"}},
		"over a cap":               {emit: emit("b", "e"), deliver: store.ErrTooLarge, letters: []string{"b e invalid"}},
		"refused by a check":       {emit: emit("b", "e"), deliver: store.ErrInvalidArgument, letters: []string{"b e invalid"}},
		"refused by the runtime":   {emit: emit("b", "e"), deliver: &relay.DeadError{Reason: "why", Err: errors.New("x")}, letters: []string{"b e why"}},
		"declared dead by a step":  {emit: store.Emit{Kind: store.EmitDead, TargetID: "a", ID: "e", Reason: "reset", Event: []byte(`{}`)}, letters: []string{"a e reset"}},
		"report to an unknown":     {emit: report("a", "nobody")},
		"report to an ended":       {emit: report("a", "ended")},
		"command for an unknown":   {emit: stop, deliver: store.ErrNotFound},
		"command for an ended one": {emit: stop, deliver: store.ErrEnded},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, owns := range []func(string) bool{everything, nothing} {
				story(t, store.Limits{}, func(t *testing.T, w *world) {
					w.create("a", "b")
					w.end("ended")
					p := w.process(owning(owns))
					if c.deliver != nil {
						p.owns = everything
						p.delivers(refusing(c.deliver))
					}
					p.relay.Committed(w.step("a", []store.Emit{c.emit}))
					after(0)
					assert.Equal(t, c.letters, w.letters())
					assert.Empty(t, w.outbox("a"))
					p.kill()
				})
			}
		})
	}
}

func TestADeadEntryDoesNotHoldUpTheGroupItWasIn(t *testing.T) {
	for name, owns := range map[string]func(string) bool{"local": everything, "pushed": nothing} {
		t.Run(name, func(t *testing.T) {
			story(t, store.Limits{Event: 1000}, func(t *testing.T, w *world) {
				w.create("a", "b")
				p := w.process(owning(owns))
				p.delivers(func(ctx context.Context, target string, events []store.InboxEntry) (int, error) {
					for i, e := range events {
						if e.ID == "bad" {
							return i, store.ErrTooLarge
						}
						if err := p.apply(ctx, target, e.ID); err != nil {
							return i, err
						}
					}
					return len(events), nil
				})
				p.relay.Committed(w.step("a", emits("b", "e1", "bad", "e2")))
				after(0)
				if name == "local" {
					assert.Equal(t, []string{"e1", "e2"}, w.applied("b"))
					assert.Equal(t, []string{"b bad invalid"}, w.letters())
				} else {
					assert.Equal(t, []string{"e1", "bad", "e2"}, w.inbox("b"))
				}
				assert.Empty(t, w.outbox("a"))
				p.kill()
			})
		})
	}
}

func TestAnInboxWithLittleRoomIsFilledOneByOne(t *testing.T) {
	story(t, store.Limits{InboxEntries: 5}, func(t *testing.T, w *world) {
		w.create("a", "b")
		_, err := w.db.Push(t.Context(), store.Push{ID: "b", Entries: []store.InboxEntry{{ID: "x", Event: []byte(`{}`)}}, Now: time.Now()})
		require.NoError(t, err)
		p := w.process(owning(nothing))
		p.relay.Committed(w.step("a", emits("b", "e1", "e2", "e3", "e4", "e5", "e6")))
		after(0)
		assert.Equal(t, []string{"x", "e1", "e2", "e3", "e4"}, w.inbox("b"))
		p.kill()
	})
}

func TestAStoreOutageCountsNoAttemptAndLosesNothing(t *testing.T) {
	for name, owns := range map[string]func(string) bool{"local": everything, "pushed": nothing} {
		t.Run(name, func(t *testing.T) {
			story(t, store.Limits{}, func(t *testing.T, w *world) {
				w.create("a", "b")
				p := w.process(owning(owns))
				p.db.down.Store(true)
				for i := range 10 {
					p.relay.Committed(w.step("a", emits("b", fmt.Sprintf("e%d", i)), spawn(fmt.Sprintf("child-%d", i))))
				}
				after(10 * time.Minute)
				for _, e := range w.outbox("a") {
					assert.Zero(t, e.Attempts)
				}
				assert.Len(t, w.outbox("a"), 10)
				if name == "local" {
					p.db.down.Store(false)
					after(time.Second)
					assert.Len(t, w.applied("b"), 10)
					assert.Empty(t, w.outbox("a"))
					assert.Empty(t, w.spawns("a"))
				}
				p.kill()
			})
		})
	}
}

func TestOneProberAsksForAllThatWaits(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		asked := 0
		p := w.process(func(_ *process, c *relay.Config) {
			c.PollMin, c.PollMax = time.Hour, time.Hour
			c.Await = func(ctx context.Context, err error) error {
				asked++
				time.Sleep(time.Second)
				return ctx.Err()
			}
		})
		after(0)
		p.db.down.Store(true)
		w.create("a")
		for i := range 100 {
			target := fmt.Sprintf("b%d", i)
			w.create(target)
			p.relay.Committed(w.step("a", emits(target, "e")))
		}
		after(9500 * time.Millisecond)
		assert.LessOrEqual(t, asked, 10)
		p.db.down.Store(false)
		after(time.Second)
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestAnEntryForAChildWaitsWhileItsSpawnIsPending(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		p := w.process()
		ready := time.Now().Add(3 * time.Second)
		p.bears(func(b relay.Birth) (store.Creation, error) {
			if time.Now().Before(ready) {
				return store.Creation{}, errors.New("not yet")
			}
			return newborn(b), nil
		})
		stop := store.Emit{Kind: store.EmitControl, TargetID: "child", ID: "child:stop", Event: []byte(`{}`)}
		p.relay.Committed(w.step("a", []store.Emit{emit("child", "e1"), emit("b", "e2"), stop}, spawn("child")))
		after(0)
		assert.Equal(t, []string{"e2"}, w.applied("b"), "what is for others goes on once the spawn was tried")
		assert.Empty(t, w.letters())
		after(time.Minute)
		assert.Equal(t, []string{"e1", "child:stop"}, w.applied("child"))
		assert.Empty(t, w.outbox("a"))
		assert.Empty(t, w.spawns("a"))
		p.kill()
	})
}

func TestAnEntryForAChildWhoseSpawnIsKnownToTheStoreOnlyWaitsToo(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a")
		w.step("a", nil, spawn("child")) // by a process that is gone, still in its grace
		p := w.process()
		p.relay.Committed(w.step("a", emits("child", "e1"))) // the runtime did not know better
		after(0)
		assert.Empty(t, w.letters())
		assert.Len(t, w.outbox("a"), 1)
		after(10 * time.Second)
		assert.Equal(t, []string{"e1"}, w.applied("child"))
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestADeadLetterThatTheStoreRefusesKeepsItsEntry(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		p := w.process()
		reason := strings.Repeat("x", 300) // longer than a label may be
		p.delivers(refusing(&relay.DeadError{Reason: reason, Err: errors.New("x")}))
		p.relay.Committed(w.step("a", emits("b", "e1")))
		after(time.Second)
		assert.Empty(t, w.letters())
		assert.Len(t, w.outbox("a"), 1)
		p.delivers(nil)
		after(10 * time.Minute)
		assert.Equal(t, []string{"e1"}, w.applied("b"))
		p.kill()
	})
}

package relay_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/relay"
	"github.com/durachart/durachart/store"
)

func TestASpawnBecomesAChildOfItsParent(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		root := creation("root")
		root.Priority = 3
		require.NoError(t, w.db.Create(t.Context(), root))
		p := w.process()
		var got relay.Birth
		p.bears(func(b relay.Birth) (store.Creation, error) {
			got = b
			return newborn(b), nil
		})
		p.relay.Committed(w.step("root", nil, spawn("child")))
		after(0)
		child := w.load("child")
		assert.Equal(t, []any{"root", "root", 3, store.Seq(2, 0)}, []any{child.ParentID, child.RootID, child.Priority, child.SpawnSeq})
		assert.Equal(t, spawn("child"), got.Spawn)
		assert.Equal(t, []any{"root", "root", 3}, []any{got.ParentID, got.RootID, got.Priority})
		assert.Equal(t, []string{"child"}, p.born)
		assert.Empty(t, w.spawns("root"))

		p.relay.Committed(w.step("child", nil, spawn("grandchild")))
		after(0)
		assert.Equal(t, "root", w.load("grandchild").RootID)
		p.kill()
	})
}

func TestTheSpawnsOfAStepComeBeforeItsOutbox(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a", "b")
		p := w.process()
		p.bears(func(b relay.Birth) (store.Creation, error) {
			time.Sleep(time.Second) // a start action that takes its time
			return newborn(b), nil
		})
		p.relay.Committed(w.step("a", emits("b", "before")))
		p.relay.Committed(w.step("a", []store.Emit{emit("child", "e1"), emit("b", "e2")}, spawn("child")))
		after(500 * time.Millisecond)
		assert.Equal(t, []string{"before"}, w.applied("b"))
		after(time.Second)
		assert.Equal(t, []string{"before", "e2"}, w.applied("b"))
		assert.Equal(t, []string{"e1"}, w.applied("child"))
		p.kill()
	})
}

func TestAChildThatEndsInItsFirstStepReportsAtOnce(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a")
		p := w.process()
		p.bears(func(b relay.Birth) (store.Creation, error) { return finished(b), nil })
		p.relay.Committed(w.step("a", nil, spawn("c1"), spawn("c2")))
		after(0)
		assert.ElementsMatch(t, []string{"c1:finished", "c2:finished"}, w.applied("a"))
		assert.Empty(t, w.outbox("c1"))
		p.kill()
	})
}

func TestAChildThatAnEarlierTryCreatedIsRecognised(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a")
		h := w.step("a", emits("child", "e1"), spawn("child"))
		there := newborn(relay.Birth{SpawnEntry: store.SpawnEntry{Spawn: spawn("child")}})
		there.ParentID, there.RootID, there.SpawnSeq = "a", "a", store.Seq(2, 0)
		require.NoError(t, w.db.Create(t.Context(), there))
		p := w.process()
		p.relay.Committed(h)
		after(0)
		assert.Empty(t, w.spawns("a"))
		assert.Empty(t, w.letters())
		assert.Empty(t, p.born, "it is somebody else's child to welcome")
		assert.Equal(t, []string{"e1"}, w.applied("child"))
		p.kill()
	})
}

func TestASpawnThatCannotBeCarriedOutIsADeadLetterAndReported(t *testing.T) {
	unknown := &relay.DeadError{Reason: "unknown_chart", Err: errors.New("no chart x")}
	cases := map[string]struct {
		build  error
		taken  bool
		reason string
	}{
		"id taken":             {taken: true, reason: "id_taken"},
		"refused by runtime":   {build: unknown, reason: "unknown_chart"},
		"too large":            {build: store.ErrTooLarge, reason: "invalid"},
		"attempts are used up": {build: errors.New("no"), reason: "attempts"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			story(t, store.Limits{}, func(t *testing.T, w *world) {
				w.create("a")
				if c.taken {
					w.create("child")
				}
				p := w.process(patient)
				p.bears(func(b relay.Birth) (store.Creation, error) { return newborn(b), c.build })
				p.relay.Committed(w.step("a", nil, spawn("child")))
				after(2 * time.Hour)
				assert.Equal(t, []string{"child  " + c.reason}, w.letters())
				assert.Equal(t, []string{"child:finished"}, w.applied("a"))
				assert.Empty(t, w.spawns("a"))
				assert.Zero(t, p.relay.Pending())

				page, err := w.db.ListDeadLetters(t.Context(), store.DeadLetterFilter{}, store.Page{Limit: 1})
				require.NoError(t, err)
				birth, err := relay.DecodeBirth(page.Items[0].Spawn)
				require.NoError(t, err)
				assert.Equal(t, spawn("child"), birth.Spawn)
				assert.Equal(t, []any{"a", "a"}, []any{birth.ParentID, birth.RootID})
				p.kill()
			})
		})
	}
}

func TestEntriesForAChildThatCannotComeAreDeadAfterItsReport(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a")
		p := w.process()
		p.bears(func(relay.Birth) (store.Creation, error) { return store.Creation{}, store.ErrTooLarge })
		stop := store.Emit{Kind: store.EmitControl, TargetID: "child", ID: "child:stop", Event: []byte(`{}`)}
		p.relay.Committed(w.step("a", []store.Emit{emit("child", "e1"), stop}, spawn("child")))
		after(time.Minute)
		assert.Equal(t, []string{"child  invalid", "child e1 not_found"}, w.letters())
		assert.Empty(t, w.outbox("a"))
		p.kill()
	})
}

func TestAParentWithoutRoomHearsOfADeadSpawnLater(t *testing.T) {
	story(t, store.Limits{}, func(t *testing.T, w *world) {
		w.create("a")
		p := w.process(patient)
		p.bears(func(relay.Birth) (store.Creation, error) { return store.Creation{}, store.ErrTooLarge })
		p.delivers(refusing(store.ErrBackpressure))
		p.relay.Committed(w.step("a", nil, spawn("child")))
		after(2 * time.Hour)
		assert.Len(t, w.spawns("a"), 1, "it is never given up: no parent waits for ever")
		p.delivers(nil)
		after(10 * time.Minute)
		assert.Equal(t, []string{"child:finished"}, w.applied("a"))
		assert.Empty(t, w.spawns("a"))
		p.kill()
	})
}

func TestABirthOutlivesTheAbsenceOfATextInItsCode(t *testing.T) {
	b := relay.Birth{SpawnEntry: store.SpawnEntry{Spawn: store.Spawn{ChildID: "c"}, Seq: 7, ParentID: "p"}, RootID: "r", Priority: 2}
	got, err := relay.DecodeBirth(relay.EncodeBirth(b))
	require.NoError(t, err)
	assert.Equal(t, b, got)
	_, err = relay.DecodeBirth([]byte(`{"seq":"x"}`))
	assert.ErrorContains(t, err, "decode a spawn")
}

// TestTenThousandChildrenAreLinear counts commands: for each child its creation, the
// acknowledgement of its report, and a share of what is written in the parent.
func TestTenThousandChildrenAreLinear(t *testing.T) {
	perChild := map[int]float64{}
	for _, n := range []int{1000, 10_000} {
		story(t, store.Limits{}, func(t *testing.T, w *world) {
			w.create("parent")
			p := w.process()
			p.bears(func(b relay.Birth) (store.Creation, error) { return finished(b), nil })
			heard := map[string]bool{}
			p.delivers(func(_ context.Context, _ string, events []store.InboxEntry) (int, error) {
				time.Sleep(time.Millisecond) // the commit of the parent
				for _, e := range events {
					heard[e.ID] = true
				}
				return len(events), nil
			})
			started := 0
			more := func() {
				var spawns []store.Spawn
				for ; len(spawns) < 64 && started < n; started++ {
					spawns = append(spawns, spawn(fmt.Sprintf("child-%d", started)))
				}
				if len(spawns) > 0 {
					p.relay.Committed(w.step("parent", nil, spawns...))
				}
			}
			for range n/64 + 1 {
				more()
				after(10 * time.Millisecond)
			}
			assert.Zero(t, p.relay.Pending())
			assert.Empty(t, w.spawns("parent"))
			assert.Len(t, heard, n)
			perChild[n] = float64(p.db.used.Load()) / float64(n)
			p.kill()
		})
	}
	assert.Less(t, perChild[10_000], 2.1)
	assert.InEpsilon(t, perChild[1000], perChild[10_000], 0.05)
}

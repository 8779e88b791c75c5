package actor

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnExecutionLivesFromStartToEnd(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		reply := r.begin("l-1", "lamp")
		assert.Equal(t, Applied, reply.Disposition)
		assert.Equal(t, StatusRunning, reply.Status)
		assert.Equal(t, []string{"off"}, reply.Active)
		assert.EqualValues(t, 1, reply.Revision)

		reply = r.call("l-1", "switch")
		assert.Equal(t, []string{"on"}, reply.Active)
		assert.EqualValues(t, 2, reply.Revision)
		assert.Equal(t, Dropped, r.call("l-1", "nonsense").Disposition)

		reply = r.call("l-1", "smash")
		assert.Equal(t, StatusDone, reply.Status)
		assert.Equal(t, "broken", reply.Outcome)
		_, err := r.Call(bg, "l-1", Event{Name: "switch"})
		assert.ErrorIs(t, err, ErrEnded)
		_, err = r.Send(bg, "l-1", Event{Name: "switch"})
		assert.ErrorIs(t, err, ErrEnded)
	})
}

func TestASentEventIsAppliedSoon(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("l-1", "lamp")
		r.send("l-1", "switch")
		synctest.Wait()
		assert.Equal(t, []string{"on"}, r.get("l-1").Active)
		r.passivate()
		r.send("l-1", "switch")
		synctest.Wait()
		assert.Equal(t, []string{"off"}, r.get("l-1").Active)
	})
}

func TestATimeoutFiresAtItsTimeAndOnlyOnce(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("l-1", "lamp")
		r.call("l-1", "switch")
		time.Sleep(59 * time.Second)
		synctest.Wait()
		assert.Equal(t, []string{"on"}, r.get("l-1").Active)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, []string{"off"}, r.get("l-1").Active)
		revision := r.get("l-1").Revision
		time.Sleep(time.Hour)
		synctest.Wait()
		assert.Equal(t, revision, r.get("l-1").Revision)
	})
}

func TestRegionsRunAsChildrenAndJoin(t *testing.T) {
	within(t, Config{}, func(r *rig) {
		r.begin("f-1", "family")
		r.idle()
		page, err := r.List(bg, Filter{ParentID: "f-1"}, Page{})
		require.NoError(t, err)
		assert.Len(t, page.Items, 2)

		reply := r.call("f-1", "left")
		assert.Equal(t, Forwarded, reply.Disposition)
		r.call("f-1", "right")
		e, err := r.Wait(bg, "f-1", nil)
		require.NoError(t, err)
		assert.Equal(t, StatusDone, e.Status)
		assert.Equal(t, []string{"good"}, e.Active)
	})
}

package mongostore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

// Workers that died leave their entries behind: the next announcement forgets them.
func TestWorkersOfOldAreForgotten(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{})
	ctx := t.Context()
	for owner, ended := range map[string]time.Duration{"recent": store.WorkerKept - time.Hour, "old": store.WorkerKept + time.Hour} {
		require.NoError(t, s.Announce(ctx, store.Worker{Owner: owner, Name: owner, StartedAt: noon}, time.Minute))
		_, err := r.collection("workers").UpdateByID(ctx, owner, bson.D{{Key: "$set", Value: bson.D{{Key: "until", Value: time.Now().Add(-ended)}}}})
		require.NoError(t, err)
	}
	require.NoError(t, s.Announce(ctx, store.Worker{Owner: "new", Name: "new", StartedAt: noon}, time.Minute))
	survey, err := s.Survey(ctx)
	require.NoError(t, err)
	live := map[string]bool{}
	for _, w := range survey.Workers {
		live[w.Owner] = w.Live
	}
	assert.Equal(t, map[string]bool{"new": true, "recent": false}, live)
}

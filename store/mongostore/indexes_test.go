package mongostore_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"golang.org/x/sync/errgroup"

	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

// GE6: Ready names each missing Required index, and does no DDL itself.
func TestReadyNamesMissingIndexes(t *testing.T) {
	r := newRig(t)
	s := r.bare(t, mongostore.Options{})
	_, err := s.Ready(t.Context())
	require.ErrorIs(t, err, store.ErrMisconfigured)
	for _, name := range []string{"due_inbox", "due_outbox", "due_spawns", "due_timers"} {
		assert.ErrorContains(t, err, name)
	}
	assert.NotContains(t, r.monitor.Counts(), "createIndexes")

	require.NoError(t, s.EnsureIndexes(t.Context()))
	_, err = s.Ready(t.Context())
	require.NoError(t, err)
	require.NoError(t, r.collection("executions").Indexes().DropOne(t.Context(), "due_spawns"))
	_, err = s.Ready(t.Context())
	require.ErrorIs(t, err, store.ErrMisconfigured)
	assert.ErrorContains(t, err, "due_spawns")
	assert.NotContains(t, err.Error(), "due_inbox")
}

// GE6: each missing Speed index is one warning.
func TestReadyWarnsOfMissingSpeedIndexes(t *testing.T) {
	r := newRig(t)
	var log bytes.Buffer
	s := r.store(t, mongostore.Options{
		Attributes: []string{"customer"}, LeafIndex: true,
		Limits: store.Limits{DeadLetterRetention: time.Hour},
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	_, err := s.Ready(t.Context())
	require.NoError(t, err)
	assert.Empty(t, log.String())

	coll := r.collection("executions")
	for _, name := range []string{"by_leaf", "attr_customer"} {
		require.NoError(t, coll.Indexes().DropOne(t.Context(), name))
	}
	_, err = s.Ready(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(log.String(), "level=WARN"))
	assert.Contains(t, log.String(), "by_leaf")
	assert.Contains(t, log.String(), "attr_customer")
}

// GE6: a TTL on expires_at that does not look whether something waits is refused
// (D42); the one that does is what ExpiryTTL asks for.
func TestReadyRefusesABareTTL(t *testing.T) {
	r := newRig(t)
	ttl := r.store(t, mongostore.Options{ExpiryTTL: true})
	_, err := ttl.Ready(t.Context())
	require.NoError(t, err)

	coll := r.collection("executions")
	require.NoError(t, coll.Indexes().DropOne(t.Context(), "expiry"))
	_, err = coll.Indexes().CreateOne(t.Context(), mongo.IndexModel{
		Keys: bson.D{{Key: "expires_at", Value: 1}}, Options: options.Index().SetName("mine").SetExpireAfterSeconds(0),
	})
	require.NoError(t, err)
	_, err = ttl.Ready(t.Context())
	require.ErrorIs(t, err, store.ErrMisconfigured)
	assert.ErrorContains(t, err, "mine")
}

// D42: keys, order, direction, partial filter and TTL are compared, and names are
// not.
func TestVerifyIndexesComparesWhatCounts(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{})
	coll := r.collection("executions")
	replace := func(name string, keys bson.D, partial bson.D) {
		t.Helper()
		require.NoError(t, coll.Indexes().DropOne(t.Context(), name))
		opts := options.Index().SetName("other_name_for_" + name)
		if partial != nil {
			opts.SetPartialFilterExpression(partial)
		}
		_, err := coll.Indexes().CreateOne(t.Context(), mongo.IndexModel{Keys: keys, Options: opts})
		require.NoError(t, err)
	}
	exists := func(field string) bson.D {
		return bson.D{{Key: field, Value: bson.D{{Key: "$exists", Value: true}}}}
	}
	missing := func() []string {
		t.Helper()
		indexes, err := s.VerifyIndexes(t.Context())
		require.NoError(t, err)
		var names []string
		for _, x := range indexes {
			names = append(names, x.Name)
		}
		return names
	}
	require.Empty(t, missing())
	replace("due_inbox", bson.D{{Key: "shard", Value: 1}, {Key: "inbox.at", Value: 1}}, exists("inbox.at"))
	assert.Empty(t, missing(), "another name is no other index")
	replace("due_outbox", bson.D{{Key: "outbox.at", Value: 1}, {Key: "shard", Value: 1}}, exists("outbox.at"))
	assert.Equal(t, []string{"due_outbox"}, missing(), "another order")
	replace("due_spawns", bson.D{{Key: "shard", Value: 1}, {Key: "spawns.at", Value: 1}}, nil)
	assert.Equal(t, []string{"due_outbox", "due_spawns"}, missing(), "no partial filter")
	replace("newest", bson.D{{Key: "created_at", Value: -1}, {Key: "_id", Value: 1}}, nil)
	assert.Equal(t, []string{"due_outbox", "due_spawns", "newest"}, missing(), "another direction")
}

// GE6: eight EnsureIndexes at once succeed; what is there in another form is named.
func TestEnsureIndexesRaces(t *testing.T) {
	r := newRig(t)
	s := r.bare(t, mongostore.Options{Attributes: []string{"a"}})
	var group errgroup.Group
	for range 8 {
		group.Go(func() error { return s.EnsureIndexes(t.Context()) })
	}
	require.NoError(t, group.Wait())
	missing, err := s.VerifyIndexes(t.Context())
	require.NoError(t, err)
	assert.Empty(t, missing)

	coll := r.collection("executions")
	require.NoError(t, coll.Indexes().DropOne(t.Context(), "by_root"))
	_, err = coll.Indexes().CreateOne(t.Context(), mongo.IndexModel{
		Keys: bson.D{{Key: "wake_at", Value: 1}}, Options: options.Index().SetName("by_root"),
	})
	require.NoError(t, err)
	err = s.EnsureIndexes(t.Context())
	require.ErrorIs(t, err, store.ErrMisconfigured)
	assert.ErrorContains(t, err, "by_root")
}

// D1, SH6: a database that was set up otherwise is refused, and a first start that
// died half way is completed by the next one.
func TestReadyChecksTheMetaDocument(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{Shards: 8})
	_, err := s.Ready(t.Context())
	require.NoError(t, err)
	_, err = r.collection("shards").DeleteMany(t.Context(), bson.D{{Key: "_id", Value: bson.D{{Key: "$gte", Value: 5}}}})
	require.NoError(t, err)
	_, err = s.Ready(t.Context())
	require.NoError(t, err)
	n, err := r.collection("shards").CountDocuments(t.Context(), bson.D{})
	require.NoError(t, err)
	assert.EqualValues(t, 8, n)

	for field, value := range map[string]any{"shards": 9, "hash": "md5"} {
		_, err := r.collection("meta").UpdateByID(t.Context(), "store", bson.D{{Key: "$set", Value: bson.D{{Key: field, Value: value}}}})
		require.NoError(t, err)
		_, err = s.Ready(t.Context())
		require.ErrorIs(t, err, store.ErrMisconfigured, field)
		_, err = r.collection("meta").UpdateByID(t.Context(), "store", bson.D{{Key: "$set", Value: bson.D{{Key: "shards", Value: 8}, {Key: "hash", Value: "sha256"}}}})
		require.NoError(t, err)
	}
	_, err = r.collection("meta").UpdateByID(t.Context(), "store", bson.D{{Key: "$set", Value: bson.D{{Key: "format", Value: 2}}}})
	require.NoError(t, err)
	_, err = s.Ready(t.Context())
	require.ErrorIs(t, err, store.ErrUnsupported)
}

package mongotest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
)

// rig records what a test helper does to the test that calls it.
type rig struct {
	testing.TB
	skipped, failed string
}

func (r *rig) Helper()           {}
func (r *rig) Skip(args ...any)  { r.skipped = args[0].(string); panic(r) }
func (r *rig) Fatal(args ...any) { r.failed = args[0].(string); panic(r) }

func TestWithoutAServerATestSaysHowToRun(t *testing.T) {
	t.Setenv(mongotest.URIVariable, "")
	t.Setenv(mongotest.RequireVariable, "")
	skipping := &rig{TB: t}
	assert.Panics(t, func() { mongotest.URI(skipping) })
	assert.Contains(t, skipping.skipped, "scripts/test-mongo")

	t.Setenv(mongotest.RequireVariable, "1")
	failing := &rig{TB: t}
	assert.Panics(t, func() { mongotest.URI(failing) })
	assert.Contains(t, failing.failed, "scripts/test-mongo")
}

func TestDatabaseIsOnesOwnAndGoesAway(t *testing.T) {
	ctx := context.Background()
	client := mongotest.Connect(t)
	var name string
	t.Run("a test", func(t *testing.T) {
		name = mongotest.Database(t)
		assert.NotEqual(t, name, mongotest.Database(t))
		_, err := client.Database(name).Collection("c").InsertOne(ctx, bson.D{})
		require.NoError(t, err)
	})
	names, err := client.ListDatabaseNames(ctx, bson.D{{Key: "name", Value: name}})
	require.NoError(t, err)
	assert.Empty(t, names)
}

func TestMonitorCountsCommandsByKind(t *testing.T) {
	ctx := context.Background()
	var monitor mongotest.Monitor
	client := mongotest.Connect(t, options.Client().SetMonitor(monitor.Events()))
	coll := client.Database(mongotest.Database(t)).Collection("c")
	for range 3 {
		_, err := coll.InsertOne(ctx, bson.D{})
		require.NoError(t, err)
	}
	require.Error(t, coll.FindOne(ctx, bson.D{{Key: "$nonsense", Value: 1}}).Err())
	assert.Equal(t, map[string]int{"insert": 3, "find": 1}, monitor.Counts())
	assert.Equal(t, 4, monitor.Total())
	assert.Equal(t, 1, monitor.Failed())
	sent := monitor.Sent()
	assert.Equal(t, "find", sent[3].Name)
	assert.Nil(t, sent[3].Reply)
	n, _ := sent[0].Reply.Lookup("n").AsInt64OK()
	assert.EqualValues(t, 1, n)
	monitor.Reset()
	assert.Zero(t, monitor.Total())
}

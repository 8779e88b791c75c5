package mongostore_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

// idle is how many executions that do not match stand in the way of section 19.
const idle = 100_000

// Section 19: with 100,000 executions that do not match, every poll, DueTimers, List
// filter, Purge and dead-letter query is an index scan that looks at no more than
// what it returns, and sorts nothing in memory.
func TestQueriesUseTheirIndexes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short, it fills a collection with 100,000 documents")
	}
	r := newRig(t)
	s := r.store(t, mongostore.Options{Attributes: []string{"customer"}, LeafIndex: true})
	fillIdle(t, r)
	matching(t, r, s)
	all := make([]int, store.DefaultShards)
	for i := range all {
		all[i] = i
	}
	q := store.PollQuery{Shards: all, Until: noon, Limit: 10, Exclude: []string{"not-there"}}
	// One query of the four: they are alike, and this server takes long to explain them.
	timers := q
	timers.Shards = all[store.ShardOf("match-timer", store.DefaultShards)/64*64:][:64]
	list := func(f store.Filter, order store.Order) func() (int, error) {
		return func() (int, error) {
			page, err := s.List(t.Context(), f, store.Page{Limit: 10, Order: order})
			return len(page.Items), err
		}
	}
	letters := func(f store.DeadLetterFilter) func() (int, error) {
		return func() (int, error) {
			page, err := s.ListDeadLetters(t.Context(), f, store.Page{Limit: 10})
			return len(page.Items), err
		}
	}
	for _, tc := range []struct {
		name string
		want int
		do   func() (int, error)
	}{
		{"PollInbox", 1, func() (int, error) { page, err := s.PollInbox(t.Context(), q); return len(page), err }},
		{"PollOutbox", 1, func() (int, error) { page, err := s.PollOutbox(t.Context(), q); return len(page), err }},
		{"PollSpawns", 1, func() (int, error) { page, err := s.PollSpawns(t.Context(), q); return len(page), err }},
		{"DueTimers", 1, func() (int, error) { page, err := s.DueTimers(t.Context(), timers); return len(page), err }},
		{"List all", 10, list(store.Filter{}, store.ByID)},
		{"List newest", 10, list(store.Filter{}, store.NewestFirst)},
		{"List by definition", 3, list(store.Filter{DefinitionID: "rare"}, store.ByID)},
		{"List by definition and status", 1, list(store.Filter{DefinitionID: "rare", Statuses: []store.Status{store.Suspended}}, store.ByID)},
		{"List by status", 1, list(store.Filter{Statuses: []store.Status{store.Suspended}}, store.ByID)},
		{"List by state", 1, list(store.Filter{DefinitionID: "rare", Leaf: "Rare"}, store.ByID)},
		{"List children", 1, list(store.Filter{ParentID: "match-inbox"}, store.ByID)},
		{"List a family", 2, list(store.Filter{RootID: "match-inbox"}, store.ByID)},
		{"List parked", 1, list(store.Filter{ParkedOnly: true}, store.ByID)},
		{"List by attribute", 1, list(store.Filter{Attrs: map[string]store.Attr{"customer": "Jane"}}, store.ByID)},
		{"ListDeadLetters", 2, letters(store.DeadLetterFilter{})},
		{"ListDeadLetters of an execution", 1, letters(store.DeadLetterFilter{ExecutionID: "a"})},
		{"ListDeadLetters by reason", 1, letters(store.DeadLetterFilter{Reason: "full"})},
		{"Purge", 1, func() (int, error) { done, err := s.Purge(t.Context(), noon, 10); return done.Deleted + done.Kept, err }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r.monitor.Reset()
			n, err := tc.do()
			require.NoError(t, err)
			require.Equal(t, tc.want, n)
			for _, c := range r.monitor.Sent() {
				if c.Name == "find" {
					explained(t, r, c, tc.name)
				}
			}
		})
	}
}

// explained runs a find again as an explanation and checks the plan.
func explained(t *testing.T, r *rig, c mongotest.Command, name string) {
	t.Helper()
	var find bson.D
	for _, key := range []string{"find", "filter", "sort", "projection", "limit", "hint"} {
		if v, err := c.Body.LookupErr(key); err == nil {
			find = append(find, bson.E{Key: key, Value: v})
		}
	}
	var plan struct {
		Planner struct {
			Winning bson.Raw `bson:"winningPlan"`
		} `bson:"queryPlanner"`
		Stats struct {
			Returned int `bson:"nReturned"`
			Examined int `bson:"totalDocsExamined"`
		} `bson:"executionStats"`
	}
	explain := bson.D{{Key: "explain", Value: find}, {Key: "verbosity", Value: "executionStats"}}
	require.NoError(t, r.client.Database(r.database).RunCommand(t.Context(), explain).Decode(&plan))
	stages := stagesOf(plan.Planner.Winning)
	t.Logf("%s: %v, returned %d, examined %d", name, stages, plan.Stats.Returned, plan.Stats.Examined)
	assert.NotContains(t, stages, "COLLSCAN")
	assert.NotContains(t, stages, "SORT", "nothing is sorted in memory")
	limit, _ := c.Body.Lookup("limit").AsInt64OK()
	assert.LessOrEqual(t, plan.Stats.Examined, plan.Stats.Returned+int(limit))
}

// stagesOf lists the stages of a plan, outermost first.
func stagesOf(plan bson.Raw) []string {
	var stages []string
	if stage, ok := plan.Lookup("stage").StringValueOK(); ok {
		stages = append(stages, stage)
	}
	for _, key := range []string{"inputStage", "queryPlan"} {
		if inner, ok := plan.Lookup(key).DocumentOK(); ok {
			stages = append(stages, stagesOf(inner)...)
		}
	}
	if inputs, ok := plan.Lookup("inputStages").ArrayOK(); ok {
		values, _ := inputs.Values()
		for _, v := range values {
			for _, stage := range stagesOf(v.Document()) {
				if !slices.Contains(stages, stage) {
					stages = append(stages, stage)
				}
			}
		}
	}
	return stages
}

// fillIdle inserts executions that wait for nothing, without going through the store.
func fillIdle(t *testing.T, r *rig) {
	t.Helper()
	const perInsert = 10_000
	for from := 0; from < idle; from += perInsert {
		docs := make([]any, perInsert)
		for i := range docs {
			id := fmt.Sprintf("idle-%06d", from+i)
			docs[i] = bson.D{
				{Key: "_id", Value: id}, {Key: "definition_id", Value: "common"}, {Key: "definition_version", Value: "v1"},
				{Key: "format", Value: int32(1)}, {Key: "version", Value: int64(1)}, {Key: "commit_id", Value: "0"},
				{Key: "data", Value: "{}"}, {Key: "status", Value: "RUNNING"}, {Key: "parent_id", Value: nil}, {Key: "root_id", Value: id},
				{Key: "leaves", Value: bson.A{"Waiting"}}, {Key: "entered_at", Value: noon}, {Key: "priority", Value: int32(0)},
				{Key: "shard", Value: int32(store.ShardOf(id, store.DefaultShards))},
				{Key: "inbox", Value: bson.A{}}, {Key: "outbox", Value: bson.A{}}, {Key: "spawns", Value: bson.A{}},
				{Key: "processed", Value: bson.A{}}, {Key: "timers", Value: bson.D{{Key: "late", Value: noon.AddDate(1, 0, 0)}}},
				{Key: "next_fire_at", Value: noon.AddDate(1, 0, 0)}, {Key: "trace", Value: bson.A{}}, {Key: "attrs", Value: bson.D{}},
				{Key: "created_at", Value: noon.Add(-time.Duration(from+i) * time.Second)}, {Key: "updated_at", Value: noon},
			}
		}
		_, err := r.collection("executions").InsertMany(t.Context(), docs, options.InsertMany().SetOrdered(false))
		require.NoError(t, err)
	}
}

// matching makes one execution for each of the questions.
func matching(t *testing.T, r *rig, s *mongostore.Store) {
	t.Helper()
	early := noon.Add(-time.Hour)
	make1 := func(id string, with func(*store.Creation)) {
		t.Helper()
		c := creation(id)
		c.Now = early
		with(&c)
		require.NoError(t, s.Create(t.Context(), c))
	}
	make1("match-inbox", func(c *store.Creation) { c.Inbox = push("", "e").Entries })
	make1("match-child", func(c *store.Creation) { c.ParentID, c.RootID, c.SpawnSeq = "match-inbox", "match-inbox", 1 })
	make1("match-outbox", func(c *store.Creation) {
		c.Emits = []store.Emit{{TargetID: "y", ID: "m", Event: []byte(`{}`)}}
	})
	make1("match-spawns", func(c *store.Creation) {
		c.Spawns = []store.Spawn{{ChildID: "z", DefinitionID: "d", DefinitionVersion: "v", Event: []byte(`{}`)}}
	})
	make1("match-timer", func(c *store.Creation) { c.Timers = map[string]time.Time{"due": early} })
	make1("match-rare", func(c *store.Creation) { c.DefinitionID, c.Leaves = "rare", []string{"Rare"} })
	make1("match-suspended", func(c *store.Creation) { c.DefinitionID, c.Status = "rare", store.Suspended })
	make1("match-parked", func(c *store.Creation) {
		c.DefinitionID, c.Parked = "rare", &store.Parked{Reason: "poison", At: early}
	})
	make1("match-attr", func(c *store.Creation) { c.Attrs = map[string]store.Attr{"customer": "Jane"} })
	make1("match-expired", func(c *store.Creation) { c.Status, c.Ended = store.Done, true })
	r.set(t, "match-expired", bson.D{{Key: "expires_at", Value: early}})
	require.NoError(t, s.PutDeadLetters(t.Context(), []store.DeadLetter{
		{Kind: store.LetterInbox, ExecutionID: "a", EventID: "1", Reason: "ended", At: early},
		{Kind: store.LetterInbox, ExecutionID: "b", EventID: "2", Reason: "full", At: early},
	}))
}

// Section 19: an emptied inbox leaves no key in the index of the poll.
func TestAnEmptiedInboxLeavesNoKey(t *testing.T) {
	r := newRig(t)
	s := r.store(t, mongostore.Options{})
	for i := range 50 {
		id := fmt.Sprint("x", i)
		c := creation(id)
		c.Inbox = push("", "e").Entries
		require.NoError(t, s.Create(t.Context(), c))
		require.NoError(t, s.DropInbox(t.Context(), id, []string{"e"}))
	}
	var plan struct {
		Stats struct {
			Keys int `bson:"totalKeysExamined"`
		} `bson:"executionStats"`
	}
	find := bson.D{
		{Key: "find", Value: "executions"},
		{Key: "filter", Value: bson.D{{Key: "shard", Value: bson.D{{Key: "$gte", Value: 0}}}, {Key: "inbox.at", Value: bson.D{{Key: "$lte", Value: noon}}}}},
		{Key: "hint", Value: "due_inbox"},
	}
	explain := bson.D{{Key: "explain", Value: find}, {Key: "verbosity", Value: "executionStats"}}
	require.NoError(t, r.client.Database(r.database).RunCommand(t.Context(), explain).Decode(&plan))
	assert.LessOrEqual(t, plan.Stats.Keys, 1)
}

package mongostore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// Ready implements [store.Store]. It creates no index: see [Store.EnsureIndexes].
func (s *Store) Ready(ctx context.Context) (store.Info, error) {
	info, err := s.ready(ctx)
	return info, store.OpError("ready", "", err)
}

func (s *Store) ready(ctx context.Context) (store.Info, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return store.Info{}, err
	}
	defer end()
	info, err := s.probe(ctx)
	if err != nil {
		return store.Info{}, err
	}
	if err := s.ensureMeta(ctx); err != nil {
		return store.Info{}, err
	}
	if err := s.probePipeline(ctx); err != nil {
		return store.Info{}, err
	}
	if err := s.ensureShards(ctx); err != nil {
		return store.Info{}, err
	}
	if err := s.checkIndexes(ctx); err != nil {
		return store.Info{}, err
	}
	return info, nil
}

// metaDoc says how a database was set up at its first start (D1).
type metaDoc struct {
	ID        string    `bson:"_id"`
	Format    int       `bson:"format"`
	Shards    int       `bson:"shards"`
	Hash      string    `bson:"hash"`
	CreatedAt time.Time `bson:"created_at"`
}

const (
	metaID   = "store"
	metaHash = "sha256"
)

// ensureMeta makes the meta document, or checks the one that is there.
func (s *Store) ensureMeta(ctx context.Context) error {
	var there metaDoc
	for {
		err := s.coll.meta.FindOne(ctx, bson.D{{Key: fID, Value: metaID}}).Decode(&there)
		if err == nil {
			break
		}
		if err = readErr(err); !errors.Is(err, store.ErrNotFound) {
			return err
		}
		own := metaDoc{ID: metaID, Format: store.CurrentFormat, Shards: s.opts.Shards, Hash: metaHash, CreatedAt: time.Now()}
		if _, err := s.coll.meta.InsertOne(ctx, own); err != nil {
			// A duplicate key: another process did it. An unknown outcome: the next
			// read tells.
			if f := translate(err); f.definite && !f.duplicate {
				return f
			}
			if err := pause(ctx, jitter(resendBackoff)); err != nil {
				return fmt.Errorf("%w: %w", store.ErrUnavailable, err)
			}
		}
	}
	switch {
	case there.Format > store.CurrentFormat:
		return fmt.Errorf("%w: the database has format %d, which is newer than this version of the program", store.ErrUnsupported, there.Format)
	case there.Shards != s.opts.Shards:
		return fmt.Errorf("%w: %d shards, but the database has %d", store.ErrMisconfigured, s.opts.Shards, there.Shards)
	case there.Hash != metaHash:
		return fmt.Errorf("%w: the database divides shards by %q", store.ErrMisconfigured, there.Hash)
	}
	return nil
}

// ensureShards adds the shard documents that are missing, as the first start does
// and as a start does after one that died half way.
func (s *Store) ensureShards(ctx context.Context) error {
	return s.repeat(ctx, "shards", func() error {
		n, err := s.coll.shards.CountDocuments(ctx, bson.D{})
		if err != nil {
			return err
		}
		if int(n) == s.opts.Shards {
			return nil
		}
		docs := make([]any, s.opts.Shards)
		for i := range docs {
			docs[i] = bson.D{
				{Key: fID, Value: int32(i)},
				{Key: fOwner, Value: ""},
				{Key: fFence, Value: int64(0)},
				{Key: fUntil, Value: time.UnixMilli(0)},
			}
		}
		_, err = s.coll.shards.InsertMany(ctx, docs, options.InsertMany().SetOrdered(false))
		r := replyOf(err)
		for i, f := range r.failed {
			if f.duplicate {
				delete(r.failed, i)
			}
		}
		return r.first()
	})
}

// hello is the greeting of the server.
type hello struct {
	SetName        string    `bson:"setName"`
	Msg            string    `bson:"msg"`
	MaxWireVersion int       `bson:"maxWireVersion"`
	MaxDocument    int       `bson:"maxBsonObjectSize"`
	LocalTime      time.Time `bson:"localTime"`
}

func (s *Store) hello(ctx context.Context) (hello, error) {
	var reply hello
	err := s.admin(ctx, "hello", &reply)
	return reply, err
}

func (s *Store) admin(ctx context.Context, command string, reply any) error {
	err := s.client.Database("admin").RunCommand(ctx, bson.D{{Key: command, Value: 1}}).Decode(reply)
	if err != nil {
		return translate(err)
	}
	return nil
}

// The kinds of deployment of store.Info.
const (
	kindStandalone = "standalone"
	kindReplicaSet = "replica set"
	kindSharded    = "sharded"
)

// clientBulkWriteWire is the wire version of MongoDB 8.0.
const clientBulkWriteWire = 25

// probe asks the server what it is, and keeps the answer (D81).
func (s *Store) probe(ctx context.Context) (store.Info, error) {
	var build struct {
		Version string `bson:"version"`
	}
	if err := s.admin(ctx, "buildInfo", &build); err != nil {
		return store.Info{}, err
	}
	greeting, err := s.hello(ctx)
	if err != nil {
		return store.Info{}, err
	}
	info := store.Info{
		Kind:            kindStandalone,
		Version:         build.Version,
		WireVersion:     greeting.MaxWireVersion,
		ServerNow:       greeting.LocalTime.UTC(),
		ClientBulkWrite: greeting.MaxWireVersion >= clientBulkWriteWire,
		DocumentLimit:   greeting.MaxDocument,
		Shards:          s.opts.Shards,
	}
	switch {
	case greeting.Msg == "isdbgrid":
		info.Kind = kindSharded
	case greeting.SetName != "":
		info.Kind = kindReplicaSet
	}
	info.ChangeStreams = info.Kind != kindStandalone
	s.info.Store(&info)
	return info, nil
}

// kind is what the server is known as, asking it where it is not known yet.
func (s *Store) kind(ctx context.Context) (string, error) {
	if info := s.info.Load(); info != nil {
		return info.Kind, nil
	}
	info, err := s.probe(ctx)
	return info.Kind, err
}

// settledExecutions are the executions as they cannot be rolled back any more. On a
// standalone server there is no difference (D28).
func (s *Store) settledExecutions(ctx context.Context) *mongo.Collection {
	return s.settled(ctx, s.coll.executions, s.coll.decided)
}

func (s *Store) settled(ctx context.Context, local, majority *mongo.Collection) *mongo.Collection {
	if kind, err := s.kind(ctx); err == nil && kind == kindStandalone {
		return local
	}
	return majority
}

// probePipeline checks that the server understands, and answers rightly, the forms
// that leases are decided with (D59).
func (s *Store) probePipeline(ctx context.Context) error {
	const ttl = time.Minute
	var answer struct {
		Past   bool      `bson:"past"`
		Future bool      `bson:"future"`
		Until  time.Time `bson:"until"`
		Now    time.Time `bson:"now"`
	}
	isPast := func(date string) bson.D {
		return bson.D{{Key: "$lte", Value: bson.A{bson.D{{Key: "$toLong", Value: "$" + date}}, now}}}
	}
	pipeline := mongo.Pipeline{
		{{Key: "$match", Value: bson.D{{Key: fID, Value: metaID}}}},
		{{Key: "$addFields", Value: bson.D{{Key: "later", Value: in(ttl)}}}},
		{{Key: "$project", Value: bson.D{
			{Key: "past", Value: bson.D{{Key: "$lte", Value: bson.A{bson.D{{Key: "$toLong", Value: bson.D{{Key: "$literal", Value: time.UnixMilli(0)}}}}, now}}}},
			{Key: "future", Value: isPast("later")},
			{Key: "until", Value: "$later"},
			{Key: "now", Value: serverNow},
		}}},
	}
	rows, err := readRaw(ctx, s.coll.meta, pipeline, 1)
	if err != nil {
		return translate(err)
	}
	if len(rows) != 1 || bson.Unmarshal(rows[0], &answer) != nil {
		return fmt.Errorf("%w: the server gives no answer to the probe of leases", store.ErrUnsupported)
	}
	if !answer.Past || answer.Future || answer.Until.Sub(answer.Now) != ttl {
		return fmt.Errorf("%w: the server computes with its clock in another way than leases need", store.ErrUnsupported)
	}
	return nil
}

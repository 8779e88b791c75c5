package mongostore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// checkIndexes is Ready's part of the indexes (D41).
func (s *Store) checkIndexes(ctx context.Context) error {
	missing, err := s.missingIndexes(ctx)
	if err != nil {
		return err
	}
	var required []string
	for _, index := range missing {
		if index.Required {
			required = append(required, index.String())
			continue
		}
		s.log.Warn("index is missing: EnsureIndexes creates it", "index", index.String())
	}
	if len(required) > 0 {
		return fmt.Errorf("%w: missing indexes, which EnsureIndexes creates: %s", store.ErrMisconfigured, strings.Join(required, ", "))
	}
	return nil
}

// VerifyIndexes returns those of [Store.Indexes] that the server does not have,
// comparing keys, order, direction, condition and expiry (D42).
//
// It returns store.ErrMisconfigured for an index by which the server deletes
// executions that may have undelivered events.
func (s *Store) VerifyIndexes(ctx context.Context) ([]Index, error) {
	missing, err := s.verifyIndexes(ctx)
	return missing, store.OpError("verify indexes", "", err)
}

func (s *Store) verifyIndexes(ctx context.Context) ([]Index, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	return s.missingIndexes(ctx)
}

func (s *Store) missingIndexes(ctx context.Context) ([]Index, error) {
	var there []Index
	for _, name := range []string{collExecutions, collDeadLetters} {
		some, err := readIndexes(ctx, s.collection(name), name)
		if err != nil {
			return nil, err
		}
		there = append(there, some...)
	}
	for i := range there {
		if there[i].deletesUndelivered() {
			return nil, fmt.Errorf("%w: index %s deletes executions without looking whether something waits in them",
				store.ErrMisconfigured, there[i].String())
		}
	}
	return slices.DeleteFunc(s.Indexes(), func(x Index) bool { return x.isIn(there) }), nil
}

func (s *Store) collection(name string) *mongo.Collection {
	if name == collDeadLetters {
		return s.coll.deadLetters
	}
	return s.coll.executions
}

// deletesUndelivered reports an expiry of executions without the emptiness filter.
func (x *Index) deletesUndelivered() bool {
	if x.Collection != collExecutions || !x.Expires {
		return false
	}
	for _, want := range emptyArrays() {
		has := slices.ContainsFunc(x.Partial, func(e bson.E) bool {
			return e.Key == want.Key && sameCondition(bson.D{e}, bson.D{want})
		})
		if !has {
			return true
		}
	}
	return false
}

// indexDoc is an index as the server describes it.
type indexDoc struct {
	Name    string   `bson:"name"`
	Key     bson.D   `bson:"key"`
	Partial bson.D   `bson:"partialFilterExpression"`
	Expire  *float64 `bson:"expireAfterSeconds"`
}

func readIndexes(ctx context.Context, coll *mongo.Collection, name string) ([]Index, error) {
	cursor, err := coll.Indexes().List(ctx)
	if err != nil {
		if code := (mongo.CommandError{}); errors.As(err, &code) && code.Code == codeNamespace {
			return nil, nil
		}
		return nil, translate(err)
	}
	var docs []indexDoc
	if err := cursor.All(ctx, &docs); err != nil {
		return nil, translate(err)
	}
	all := make([]Index, len(docs))
	for i, doc := range docs {
		all[i] = doc.index(name)
	}
	return all, nil
}

func (doc *indexDoc) index(collection string) Index {
	x := Index{Collection: collection, Name: doc.Name, Partial: doc.Partial}
	for _, e := range doc.Key {
		// Directions that others wrote may be of any numeric type.
		x.Keys = append(x.Keys, IndexKey{Field: e.Key, Descending: strings.HasPrefix(fmt.Sprint(e.Value), "-")})
	}
	if doc.Expire != nil {
		x.Expires, x.ExpireAfter = true, time.Duration(*doc.Expire)*time.Second
	}
	return x
}

// sameCondition compares partial filters by what is stored of them, whatever the
// order of their fields.
func sameCondition(a, b bson.D) bool {
	if len(a) != len(b) {
		return false
	}
	for _, e := range a {
		i := slices.IndexFunc(b, func(f bson.E) bool { return f.Key == e.Key })
		if i < 0 || !bytes.Equal(encoded(e.Value), encoded(b[i].Value)) {
			return false
		}
	}
	return true
}

// encoded is the stored form of a value; {$eq: v} is the same condition as v.
func encoded(value any) []byte {
	if d, ok := value.(bson.D); ok && len(d) == 1 && d[0].Key == "$eq" {
		value = d[0].Value
	}
	raw, err := bson.Marshal(bson.D{{Key: "v", Value: value}})
	if err != nil {
		return nil // no condition of ours, and none that the server took
	}
	return raw
}

// EnsureIndexes creates the indexes that are missing. It is safe to race, and is
// for an operator or a deployment to call: opening a store creates none (D42). An
// index that is there under another form is named in the error.
//
// It takes as long as the server needs for the documents that are there, and ends
// with ctx only: the operation timeout does not apply.
func (s *Store) EnsureIndexes(ctx context.Context) error {
	return store.OpError("ensure indexes", "", s.ensureIndexes(ctx))
}

func (s *Store) ensureIndexes(ctx context.Context) error {
	if err := s.enter(ctx); err != nil {
		return err
	}
	defer s.gate.leave()
	missing, err := s.missingIndexes(ctx)
	if err != nil {
		return err
	}
	for _, name := range []string{collExecutions, collDeadLetters} {
		if err := createIndexes(ctx, s.collection(name), ofCollection(missing, name)); err != nil {
			return err
		}
	}
	return nil
}

func ofCollection(all []Index, name string) []Index {
	return slices.DeleteFunc(slices.Clone(all), func(x Index) bool { return x.Collection != name })
}

// createIndexes creates indexes in one command. Where that is refused because one of
// them is there in another form, they are created one by one to tell which.
func createIndexes(ctx context.Context, coll *mongo.Collection, indexes []Index) error {
	if len(indexes) == 0 {
		return nil
	}
	models := make([]mongo.IndexModel, len(indexes))
	for i := range indexes {
		models[i] = indexes[i].model()
	}
	_, err := coll.Indexes().CreateMany(ctx, models)
	switch {
	case err == nil:
		return nil
	case !isOtherForm(err):
		return translate(err)
	case len(indexes) == 1:
		return fmt.Errorf("%w: index %s exists in another form: drop it first", store.ErrMisconfigured, indexes[0].String())
	}
	for i := range indexes {
		if err := createIndexes(ctx, coll, indexes[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

func isOtherForm(err error) bool {
	const optionsConflict, keySpecsConflict = 85, 86
	code := mongo.CommandError{}
	return errors.As(err, &code) && (code.Code == optionsConflict || code.Code == keySpecsConflict)
}

func (x *Index) model() mongo.IndexModel {
	opts := options.Index().SetName(x.Name)
	if x.Partial != nil {
		opts.SetPartialFilterExpression(x.Partial)
	}
	if x.Expires {
		opts.SetExpireAfterSeconds(int32(x.ExpireAfter / time.Second))
	}
	return mongo.IndexModel{Keys: x.keys(), Options: opts}
}

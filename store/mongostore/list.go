package mongostore

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"github.com/durachart/durachart/store"
)

// listFields are what a list gives: no array, and data only when asked for (D65).
var listFields = []string{
	fDefinitionID, fDefinitionVersion, fFormat, fVersion, fCommitID, fStatus, fOutcome, fParentID, fRootID,
	fEnteredAt, fSpawnSeq, fPriority, fShard, fTimers, fNextFireAt, fAttrs, fParked, fCreatedAt, fUpdatedAt,
	fEndedAt, fExpiresAt,
}

// List implements [store.Lister].
func (s *Store) List(ctx context.Context, f store.Filter, p store.Page) (store.ListPage, error) {
	page, err := s.list(ctx, &f, &p)
	return page, store.OpError("list", "", err)
}

func (s *Store) list(ctx context.Context, f *store.Filter, p *store.Page) (store.ListPage, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return store.ListPage{}, err
	}
	defer end()
	after, err := s.lim.CheckList(f, p, s.opts.Attributes, s.opts.Prefix)
	if err != nil {
		return store.ListPage{}, err
	}
	fields := listFields
	if p.WithData {
		fields = append([]string{fData}, fields...)
	}
	scope := store.ListScope(*f, p.Order, s.opts.Prefix)
	var page store.ListPage
	for {
		// One more than asked for tells whether there is a next page. Rows that
		// cannot be read are skipped and made up for, so that the page is full
		// whenever more match (D66).
		want := p.Limit - len(page.Items) + 1
		filter := both(s.filter(f), keyset(p.Order, after))
		rows, err := s.find(ctx, filter, options.Find().SetProjection(including(fields...)).SetSort(sortOf(p.Order)), want)
		if err != nil {
			return store.ListPage{}, err
		}
		for _, raw := range rows {
			if len(page.Items) == p.Limit {
				page.Next = scope.Encode(*after)
				return page, nil
			}
			r, ok := s.readable(raw)
			if after, err = keyOf(raw, p.Order); err != nil {
				return store.ListPage{}, err
			}
			if ok {
				page.Items = append(page.Items, r.Execution)
			}
		}
		if len(rows) < want {
			return page, nil
		}
	}
}

// both is the condition that a and b hold, which may be about the same field.
func both(a, b bson.D) bson.D {
	switch {
	case len(a) == 0 && b != nil:
		return b
	case len(b) == 0:
		return a
	}
	return bson.D{{Key: "$and", Value: bson.A{a, b}}}
}

// keyOf is the key of a row, which a row that cannot be read has, too: it was sorted
// by it.
func keyOf(raw bson.Raw, order store.Order) (*store.CursorKey, error) {
	id, ok := raw.Lookup(fID).StringValueOK()
	if !ok {
		return nil, &CorruptError{Field: fID}
	}
	key := &store.CursorKey{ID: id}
	if order == store.NewestFirst {
		ms, ok := raw.Lookup(fCreatedAt).DateTimeOK()
		if !ok {
			return nil, &CorruptError{ID: id, Field: fCreatedAt}
		}
		key.At = time.UnixMilli(ms).UTC()
	}
	return key, nil
}

func sortOf(order store.Order) bson.D {
	if order == store.NewestFirst {
		return bson.D{{Key: fCreatedAt, Value: -1}, {Key: fID, Value: -1}}
	}
	return bson.D{{Key: fID, Value: 1}}
}

// keyset is the condition for what comes after a key.
func keyset(order store.Order, after *store.CursorKey) bson.D {
	switch {
	case after == nil:
		return nil
	case order == store.ByID:
		return bson.D{{Key: fID, Value: bson.D{{Key: "$gt", Value: after.ID}}}}
	}
	return newestFirst(fCreatedAt, after)
}

// newestFirst is keyset for rows by date and id, both descending. The first
// condition bounds the index; the other one decides between rows of one date.
func newestFirst(date string, after *store.CursorKey) bson.D {
	if after == nil {
		return nil
	}
	return bson.D{
		{Key: date, Value: bson.D{{Key: "$lte", Value: after.At}}},
		{Key: "$or", Value: bson.A{
			bson.D{{Key: date, Value: bson.D{{Key: "$lt", Value: after.At}}}},
			bson.D{{Key: fID, Value: bson.D{{Key: "$lt", Value: after.ID}}}},
		}},
	}
}

// filter is the conditions of f. Names of attributes are declared, and so no text
// of users; values go under $eq (D5).
func (s *Store) filter(f *store.Filter) bson.D {
	filter := bson.D{}
	equal := func(field, value string) {
		if value != "" {
			filter = append(filter, bson.E{Key: field, Value: bson.D{{Key: "$eq", Value: value}}})
		}
	}
	equal(fDefinitionID, f.DefinitionID)
	equal(fDefinitionVersion, f.DefinitionVersion)
	if len(f.Statuses) == 1 {
		equal(fStatus, string(f.Statuses[0]))
	} else if len(f.Statuses) > 1 {
		filter = append(filter, bson.E{Key: fStatus, Value: bson.D{{Key: "$in", Value: f.Statuses}}})
	}
	equal(fLeaves, f.Leaf)
	filter = append(filter, parentOf(f)...)
	equal(fRootID, f.RootID)
	if f.ParkedOnly {
		// The date is there exactly when the sub-document is, and it is indexed.
		filter = append(filter, bson.E{Key: fParked + "." + fAt, Value: bson.D{{Key: "$exists", Value: true}}})
	}
	filter = append(filter, between(fCreatedAt, f.CreatedFrom, f.CreatedTo)...)
	filter = append(filter, between(fUpdatedAt, f.UpdatedFrom, f.UpdatedTo)...)
	for _, name := range sortedKeys(f.Attrs) {
		filter = append(filter, bson.E{Key: fAttrs + "." + name, Value: attrEquals(f.Attrs[name])})
	}
	return filter
}

// parentOf: roots have a null parent. Roots that are also children of somebody are
// none.
func parentOf(f *store.Filter) bson.D {
	switch {
	case f.RootsOnly && f.ParentID != "":
		return bson.D{{Key: fParentID, Value: bson.D{{Key: "$in", Value: bson.A{}}}}}
	case f.RootsOnly:
		return bson.D{{Key: fParentID, Value: nil}}
	case f.ParentID != "":
		return bson.D{{Key: fParentID, Value: bson.D{{Key: "$eq", Value: f.ParentID}}}}
	}
	return nil
}

// between is a date range, the upper end excluded; a zero end is open.
func between(field string, from, to time.Time) bson.D {
	var bounds bson.D
	if !from.IsZero() {
		bounds = append(bounds, bson.E{Key: "$gte", Value: from})
	}
	if !to.IsZero() {
		bounds = append(bounds, bson.E{Key: "$lt", Value: to})
	}
	if len(bounds) == 0 {
		return nil
	}
	return bson.D{{Key: field, Value: bounds}}
}

// attrEquals matches type-exactly: the server takes 1 and 1.0 for equal.
func attrEquals(value store.Attr) bson.D {
	equal := bson.D{{Key: "$eq", Value: value}}
	switch value.(type) {
	case int64:
		return append(equal, bson.E{Key: "$type", Value: "long"})
	case float64:
		return append(equal, bson.E{Key: "$type", Value: "double"})
	}
	return equal
}

// Count implements [store.Lister].
func (s *Store) Count(ctx context.Context, f store.Filter, limit int) (int, error) {
	n, err := s.count(ctx, &f, limit)
	return n, store.OpError("count", "", err)
}

func (s *Store) count(ctx context.Context, f *store.Filter, limit int) (int, error) {
	ctx, end, err := s.begin(ctx)
	if err != nil {
		return 0, err
	}
	defer end()
	if err := s.lim.CheckFilter(f, s.opts.Attributes); err != nil {
		return 0, err
	}
	limit, err = store.CheckLimit(limit, s.lim.Count, s.lim.Count)
	if err != nil {
		return 0, err
	}
	n, err := s.coll.executions.CountDocuments(ctx, s.filter(f), options.Count().SetLimit(int64(limit)))
	if err != nil {
		return 0, translate(err)
	}
	return int(n), nil
}

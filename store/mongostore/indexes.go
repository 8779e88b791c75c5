package mongostore

import (
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Index is one row of the index table of the storage specification, section 6.
type Index struct {
	Collection string // without prefix
	Name       string
	Keys       []IndexKey
	// Partial is the condition on the documents that the index holds; nil is all.
	Partial bson.D
	// Required: without it an idle poll scans the collection, so Ready fails. The
	// others cost speed only, and Ready logs a warning for each.
	Required bool
	// Expires: the server deletes a document ExpireAfter its date.
	Expires     bool
	ExpireAfter time.Duration
}

// IndexKey is one field of an index.
type IndexKey struct {
	Field      string
	Descending bool
}

// Indexes returns the indexes that a store of these options wants. None is unique:
// _id is the only key that two documents may not share (D41). The date of the last
// change is in none, or every commit would rewrite a key.
func (s *Store) Indexes() []Index {
	all := requiredIndexes()
	if s.opts.RequiredIndexesOnly {
		return all
	}
	all = append(all, listIndexes(s.opts.LeafIndex)...)
	for _, name := range s.opts.Attributes {
		field := fAttrs + "." + name
		all = append(all, Index{
			Collection: collExecutions, Name: "attr_" + name,
			Keys: ascending(field, fID), Partial: exists(field),
		})
	}
	all = append(all, expiryIndex(s.opts.ExpiryTTL))
	return append(all, letterIndexes(s.lim.DeadLetterRetention)...)
}

// requiredIndexes serve the polls and the timers.
func requiredIndexes() []Index {
	var all []Index
	for _, due := range []struct{ name, field string }{
		{"due_inbox", fInbox + "." + fAt},
		{"due_outbox", fOutbox + "." + fAt},
		{"due_spawns", fSpawns + "." + fAt},
		{"due_timers", fNextFireAt},
	} {
		all = append(all, Index{
			Collection: collExecutions, Name: due.name, Required: true,
			Keys: ascending(fShard, due.field), Partial: exists(due.field),
		})
	}
	return all
}

// listIndexes serve List, one per filter that it is meant to be fast for.
func listIndexes(byLeaf bool) []Index {
	index := func(name string, partial bson.D, keys []IndexKey) Index {
		return Index{Collection: collExecutions, Name: name, Keys: keys, Partial: partial}
	}
	all := []Index{
		index("by_definition", nil, ascending(fDefinitionID, fID)),
		index("by_definition_status", nil, ascending(fDefinitionID, fStatus, fID)),
		index("by_status", nil, ascending(fStatus, fID)),
		index("by_parent", nil, ascending(fParentID, fID)),
		index("by_root", nil, ascending(fRootID, fID)),
		index("newest", nil, descending(fCreatedAt, fID)),
		// The id comes first, because lists are in its order: what is parked is few,
		// and the condition alone finds it.
		index("parked", exists(fParked+"."+fAt), ascending(fID, fParked+"."+fAt)),
	}
	if byLeaf {
		all = append(all, index("by_leaf", nil, ascending(fDefinitionID, fLeaves, fID)))
	}
	return all
}

// expiryIndex serves Purge. It holds drained executions only: as an index by which
// the server deletes it could not take an undelivered event with it.
func expiryIndex(ttl bool) Index {
	return Index{
		Collection: collExecutions, Name: "expiry",
		Keys: ascending(fExpiresAt), Partial: append(exists(fExpiresAt), emptyArrays()...),
		Expires: ttl,
	}
}

// emptyArrays is the condition that nothing waits in an execution.
func emptyArrays() bson.D {
	var all bson.D
	for _, array := range []string{fInbox, fOutbox, fSpawns} {
		all = append(all, bson.E{Key: array, Value: bson.D{{Key: "$eq", Value: bson.A{}}}})
	}
	return all
}

func letterIndexes(retention time.Duration) []Index {
	index := func(name string, keys []IndexKey) Index {
		return Index{Collection: collDeadLetters, Name: name, Keys: keys}
	}
	all := []Index{
		index("by_execution", ascending(fExecutionID, fID)),
		index("newest", descending(fAt, fID)),
		index("by_reason", append(ascending(fReason), descending(fAt, fID)...)),
	}
	if retention > 0 {
		expiry := index("expiry", ascending(fAt))
		expiry.Expires, expiry.ExpireAfter = true, retention
		all = append(all, expiry)
	}
	return all
}

func ascending(fields ...string) []IndexKey {
	keys := make([]IndexKey, len(fields))
	for i, f := range fields {
		keys[i] = IndexKey{Field: f}
	}
	return keys
}

func descending(fields ...string) []IndexKey {
	keys := ascending(fields...)
	for i := range keys {
		keys[i].Descending = true
	}
	return keys
}

func exists(field string) bson.D {
	return bson.D{{Key: field, Value: bson.D{{Key: "$exists", Value: true}}}}
}

// keys is the key document of the server.
func (x *Index) keys() bson.D {
	doc := make(bson.D, len(x.Keys))
	for i, k := range x.Keys {
		direction := int32(1)
		if k.Descending {
			direction = -1
		}
		doc[i] = bson.E{Key: k.Field, Value: direction}
	}
	return doc
}

func (x *Index) String() string {
	text := x.Collection + "." + x.Name + " ("
	for i, k := range x.Keys {
		if i > 0 {
			text += ", "
		}
		text += k.Field
		if k.Descending {
			text += " descending"
		}
	}
	return text + ")"
}

// isIn reports whether the server has an index of these keys, order, directions,
// condition and expiry, under whatever name.
func (x *Index) isIn(there []Index) bool {
	return slices.ContainsFunc(there, func(y Index) bool {
		return x.Collection == y.Collection && slices.Equal(x.Keys, y.Keys) &&
			x.Expires == y.Expires && x.ExpireAfter == y.ExpireAfter && sameCondition(x.Partial, y.Partial)
	})
}

package store

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// cursorVersion is the version of the cursor format.
const cursorVersion = 1

// CursorKey is the key of the last row of a page: the id, and in lists that are
// ordered by a date that date.
type CursorKey struct {
	At time.Time
	ID string
}

// CursorScope identifies the list that a cursor belongs to: filter, order and
// collection prefix (D66).
type CursorScope string

// ListScope is the scope of List. prefix is the store's collection prefix.
func ListScope(f Filter, o Order, prefix string) CursorScope {
	f.Statuses = slices.Clone(f.Statuses)
	slices.Sort(f.Statuses)
	f.Statuses = slices.Compact(f.Statuses)
	for _, t := range []*time.Time{&f.CreatedFrom, &f.CreatedTo, &f.UpdatedFrom, &f.UpdatedTo} {
		*t = Millis(*t)
	}
	attrs := make(map[string]string, len(f.Attrs))
	for name, value := range f.Attrs {
		if t, ok := value.(time.Time); ok {
			value = Millis(t)
		}
		attrs[name] = fmt.Sprintf("%T %v", value, value)
	}
	f.Attrs = nil
	return scopeOf("executions", f, attrs, o, prefix)
}

// DeadLetterScope is the scope of ListDeadLetters.
func DeadLetterScope(f DeadLetterFilter, prefix string) CursorScope {
	return scopeOf("dead_letters", f, prefix)
}

// scopeOf hashes parts by their JSON, in which map keys are sorted.
func scopeOf(parts ...any) CursorScope {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(err) // structs of strings, numbers and checked times always encode
	}
	sum := sha256.Sum256(text)
	return CursorScope(hex.EncodeToString(sum[:8]))
}

// cursor is what a cursor text holds.
type cursor struct {
	Version int         `json:"v"`
	Hash    CursorScope `json:"h"`
	Key     []string    `json:"k"` // id, and the date where the order has one
}

// Encode makes a cursor that continues after last.
func (s CursorScope) Encode(last CursorKey) string {
	key := []string{last.ID}
	if !last.At.IsZero() {
		key = append(key, Millis(last.At).Format(time.RFC3339Nano))
	}
	text, err := json.Marshal(cursor{Version: cursorVersion, Hash: s, Key: key})
	if err != nil {
		panic(err) // strings always encode
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// Decode returns the key of a cursor of this scope. A cursor of another filter,
// order, prefix or version, and garbage, are ErrInvalidArgument.
func (s CursorScope) Decode(text string) (CursorKey, error) {
	refused := invalid("cursor", "not one of this list")
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return CursorKey{}, refused
	}
	var c cursor
	if err := json.Unmarshal(raw, &c); err != nil {
		return CursorKey{}, refused
	}
	if c.Version != cursorVersion || c.Hash != s || len(c.Key) == 0 || len(c.Key) > 2 {
		return CursorKey{}, refused
	}
	key := CursorKey{ID: c.Key[0]}
	if len(c.Key) == 2 {
		if key.At, err = time.Parse(time.RFC3339Nano, c.Key[1]); err != nil {
			return CursorKey{}, refused
		}
	}
	if key.ID == "" || checkText("cursor", key.ID) != nil {
		return CursorKey{}, refused
	}
	return key, nil
}

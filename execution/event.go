package execution

import (
	"encoding/json"
	"fmt"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// Event is something that happened, for one execution (S15).
//
// Events from callers are made by [NewEvent], from storage by [DecodeEvent],
// system events by their own constructors. A literal works too: [Step] then
// checks its data.
type Event struct {
	ID     string // applied at most once under it (P4)
	Name   string
	Data   json.RawMessage // canonical JSON object; empty means {}
	Origin string          // id of the sending execution, or empty

	checked bool // Data is known to be canonical
}

var emptyObject = json.RawMessage("{}")

// NewEvent makes an event from a caller. data is turned into an object as
// [Object] does. It returns ErrInvalidEvent for a reserved or malformed name
// (S16) and for data that cannot be stored (S20).
func NewEvent(id, name string, data any) (Event, error) {
	if err := CheckName(name); err != nil {
		return Event{}, err
	}
	obj, err := Object(data)
	if err != nil {
		return Event{}, fmt.Errorf("event %q: %w", name, err)
	}
	return Event{ID: id, Name: name, Data: obj, checked: true}, nil
}

// Object returns v as a canonical JSON object (S20, S84): nil is {}, a []byte or
// json.RawMessage is JSON text, a map[string]any holds JSON values, anything else
// is what encoding/json makes of it. It returns ErrInvalidEvent if v is no object
// or cannot be stored. The result may be v itself if that is canonical text.
func Object(v any) (json.RawMessage, error) {
	switch v := v.(type) {
	case nil:
		return emptyObject, nil
	case json.RawMessage:
		return objectText(v)
	case []byte:
		return objectText(v)
	}
	m, err := jsonvalue.ObjectOf(v)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidEvent, err)
	}
	out, err := jsonvalue.Encode(m)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidEvent, err)
	}
	return out, nil
}

func objectText(text []byte) (json.RawMessage, error) {
	out, err := jsonvalue.CanonicalObject(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidEvent, err)
	}
	return out, nil
}

// Decode decodes the data of the event into v, as encoding/json does.
func (e Event) Decode(v any) error {
	if err := json.Unmarshal(e.object(), v); err != nil {
		return fmt.Errorf("decode data of %q: %w", e.Name, err)
	}
	return nil
}

// Map returns the data of the event as JSON values: nil, bool, int64, float64,
// string, []any, map[string]any. The map is the caller's.
func (e Event) Map() map[string]any {
	m, err := jsonvalue.DecodeObject(e.object())
	if err != nil {
		return map[string]any{}
	}
	return m
}

// object returns the data, {} for none.
func (e Event) object() json.RawMessage {
	if len(e.Data) == 0 {
		return emptyObject
	}
	return e.Data
}

// normal returns e with its data checked and canonical.
func (e Event) normal() (Event, error) {
	if e.checked {
		return e, nil
	}
	data, err := objectText(e.Data)
	if err != nil {
		return e, fmt.Errorf("event %q: %w", e.Name, err)
	}
	e.Data, e.checked = data, true
	return e, nil
}

// Encode returns the stored form of e: canonical JSON with all four fields.
func (e Event) Encode() []byte { return e.Append(nil) }

// Append appends the stored form of e to dst.
func (e Event) Append(dst []byte) []byte {
	dst = append(dst, `{"data":`...)
	dst = append(dst, e.object()...)
	dst = append(dst, `,"id":`...)
	dst = jsonvalue.AppendText(dst, e.ID)
	dst = append(dst, `,"name":`...)
	dst = jsonvalue.AppendText(dst, e.Name)
	dst = append(dst, `,"origin":`...)
	dst = jsonvalue.AppendText(dst, e.Origin)
	return append(dst, '}')
}

// DecodeEvent reads the stored form of an event, system events included. It
// returns ErrInvalidEvent for anything else, and keeps no reference to data.
func DecodeEvent(data []byte) (Event, error) {
	r := jsonvalue.NewReader(data)
	e := readEvent(r)
	if err := r.End(); err != nil {
		return Event{}, fmt.Errorf("decode event: %w: %w", ErrInvalidEvent, err)
	}
	return e, nil
}

// readEvent reads an event. Unknown fields, those of a newer version, are left out.
func readEvent(r *jsonvalue.Reader) Event {
	e := Event{checked: true}
	r.BeginObject()
	for r.More() {
		switch r.Field() {
		case "data":
			e.Data = readObject(r)
		case "id":
			e.ID = r.Text()
		case "name":
			e.Name = r.Text()
		case "origin":
			e.Origin = r.Text()
		default:
			r.Raw()
		}
	}
	r.EndObject()
	if e.Name == "" {
		r.Fail(jsonvalue.ErrType, "event without a name")
	}
	return e
}

// readObject reads an object as canonical bytes of its own.
func readObject(r *jsonvalue.Reader) json.RawMessage {
	out := r.CanonicalObject()
	if string(out) == "{}" {
		return emptyObject
	}
	return out
}

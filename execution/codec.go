package execution

import "errors"

// Decode reads a snapshot. It returns ErrInvalidSnapshot for one that is damaged
// or of a newer format. It keeps no reference to data.
func Decode(data []byte) (*Snapshot, error) { return nil, errors.ErrUnsupported }

// Encode returns the stored form of s: canonical JSON with all fields (S83).
func (s *Snapshot) Encode() []byte { return s.Append(nil) }

// Append appends the stored form of s to dst.
func (s *Snapshot) Append(dst []byte) []byte { return dst }

// DecodeEvent reads the stored form of an event, system events included. It
// returns ErrInvalidEvent for anything else, and keeps no reference to data.
func DecodeEvent(data []byte) (Event, error) { return Event{}, errors.ErrUnsupported }

// Encode returns the stored form of e: canonical JSON with all four fields.
func (e Event) Encode() []byte { return e.Append(nil) }

// Append appends the stored form of e to dst.
func (e Event) Append(dst []byte) []byte { return dst }

// Object returns v as a canonical JSON object (S20, S84): nil is {}, a []byte or
// json.RawMessage is JSON text, a map[string]any holds JSON values, anything else
// is what encoding/json makes of it. It returns ErrInvalidEvent if v is no object
// or cannot be stored.
func Object(v any) ([]byte, error) { return nil, errors.ErrUnsupported }

// NewEvent makes an event from a caller. data is turned into an object as
// [Object] does. It returns ErrInvalidEvent for a reserved or malformed name
// (S16) and for data that cannot be stored (S20).
func NewEvent(id, name string, data any) (Event, error) { return Event{}, errors.ErrUnsupported }

// CheckName returns ErrInvalidEvent unless name is a well-formed event name that
// is not reserved (S16).
func CheckName(name string) error { return errors.ErrUnsupported }

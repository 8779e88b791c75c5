package mongostore

import (
	"bytes"
	"math"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// decoder reads documents. Documents are not trusted: others may have written
// them, or damaged them. The first field that makes no sense ends in a CorruptError,
// and what was read is of no use then.
//
// It is written by hand and not by struct tags: loads of whole poll pages are as hot
// as commits. Everything that it returns is a copy.
type decoder struct {
	id  string // of the execution, once it was met
	err error
}

func (d *decoder) corrupt(field string) {
	if d.err == nil {
		d.err = &CorruptError{ID: d.id, Field: field}
	}
}

// each calls visit with the elements of a document, in their order.
func (d *decoder) each(field string, doc []byte, visit func(key string, v bsoncore.Value)) {
	_, rest, ok := bsoncore.ReadLength(doc)
	for ok && len(rest) > 1 {
		var elem bsoncore.Element
		if elem, rest, ok = bsoncore.ReadElement(rest); !ok || elem.Validate() != nil {
			d.corrupt(field)
			return
		}
		visit(elem.Key(), elem.Value())
		if d.err != nil {
			return
		}
	}
	if !ok || len(rest) != 1 || rest[0] != 0 {
		d.corrupt(field)
	}
}

func (d *decoder) doc(field string, v bsoncore.Value, visit func(key string, v bsoncore.Value)) {
	if v.Type != bsoncore.TypeEmbeddedDocument {
		d.corrupt(field)
		return
	}
	d.each(field, v.Data, visit)
}

// items calls visit with the elements of an array. An array that is absent or null
// has none.
func (d *decoder) items(field string, v bsoncore.Value, visit func(v bsoncore.Value)) {
	if v.Type == bsoncore.TypeNull {
		return
	}
	if v.Type != bsoncore.TypeArray {
		d.corrupt(field)
		return
	}
	d.each(field, v.Data, func(_ string, item bsoncore.Value) { visit(item) })
}

func (d *decoder) str(field string, v bsoncore.Value) string {
	s, ok := v.StringValueOK()
	if !ok {
		d.corrupt(field)
	}
	return s
}

// strOrNull reads null as the empty string.
func (d *decoder) strOrNull(field string, v bsoncore.Value) string {
	if v.Type == bsoncore.TypeNull {
		return ""
	}
	return d.str(field, v)
}

// text reads a string as bytes, without making a string of it first. The empty one
// is nil.
func (d *decoder) text(field string, v bsoncore.Value) []byte {
	const head = 4 // the length
	if v.Type != bsoncore.TypeString || len(v.Data) < head+1 {
		d.corrupt(field)
		return nil
	}
	if len(v.Data) == head+1 {
		return nil
	}
	return bytes.Clone(v.Data[head : len(v.Data)-1])
}

// num reads a whole number of any of the numeric types: numbers that others wrote
// may be int32, int64 or whole doubles.
func (d *decoder) num(field string, v bsoncore.Value) int64 {
	switch v.Type {
	case bsoncore.TypeInt32:
		return int64(v.Int32())
	case bsoncore.TypeInt64:
		return v.Int64()
	case bsoncore.TypeDouble:
		if f := v.Double(); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f)
		}
	}
	d.corrupt(field)
	return 0
}

func (d *decoder) count(field string, v bsoncore.Value) int {
	n := d.num(field, v)
	if n < math.MinInt32 || n > math.MaxInt32 {
		d.corrupt(field)
	}
	return int(n)
}

func (d *decoder) date(field string, v bsoncore.Value) time.Time {
	ms, ok := v.DateTimeOK()
	if !ok {
		d.corrupt(field)
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func (d *decoder) strs(field string, v bsoncore.Value) []string {
	var all []string
	d.items(field, v, func(item bsoncore.Value) { all = append(all, d.str(field, item)) })
	return all
}

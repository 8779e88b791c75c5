package mongostore

import (
	"encoding/binary"
	"strconv"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// builder writes BSON. The hot path builds its commands with it, which halves the
// client's work per command against bson.D. The zero value is ready.
//
// A builder is a stack of open documents: begin… opens one inside the current one,
// end closes it. It cannot fail: what it is given was checked before.
type builder struct {
	buf   []byte
	open  [maxOpen]int32 // where the length of each open document goes
	depth int
}

// maxOpen is the deepest nesting of a command of ours, with room to spare.
const maxOpen = 12

// builders keeps buffers between commands. Very large ones are left to the
// collector, lest one huge snapshot is kept for ever.
var builders = sync.Pool{New: func() any { return new(builder) }}

const keepBuffer = 256 << 10

func newBuilder() *builder {
	w := builders.Get().(*builder)
	w.buf, w.depth = w.buf[:0], 0
	return w
}

func (w *builder) release() {
	if cap(w.buf) <= keepBuffer {
		builders.Put(w)
	}
}

// beginRoot opens a document of its own and returns where it starts; end closes it.
func (w *builder) beginRoot() (start int) {
	start = len(w.buf)
	w.push()
	return start
}

func (w *builder) begin(key string) {
	w.buf = bsoncore.AppendHeader(w.buf, bsoncore.TypeEmbeddedDocument, key)
	w.push()
}

func (w *builder) beginArray(key string) {
	w.buf = bsoncore.AppendHeader(w.buf, bsoncore.TypeArray, key)
	w.push()
}

// beginItem opens the i-th document of the current array.
func (w *builder) beginItem(i int) {
	w.itemHeader(bsoncore.TypeEmbeddedDocument, i)
	w.push()
}

func (w *builder) push() {
	w.open[w.depth] = int32(len(w.buf))
	w.depth++
	w.buf = append(w.buf, 0, 0, 0, 0)
}

func (w *builder) end() {
	w.depth--
	start := w.open[w.depth]
	w.buf = append(w.buf, 0)
	binary.LittleEndian.PutUint32(w.buf[start:], uint32(len(w.buf)-int(start)))
}

// from returns what was written since start.
func (w *builder) from(start int) []byte { return w.buf[start:len(w.buf):len(w.buf)] }

func (w *builder) itemHeader(t bsoncore.Type, i int) {
	w.buf = append(w.buf, byte(t))
	w.buf = strconv.AppendInt(w.buf, int64(i), 10)
	w.buf = append(w.buf, 0)
}

func (w *builder) str(key, value string) {
	w.buf = bsoncore.AppendStringElement(w.buf, key, value)
}

// optStr writes a string unless it is empty.
func (w *builder) optStr(key, value string) {
	if value != "" {
		w.str(key, value)
	}
}

// strOrNull writes an empty string as null.
func (w *builder) strOrNull(key, value string) {
	if value == "" {
		w.null(key)
		return
	}
	w.str(key, value)
}

// text writes a JSON text as a string, without making a string of it first.
func (w *builder) text(key string, value []byte) {
	w.buf = bsoncore.AppendHeader(w.buf, bsoncore.TypeString, key)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(len(value)+1))
	w.buf = append(w.buf, value...)
	w.buf = append(w.buf, 0)
}

// strs writes an array of strings.
func (w *builder) strs(key string, values []string) {
	w.beginArray(key)
	for i, v := range values {
		w.item(i, v)
	}
	w.end()
}

// item writes the i-th string of the current array.
func (w *builder) item(i int, value string) {
	w.itemHeader(bsoncore.TypeString, i)
	w.buf = bsoncore.AppendString(w.buf, value)
}

func (w *builder) i32(key string, value int32) {
	w.buf = bsoncore.AppendInt32Element(w.buf, key, value)
}

func (w *builder) i64(key string, value int64) {
	w.buf = bsoncore.AppendInt64Element(w.buf, key, value)
}

func (w *builder) boolean(key string, value bool) {
	w.buf = bsoncore.AppendBooleanElement(w.buf, key, value)
}

func (w *builder) null(key string) {
	w.buf = bsoncore.AppendNullElement(w.buf, key)
}

// date writes a time with the milliseconds that BSON has (D11).
func (w *builder) date(key string, t time.Time) {
	w.buf = bsoncore.AppendDateTimeElement(w.buf, key, t.UnixMilli())
}

// optDate writes a date unless it is zero.
func (w *builder) optDate(key string, t time.Time) {
	if !t.IsZero() {
		w.date(key, t)
	}
}

// absent writes the condition {key: {$exists: false}}.
func (w *builder) absent(key string) {
	w.begin(key)
	w.boolean("$exists", false)
	w.end()
}

// absentAt is absent for the i-th element of an array.
func (w *builder) absentAt(array string, i int) {
	w.buf = append(w.buf, byte(bsoncore.TypeEmbeddedDocument))
	w.buf = append(w.buf, array...)
	w.buf = append(w.buf, '.')
	w.buf = strconv.AppendInt(w.buf, int64(i), 10)
	w.buf = append(w.buf, 0)
	w.push()
	w.boolean("$exists", false)
	w.end()
}

// value writes a search attribute, which is of one of five types.
func (w *builder) value(key string, v any) {
	switch v := v.(type) {
	case string:
		w.str(key, v)
	case int64:
		w.i64(key, v)
	case float64:
		w.buf = bsoncore.AppendDoubleElement(w.buf, key, v)
	case bool:
		w.boolean(key, v)
	case time.Time:
		w.date(key, v)
	}
}

// itemI32, itemI64 and itemEmptyArray write the i-th element of the current array.
func (w *builder) itemI32(i int, value int32) {
	w.itemHeader(bsoncore.TypeInt32, i)
	w.buf = bsoncore.AppendInt32(w.buf, value)
}

func (w *builder) itemI64(i int, value int64) {
	w.itemHeader(bsoncore.TypeInt64, i)
	w.buf = bsoncore.AppendInt64(w.buf, value)
}

func (w *builder) itemEmptyArray(i int) {
	w.itemHeader(bsoncore.TypeArray, i)
	w.push()
	w.end()
}

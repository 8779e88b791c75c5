package execution

import (
	"encoding/json"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart"
)

// Names of the system events (S77).
const (
	nameStart     = "$start"
	nameCancel    = "$cancel"
	nameStop      = "$stop"
	nameTerminate = "$terminate"
	nameSuspend   = "$suspend"
	nameResume    = "$resume"
	nameSetState  = "$set_state"
	nameRetry     = "$retry"
	nameReset     = "$reset"
	nameTimer     = "$timer"
	nameFinished  = "$finished"
)

type opKind uint8

const (
	opEvent opKind = iota // an external event
	opStart
	opCancel
	opStop
	opTerminate
	opSuspend
	opResume
	opSetState
	opRetry
	opReset
	opTimer
	opFinished
)

// operation is an event as the step understands it. Which fields count depends on
// the kind.
type operation struct {
	kind    opKind
	event   Event
	object  json.RawMessage // reason or context
	targets []string        // set state
	inner   *Event          // retry: the event to step
	timer   string          // timer: its name
	entry   int64           // timer
	child   *Finished       // finished
}

// understand checks name and data of an event (S16, S20) and reads what a system
// event asks for. Missing fields have their zero values, unknown ones are ignored.
func (op *operation) understand(chart *statechart.Chart, e Event) error {
	system := len(e.Name) > 0 && e.Name[0] == '$'
	if !system {
		if err := checkName(e.Name, chart.Profile()); err != nil {
			return err
		}
	}
	var err error
	if op.event, err = e.normal(); err != nil || !system {
		return err
	}
	return op.parse()
}

func (op *operation) parse() error {
	e := &op.event
	var read func(*jsonvalue.Reader)
	switch e.Name {
	case nameStart:
		op.kind = opStart
	case nameStop:
		op.kind = opStop
	case nameSuspend:
		op.kind = opSuspend
	case nameResume:
		op.kind = opResume
	case nameCancel:
		op.kind, read = opCancel, op.readReason
	case nameTerminate:
		op.kind = opTerminate
	case nameReset:
		op.kind, read = opReset, op.readContext
	case nameSetState:
		op.kind, read = opSetState, op.readTargets
	case nameRetry:
		op.kind, read = opRetry, op.readInner
	case nameTimer:
		op.kind, read = opTimer, op.readTimer
	case nameFinished:
		op.kind, read = opFinished, op.readFinished
	default:
		return invalidEvent(*e, "unknown system event")
	}
	if read == nil {
		return nil
	}
	r := jsonvalue.NewReader(e.object())
	read(r)
	if err := r.Err(); err != nil {
		return invalidEvent(*e, "%v", err)
	}
	return nil
}

// members calls read for each member of the object that r holds.
func members(r *jsonvalue.Reader, read func(key string) bool) {
	r.BeginObject()
	for r.More() {
		if !read(r.Key()) {
			r.Raw()
		}
	}
	r.EndObject()
	_ = r.End() // the caller asks for Err
}

func (op *operation) readReason(r *jsonvalue.Reader)  { op.object = objectMember(r, "reason") }
func (op *operation) readContext(r *jsonvalue.Reader) { op.object = objectMember(r, "context") }

func objectMember(r *jsonvalue.Reader, name string) json.RawMessage {
	object := emptyObject
	members(r, func(key string) bool {
		if key == name {
			object = readObject(r)
		}
		return key == name
	})
	return object
}

func (op *operation) readTargets(r *jsonvalue.Reader) {
	members(r, func(key string) bool {
		if key != "targets" {
			return false
		}
		r.BeginArray()
		for r.More() {
			op.targets = append(op.targets, r.Text())
		}
		r.EndArray()
		return true
	})
}

func (op *operation) readInner(r *jsonvalue.Reader) {
	members(r, func(key string) bool {
		if key == "event" {
			e := readEvent(r)
			op.inner = &e
		}
		return key == "event"
	})
	if op.inner == nil || op.inner.Name == nameRetry {
		r.Fail(jsonvalue.ErrType, "no event to retry")
	}
}

func (op *operation) readTimer(r *jsonvalue.Reader) {
	members(r, func(key string) bool {
		switch key {
		case "name":
			op.timer = r.Text()
		case "entry":
			op.entry = r.Int()
		default:
			return false
		}
		return true
	})
}

func (op *operation) readFinished(r *jsonvalue.Reader) {
	f := &Finished{Result: emptyObject}
	op.child = f
	members(r, func(key string) bool {
		switch key {
		case "child":
			f.Child = r.Text()
		case "error":
			f.Error, _ = r.TextOrNull()
		case "index":
			f.Site.Index = r.Int()
		case "outcome":
			f.Outcome, _ = r.TextOrNull()
		case "result":
			f.Result = readObject(r)
		case "seq":
			f.Site.Seq = r.Int()
		case "site":
			f.Site.Path = r.Text()
		case "status":
			f.Status = Status(r.Text())
		default:
			return false
		}
		return true
	})
	if f.Status != Done && f.Status != Failed && f.Status != Cancelled {
		r.Fail(jsonvalue.ErrType, "status of a finished child")
	}
}

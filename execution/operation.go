package execution

import (
	"encoding/json"

	"github.com/durachart/durachart/internal/jsonvalue"
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
	inner   Event           // retry: the event to step
	timer   string          // timer: its name
	entry   int64           // timer
	child   *Finished       // finished
}

// parseOperation reads what a system event asks for. Missing fields have their
// zero values, unknown ones are ignored.
func parseOperation(e Event) (operation, error) {
	op := operation{event: e}
	if e.Name[0] != '$' {
		return op, nil
	}
	r := jsonvalue.NewReader(e.object())
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
		op.kind = opCancel
		op.object = objectMember(r, "reason")
	case nameTerminate:
		op.kind = opTerminate
		op.object = objectMember(r, "reason")
	case nameReset:
		op.kind = opReset
		op.object = objectMember(r, "context")
	case nameSetState:
		op.kind = opSetState
		op.readTargets(r)
	case nameRetry:
		op.kind = opRetry
		op.readInner(r)
	case nameTimer:
		op.kind = opTimer
		op.readTimer(r)
	case nameFinished:
		op.kind = opFinished
		op.readFinished(r)
	default:
		return op, invalidEvent(e, "unknown system event")
	}
	if err := r.Err(); err != nil {
		return op, invalidEvent(e, "%v", err)
	}
	return op, nil
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
			op.inner = readEvent(r)
		}
		return key == "event"
	})
	if op.inner.Name == "" || op.inner.Name == nameRetry {
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

package execution

import (
	"encoding/json"
	"strconv"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// System events are the runtime's way to talk to the step (S77). Their names
// start with $, and no trigger sees them. Those whose ids are derived have the
// same id in every repetition.

// StartEvent starts run number run of an execution.
func StartEvent(id string, run int64) Event {
	return systemEvent(DerivedID(id, "start", strconv.FormatInt(run, 10)), nameStart, emptyObject)
}

// TimerEvent says that a timer of an execution is due (S49).
func TimerEvent(id, name string, entry int64) Event {
	data := append([]byte(`{"entry":`), strconv.FormatInt(entry, 10)...)
	data = append(data, `,"name":`...)
	data = append(jsonvalue.AppendText(data, name), '}')
	return systemEvent(DerivedID(id, name, strconv.FormatInt(entry, 10)), nameTimer, data)
}

// FinishedEvent tells the parent of the end of a child (S58). A relay that cannot
// create a child reports it so too: status FAILED, outcome failed.
func FinishedEvent(f Finished) Event {
	d := append([]byte(`{"child":`), jsonText(f.Child)...)
	d = append(d, `,"error":`...)
	d = appendTextOrNull(d, f.Error)
	d = append(d, `,"index":`...)
	d = strconv.AppendInt(d, f.Site.Index, 10)
	d = append(d, `,"outcome":`...)
	d = jsonvalue.AppendText(d, f.Outcome)
	d = append(d, `,"result":`...)
	d = append(d, orEmpty(f.Result)...)
	d = append(d, `,"seq":`...)
	d = strconv.AppendInt(d, f.Site.Seq, 10)
	d = append(d, `,"site":`...)
	d = jsonvalue.AppendText(d, f.Site.Path)
	d = append(d, `,"status":`...)
	d = append(jsonvalue.AppendText(d, string(f.Status)), '}')
	e := systemEvent(DerivedID(f.Child, "finished"), nameFinished, d)
	e.Origin = f.Child
	return e
}

// StopEvent ends a child, with exit hooks (S62, S79).
func StopEvent(child string) Event {
	return systemEvent(DerivedID(child, "stop"), nameStop, emptyObject)
}

func terminateChild(child string) Event {
	return systemEvent(DerivedID(child, "terminate"), nameTerminate, emptyObject)
}

// CancelEvent asks an execution to clean up and end (S78). id names the
// operation; reason is an object as for [Object].
func CancelEvent(id string, reason any) (Event, error) {
	return withObject(id, nameCancel, "reason", reason)
}

// TerminateEvent ends an execution without hooks (S79).
func TerminateEvent(id string, reason any) (Event, error) {
	return withObject(id, nameTerminate, "reason", reason)
}

// SuspendEvent puts an execution and its children on hold.
func SuspendEvent(id string) Event { return systemEvent(id, nameSuspend, emptyObject) }

// ResumeEvent ends the hold.
func ResumeEvent(id string) Event { return systemEvent(id, nameResume, emptyObject) }

// SetStateEvent moves an execution to the states of those paths (S80).
func SetStateEvent(id string, targets []string) Event {
	d := []byte(`{"targets":[`)
	for i, t := range targets {
		if i > 0 {
			d = append(d, ',')
		}
		d = jsonvalue.AppendText(d, t)
	}
	return systemEvent(id, nameSetState, append(d, "]}"...))
}

// RetryEvent takes up a FAILED execution again with the event whose step failed,
// the one of the dead letter with reason step_failed (S81).
func RetryEvent(id string, failed Event) Event {
	d := failed.Append([]byte(`{"event":`))
	return systemEvent(id, nameRetry, append(d, '}'))
}

// ResetEvent starts an execution anew (S82). context is an object as for
// [Object].
func ResetEvent(id string, context any) (Event, error) {
	return withObject(id, nameReset, "context", context)
}

func systemEvent(id, name string, data json.RawMessage) Event {
	return Event{ID: id, Name: name, Data: data}
}

func withObject(id, name, key string, value any) (Event, error) {
	obj, err := Object(value)
	if err != nil {
		return Event{}, err
	}
	d := append([]byte(`{"`+key+`":`), obj...)
	return systemEvent(id, name, append(d, '}')), nil
}

func orEmpty(object json.RawMessage) json.RawMessage {
	if len(object) == 0 {
		return emptyObject
	}
	return object
}

func appendTextOrNull(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return jsonvalue.AppendText(dst, s)
}

package actor

import (
	"context"
	"encoding/json"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// traceStep is a step as the trace ring keeps it.
func traceStep(now time.Time, res *execution.Result) store.TraceStep {
	effects := make([]string, len(res.Effects))
	for i, e := range res.Effects {
		effects[i] = e.String()
	}
	s := res.Snapshot
	text, err := json.Marshal(step{
		Event:       res.Event.Name,
		ID:          res.Event.ID,
		Disposition: string(res.Disposition),
		Lines:       res.Trace,
		Status:      string(s.Status),
		Outcome:     s.Outcome,
		Active:      s.Configuration,
		Error:       s.Error,
		Effects:     effects,
	})
	if err != nil { // there is nothing in it that cannot be encoded
		text = []byte("null")
	}
	return store.TraceStep{At: now, Step: text}
}

// step is the JSON form of a step in the trace ring.
type step struct {
	Event       string   `json:"event"`
	ID          string   `json:"id"`
	Disposition string   `json:"disposition"`
	Lines       []string `json:"lines,omitempty"`
	Status      string   `json:"status"`
	Outcome     string   `json:"outcome,omitempty"`
	Active      []string `json:"active"`
	Error       string   `json:"error,omitempty"`
	Effects     []string `json:"effects,omitempty"`
}

// TraceStep is one step as the trace ring keeps it. Step is a JSON object: the
// event, its id and disposition, the trace lines and effects in their text form
// (S86, S87), and the state after the step.
type TraceStep struct {
	Index int64
	At    time.Time
	Step  json.RawMessage
}

// Trace returns the trace ring of one execution, oldest first; empty for an
// unknown execution and where Config.Trace was off.
func (r *Runtime) Trace(ctx context.Context, id string) ([]TraceStep, error) {
	if err := checkTarget(id); err != nil {
		return nil, err
	}
	steps, err := r.cfg.Store.ReadTrace(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]TraceStep, len(steps))
	for i, s := range steps {
		out[i] = TraceStep{Index: s.Index, At: s.At, Step: s.Step}
	}
	return out, nil
}

package actor

import (
	"context"
	"errors"
	"fmt"

	"github.com/durachart/durachart/actor/internal/gate"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// kind is what a request asks of an execution.
type kind uint8

const (
	callEvent     kind = iota // apply an event, of a caller or of the relay
	callPosted                // apply an event that is in the inbox too
	callStart                 // create the execution
	callOperation             // carry out a control operation
	callTimer                 // apply a timer that is due
)

// request is a call to an execution, with its answer.
type request struct {
	gate.Call
	kind  kind
	ev    execution.Event
	from  string          // where the event comes from, should it go to the inbox
	start *birth          // callStart
	timer *store.DueTimer // callTimer

	// impatient calls do not wait for an execution whose commits are refused for
	// lack of room: two that send to each other would wait for ever.
	impatient bool

	seen  bool // its event was applied before
	reply Reply
}

func newRequest(k kind, ev execution.Event) *request {
	r := &request{kind: k, ev: ev}
	r.Work = r
	r.Urgent = k == callOperation
	return r
}

// answer finishes the request with reply.
func (r *request) answer(reply Reply) {
	r.reply = reply
	r.Finish(nil)
}

// do has the execution id carry out req and returns its reply.
func (r *Runtime) do(ctx context.Context, id string, req *request) (Reply, error) {
	err := r.gate.Do(ctx, id, &req.Call, r.cfg.FailWhenFull)
	if err == nil {
		return req.reply, nil
	}
	return Reply{ID: id, EventID: req.ev.ID}, callError(id, err)
}

// callError is what a caller sees of an error of the gate.
func callError(id string, err error) error {
	switch {
	case errors.Is(err, gate.ErrStarted):
		return &store.UncertainError{ID: id, Cause: err}
	case errors.Is(err, gate.ErrClosed):
		return fmt.Errorf("call %q: %w", id, ErrDraining)
	case errors.Is(err, gate.ErrFull):
		return fmt.Errorf("call %q: %w", id, ErrMailboxFull)
	}
	return err
}

package actor

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/store"
)

// Names of the store's list vocabulary.
type (
	Filter = store.Filter
	Page   = store.Page
	Order  = store.Order
)

// The orders of a list.
const (
	ByID        = store.ByID
	NewestFirst = store.NewestFirst
)

// ListPage is a part of a list of executions.
type ListPage struct {
	Items []Execution
	Next  string // cursor of the next page; empty on the last one
}

// defaultPage is the size of a page whose limit is 0.
const defaultPage = 100

// Get reads one execution from the store. ErrNotFound.
func (r *Runtime) Get(ctx context.Context, id string) (Execution, error) {
	if err := checkTarget(id); err != nil {
		return Execution{}, err
	}
	e, err := r.cfg.Store.Load(ctx, id)
	if err != nil {
		return Execution{}, err
	}
	return r.view(&e)
}

// List returns one page of the executions that match f. A Page.Limit of 0 means
// 100. ErrInvalidArgument for a cursor of another filter or order.
func (r *Runtime) List(ctx context.Context, f Filter, p Page) (ListPage, error) {
	if p.Limit == 0 {
		p.Limit = defaultPage
	}
	found, err := r.cfg.Store.List(ctx, f, p)
	if err != nil {
		return ListPage{}, err
	}
	page := ListPage{Items: make([]Execution, len(found.Items)), Next: found.Next}
	for i := range found.Items {
		if page.Items[i], err = r.view(&found.Items[i]); err != nil {
			page.Items[i].Error = err.Error() // one damaged record does not hide the others
		}
	}
	return page, nil
}

// Count counts the executions that match f and stops at limit; 0 means 100,000.
func (r *Runtime) Count(ctx context.Context, f Filter, limit int) (int, error) {
	return r.cfg.Store.Count(ctx, f, limit)
}

// view is a record as users see it. Without data it is what the promoted fields
// say. ErrInvalidSnapshot.
func (r *Runtime) view(e *store.Execution) (Execution, error) {
	v := Execution{
		ID:        e.ID,
		Chart:     e.DefinitionID,
		Version:   e.DefinitionVersion,
		ParentID:  e.ParentID,
		RootID:    e.RootID,
		Status:    e.Status,
		Outcome:   e.Outcome,
		Active:    slices.Clone(e.Leaves),
		Priority:  e.Priority,
		Revision:  e.Version,
		Attrs:     e.Attrs,
		Timers:    e.Timers,
		Parked:    e.Parked,
		EnteredAt: e.EnteredAt,
		CreatedAt: e.CreatedAt,
		UpdatedAt: e.UpdatedAt,
		EndedAt:   e.EndedAt,
	}
	if len(e.Data) == 0 {
		return v, nil
	}
	s, err := execution.Decode(e.Data)
	if err != nil {
		return v, fmt.Errorf("execution %q: %w", e.ID, err)
	}
	v.Active, v.Error, v.Context = s.Configuration, s.Error, s.Context
	if s.Status == execution.Done {
		if chart, err := r.charts.get(e.DefinitionID, e.DefinitionVersion); err == nil {
			v.Output = execution.Output(chart, s)
		}
	}
	return v, nil
}

// Condition is what Wait waits for.
type Condition func(Execution) bool

// Ended holds for an execution that has ended.
func Ended() Condition { return Execution.Ended }

// InState holds while the state of that path is active, or one below it; of an
// execution that is DONE, for the final that it ended in.
func InState(path string) Condition {
	return func(e Execution) bool {
		if e.Ended() && e.Status != StatusDone { // Active is where it was
			return false
		}
		return slices.ContainsFunc(e.Active, func(leaf string) bool {
			return leaf == path || (len(leaf) > len(path) && leaf[:len(path)] == path && (path == "" || leaf[len(path)] == '.'))
		})
	}
}

// HasStatus holds in one of those statuses.
func HasStatus(statuses ...Status) Condition {
	return func(e Execution) bool { return slices.Contains(statuses, e.Status) }
}

// Wait waits until cond holds and returns the execution as it was then; a nil
// cond means Ended. It works across processes. A state that is active only
// between two looks may be missed.
//
// It returns ErrEnded beside the execution if that has ended and cond does not
// hold, ErrNotFound, and the error of ctx.
func (r *Runtime) Wait(ctx context.Context, id string, cond Condition) (Execution, error) {
	if cond == nil {
		cond = Ended()
	}
	if err := checkTarget(id); err != nil {
		return Execution{}, err
	}
	changes, stop := r.watchers.watch(id)
	defer stop()
	for pause := r.cfg.PollMin; ; pause = min(2*pause, r.cfg.PollMax) {
		e, err := r.Get(ctx, id)
		switch {
		case err == nil && cond(e):
			return e, nil
		case err == nil && e.Ended():
			return e, fmt.Errorf("wait for %q: %w", id, ErrEnded)
		case err != nil && !passing(err):
			return e, err
		}
		t := time.NewTimer(pause)
		select {
		case <-changes:
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return e, context.Cause(ctx)
		case <-r.stopped:
			t.Stop()
			return e, r.refusal()
		}
		t.Stop()
	}
}

package memstore

import (
	"bytes"
	"context"

	"github.com/durachart/durachart/store"
)

// AppendTrace implements [store.Traces].
func (s *Store) AppendTrace(ctx context.Context, id string, step store.TraceStep) error {
	return store.OpError("append trace", id, s.appendTrace(ctx, id, step))
}

func (s *Store) appendTrace(ctx context.Context, id string, step store.TraceStep) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	if err := s.opts.Limits.CheckAppend(id, &step); err != nil {
		return err
	}
	step.At = store.Millis(step.At)
	step.Step = bytes.Clone(s.opts.Limits.CutStep(step.Step))
	sh, err := s.lock("update", id)
	if err != nil {
		return err
	}
	defer sh.mu.Unlock()
	r := sh.docs[id]
	if r == nil {
		return store.ErrNotFound
	}
	step.Index = store.Seq(r.version, 1)
	if n := len(r.trace); n > 0 {
		step.Index = r.trace[n-1].Index + 1
	}
	r.addTrace([]store.TraceStep{step}, s.opts.Limits.TraceRing)
	r.entriesSize += stepSize(step.Step)
	return nil
}

// ReadTrace implements [store.Traces].
func (s *Store) ReadTrace(ctx context.Context, id string) ([]store.TraceStep, error) {
	steps, err := s.readTrace(ctx, id)
	return steps, store.OpError("read trace", id, err)
}

func (s *Store) readTrace(ctx context.Context, id string) ([]store.TraceStep, error) {
	if err := s.beginOn(ctx, id); err != nil {
		return nil, err
	}
	sh, err := s.lock("find", id)
	if err != nil {
		return nil, err
	}
	defer sh.mu.Unlock()
	r := sh.docs[id]
	if r == nil || len(r.trace) == 0 {
		return nil, nil
	}
	steps := make([]store.TraceStep, len(r.trace))
	for i, step := range r.trace {
		steps[i] = step
		steps[i].Step = bytes.Clone(step.Step)
	}
	return steps, nil
}

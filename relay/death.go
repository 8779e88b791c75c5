package relay

import (
	"context"

	"github.com/durachart/durachart/internal/logkey"
	"github.com/durachart/durachart/store"
)

// letter is a dead letter on its way, and what follows, with mu held: then, once it is
// stored, or failed, if the store will not have it.
type letter struct {
	record store.DeadLetter
	then   func()
	failed func()
}

// kill makes p, the head of l, a dead letter: first the letter, then the
// acknowledgement (D49). The lane waits, for a later entry may only go once this one is
// dead (D44).
func (r *Relay) kill(l *lane, p *parcel, reason string, cause error) {
	r.letters.Add(letter{
		record: r.letterOf(p, reason, cause),
		then: func() {
			r.pop(l)
			r.release(l)
		},
		failed: func() {
			r.postpone(l, p, r.now().Add(r.cfg.BackoffMax))
			r.release(l)
		},
	})
}

// bury makes a dead letter of p, which no lane has: one that its step declared dead, or
// an event that has no target.
func (r *Relay) bury(p *parcel) {
	p.stage = sent
	reason := p.Reason
	if p.Kind != store.EmitDead {
		reason = ReasonNoTarget
	}
	r.letters.Add(letter{
		record: r.letterOf(p, reason, nil),
		then:   func() { r.arrive(p) },
		failed: func() { r.hold(p, r.now().Add(r.cfg.BackoffMax)) },
	})
}

func (r *Relay) letterOf(p *parcel, reason string, cause error) store.DeadLetter {
	d := store.DeadLetter{
		Kind:         store.LetterOutbox,
		ExecutionID:  p.from.id,
		TargetID:     p.TargetID,
		DefinitionID: p.from.definitionID,
		EventID:      p.ID,
		Seq:          p.Seq,
		Event:        p.Event,
		From:         p.from.id,
		Reason:       reason,
		Attempts:     p.Attempts,
		At:           r.now(),
	}
	if cause != nil {
		d.Error = cause.Error()
	}
	return d
}

// put stores dead letters.
func (r *Relay) put(ls []letter) {
	ctx, ok := r.running()
	if !ok {
		return
	}
	err := r.putAll(ctx, ls)
	if err != nil && passing(err) {
		r.locked(func() { r.stall(err, func() { r.letters.Add(ls...) }) })
		return
	}
	if err != nil {
		// One of them spoils the command. It stays where it is, in its outbox.
		ls = forOne(ctx, ls, r.putAll, func(l letter, err error) {
			r.cfg.Logger.Error("store a dead letter", logkey.Execution, l.record.ExecutionID,
				logkey.Event, l.record.EventID, logkey.Reason, l.record.Reason, logkey.Error, err)
			r.locked(l.failed)
		})
	}
	for _, l := range ls {
		r.cfg.Observe(Died{
			Source: l.record.ExecutionID, Target: l.record.TargetID,
			Reason: l.record.Reason, Spawn: l.record.Kind == store.LetterSpawn,
		})
		r.locked(l.then)
	}
}

func (r *Relay) putAll(ctx context.Context, ls []letter) error {
	records := make([]store.DeadLetter, len(ls))
	for i, l := range ls {
		records[i] = l.record
	}
	return r.cfg.Source.PutDeadLetters(ctx, records)
}

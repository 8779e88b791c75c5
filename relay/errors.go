package relay

import "errors"

var (
	// ErrInvalidConfig reports a Config that New refuses; the text names every
	// field that is wrong.
	ErrInvalidConfig = errors.New("relay: invalid config")
	// ErrRunning reports a second call of Run.
	ErrRunning = errors.New("relay: run may be called once")
	// ErrNotOwned is what [Target.Deliver] and [Target.Control] return when this
	// process has lost the target's shard. An event is then pushed to its inbox, a
	// command tried again.
	ErrNotOwned = errors.New("relay: target is not run here")
)

// Reasons of dead letters that the relay gives. Letters that a step made
// (store.EmitDead) bring their own.
const (
	ReasonNotFound = "not_found" // the target is unknown
	ReasonEnded    = "ended"     // the target has ended
	ReasonNoTarget = "no_target" // no target, and no sink configured
	ReasonInvalid  = "invalid"   // over a cap, or refused by the store's checks
	ReasonAttempts = "attempts"  // tried as often as Config.Attempts
	ReasonIDTaken  = "id_taken"  // another execution has the child's id
)

// DeadError is what an implementation of [Target] or [Births] returns when trying
// again can never succeed. Reason becomes the reason of the dead letter.
type DeadError struct {
	Reason string
	Err    error
}

func (e *DeadError) Error() string { return "relay: " + e.Reason + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *DeadError) Unwrap() error { return e.Err }

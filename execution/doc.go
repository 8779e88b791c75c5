// Package execution is the pure interpreter of charts: chart, snapshot and event
// in, new snapshot and effects out.
//
// [Step] is a function in the strict sense. It changes no argument, reads no
// clock and no randomness, performs no effect and asks nobody but the [Host] that
// it is given. Equal arguments and equal answers of the host give a [Result] that
// is equal byte for byte, so a step can be repeated after a crash or a lost write.
//
// It is not a runtime: nothing here waits, stores, sends or keeps time. Package
// actor does these with the effects that a step returns.
//
// # Where to start
//
//	s := execution.New("order", "1", "o-1", context)
//	r, err := execution.Step(chart, s, execution.StartEvent("o-1", 1), now, host)
//	r, err = execution.Step(chart, r.Snapshot, event, now, host)
//
// The [Snapshot] is the authority on an execution; [Snapshot.Encode] and [Decode]
// are its stored form. Snapshots are immutable: a step shares the parts that did
// not change between the old and the new one, so change neither.
//
// Go code comes in as [Handlers], by the names that the chart uses: [ActionOf],
// [GuardOf] and [SelectOf] make them from functions over a typed context.
//
// # Errors of Step
//
// An error means that nothing happened (S22). What goes wrong inside a chart is
// no error of Step but part of the Result.
//
//	Situation                                         Error               What to do
//	damaged snapshot, or written by a newer version   ErrInvalidSnapshot  keep it; run a newer version
//	another chart, or it lacks states of the snapshot ErrInvalidChart     bring the pinned version
//	malformed or reserved event, unknown operation    ErrInvalidEvent     refuse the event
//	an action asked to be tried again                 ErrRetry            same step again after RetryError.Delay
//
// # Where the specification leaves a choice
//
// An action that fails leaves nothing behind, whatever it had raised or sent; what
// the list did before it stays (S40). A scan of the pool that ends with a guard that
// failed is not the end of the step: the error is handled first (S38, S42). The
// chart of a single invoke that does not exist raises error.invoke.P as an internal
// event, so that a chart without an answer fails, can be mended and retried, instead
// of waiting for ever (S63). A single invoke stays an open site until its state is
// left, so that finalize sees what its child had sent before it ended (S64). A
// delayed send to children goes to those that live when it is due (S66). Suspending,
// and an operation that finds its work done, run nothing else (S75). A step that
// fails again in a retry leaves the event as the letter, not the retry (S81). The
// data that a cancel carries is not held against a declaration of the event (S21).
//
// All functions are safe for concurrent use. The rules S1, S2, … are those of the
// statechart specification.
package execution

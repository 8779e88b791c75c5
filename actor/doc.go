// Package actor is the runtime: it runs executions of charts on a store.
//
// Each execution is an actor whose mailbox serializes its events. Its durable
// state is one record of the store, and every step is one compare-and-set write
// of that record. What a process keeps in memory is a copy of the record; the
// record is the authority, and a copy that lost a race is dropped.
//
// It is not a task queue. And actions do not call executions: one that waits for
// its own execution waits for ever, and many that wait for others may leave no room
// for these to run (Config.Concurrency). Actions emit events instead.
//
// # Where to start
//
// [New] checks a [Config] and starts nothing. [Runtime.Run] runs until its
// context ends. Beside it, from any goroutine:
//
//	rt, err := actor.New(actor.Config{Store: s, Charts: charts, Handlers: handlers})
//	go rt.Run(ctx)
//	reply, err := rt.Start(ctx, actor.StartRequest{Chart: "order", ID: "o-1"})
//	id, err := rt.Send(ctx, "o-1", actor.Event{Name: "Submit"})   // durable, not yet applied
//	reply, err = rt.Call(ctx, "o-1", actor.Event{Name: "Cancel"}) // applied, with its outcome
//
// # Promises
//
// When Send or Call returned nil the event is applied, or it is in the
// execution's inbox, or it ends in the dead letters with a reason (P1). A step is
// all or nothing (P2). An event id changes an execution at most once within the
// dedupe window, the last 256 ids by default (P4), so an uncertain call is
// repeated with the same event id. Events that one sender sends to one execution
// through one Runtime, one after another, are applied in that order, also across
// crashes (P6). A sender that changes the Runtime in between waits for its last
// event to be applied first, as Call does.
//
// An action may run again after a crash or a lost write; its key is then the same
// (P5).
//
// # What happens when something fails
//
//	What fails                            What the runtime does
//	the process dies                      the next one goes on from the store: inboxes, outboxes, spawns, timers
//	the store does not answer             all wait on one shared probe, with their events in hand, and go on when it is back
//	a write loses a race                  drops the copy, reads the record, decides again
//	the reply to a write is lost          reads the record: the event is processed, or is decided again
//	an action returns an error, panics    the chart's business: error.execution, else the step is undone and FAILED
//	an action asks to be tried again      the same step after its back-off; operations and other executions go on
//	an event cannot be stepped here       three tries, then its execution is parked, visibly, and no other
//	the outbox of an execution is full    its steps wait until the relay has made room
//	what came after the end               goes to the dead letters with reason ended
//	a part (relay, timers, polls) fails   it is logged and started again
//
// # Errors
//
//	Situation                                           Error              What to do
//	id, event, context or config breaks a rule          ErrInvalid…        fix the call; nothing was written
//	no such execution, dead letter                      ErrNotFound        –
//	start of an id that is there (another start)        ErrExists          use SendOrStart, or another id
//	chart or version that is not registered             ErrUnknownChart    register it
//	event for, operation on an ended execution          ErrEnded           –
//	operation that the status does not allow            ErrInvalidState    see its Status field
//	the execution's mailbox is full (Config.FailWhenFull) ErrMailboxFull   wait, try again
//	inbox, outbox or document is full                   ErrBackpressure    wait, try again
//	over a cap                                          ErrTooLarge        never retry
//	many conflicts in a row                             ErrConflict        try again
//	it may have happened                                ErrUncertain       repeat with the same event id
//	the store does not answer, nothing was written      ErrUnavailable     try again
//	the runtime shuts down                              ErrDraining        another process
//	the server lacks something, or is set up wrongly    ErrUnsupported, ErrMisconfigured
//
// When a context ends, a call returns its error: the bare ctx error if the event
// was certainly not applied, else an error that is ErrUncertain too.
//
// The rules S…, D… and P… are those of the specifications.
package actor

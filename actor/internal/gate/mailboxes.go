package gate

// Mailboxes is what the gate needs of an actor library. All methods are safe for
// concurrent use; the gate calls them for one handle in the order spawn, post …,
// stop, and posts only after the run before has ended or is about to end.
type Mailboxes interface {
	// Spawn makes an actor that runs r once per Post, never twice at a time.
	Spawn(r Runner) Handle
	// Post has the actor run once, soon, on a goroutine of the library.
	Post(Handle)
	// Stop ends the actor, which has nothing posted any more.
	Stop(Handle)
}

// Runner is what an actor runs.
type Runner interface{ Run() }

// Handle names an actor of a Mailboxes.
type Handle any

package gate

// Mailboxes is what the gate needs of an actor library. All methods are safe for
// concurrent use; the gate calls them for one handle in the order spawn, post …,
// stop, and posts only after the run before has ended or is about to end.
type Mailboxes interface {
	// Spawn makes an actor that calls run once per Post, never twice at a time.
	Spawn(run func()) Handle
	// Post has the actor call run once, soon, on a goroutine of the library.
	Post(Handle)
	// Stop ends the actor, which has nothing posted any more.
	Stop(Handle)
}

// Handle names an actor of a Mailboxes.
type Handle any

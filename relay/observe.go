package relay

import "time"

// Event is what happened in a relay, for Config.Observe: one of the types below.
type Event interface{ event() }

// Delivered tells that Count entries reached Target: by a local call if Local, else
// by a push.
type Delivered struct {
	Target string
	Count  int
	Local  bool
}

// Retried tells that an entry could not be delivered and waits until At.
type Retried struct {
	Source, Target string
	Attempts       int
	At             time.Time
	Err            error
}

// Died tells that an entry, or a spawn if Spawn, went to the dead letters.
type Died struct {
	Source, Target string
	Reason         string
	Spawn          bool
}

// Spawned tells that children were created.
type Spawned struct{ Count int }

func (Delivered) event() {}
func (Retried) event()   {}
func (Died) event()      {}
func (Spawned) event()   {}

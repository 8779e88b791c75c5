package lease

import "time"

// Event is what happened to the leases, for Config.Observe: one of the types below.
// Slices in them are for reading only.
type Event interface{ event() }

// Gained tells that this process has these shards from now on.
type Gained struct{ Shards []int }

// Lost tells that this process has these shards no more, and why.
type Lost struct {
	Shards []int
	Reason Reason
}

// Released tells that these shards are free for others, or all of the owner's if nil.
type Released struct{ Shards []int }

// Renewed tells that all leases were renewed.
type Renewed struct {
	Held int
	Took time.Duration
}

// Surveyed tells what a survey showed.
type Surveyed struct {
	Live    int // processes, this one among them
	Held    int // by this process
	Free    int
	Share   int // what this process may hold while others lack some
	Lacking bool
}

// Failed tells that a command of the store did not succeed. It is tried again.
type Failed struct {
	Operation string
	Err       error
}

func (Gained) event()   {}
func (Lost) event()     {}
func (Released) event() {}
func (Renewed) event()  {}
func (Surveyed) event() {}
func (Failed) event()   {}

// Reason says why a shard was lost.
type Reason string

// The reasons.
const (
	Expired    Reason = "expired"     // it could not be renewed in time
	Taken      Reason = "taken"       // another process has it, or an operator took it away
	GivenBack  Reason = "given_back"  // it is beyond the fair share
	HandedOver Reason = "handed_over" // this process ends
)

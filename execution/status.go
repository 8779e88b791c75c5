package execution

// Status is the status of an execution (S75).
type Status string

// The statuses.
const (
	Pending    Status = "PENDING"    // created
	Running    Status = "RUNNING"    // working
	Cancelling Status = "CANCELLING" // cancel accepted, cleaning up
	Suspended  Status = "SUSPENDED"  // on hold
	Failed     Status = "FAILED"     // a step failed
	Done       Status = "DONE"       // ended by a final
	Cancelled  Status = "CANCELLED"  // stopped or terminated
)

func (s Status) valid() bool {
	switch s {
	case Pending, Running, Cancelling, Suspended, Failed, Done, Cancelled:
		return true
	}
	return false
}

// active reports whether states are active and timers armed (S51).
func (s Status) active() bool { return s == Running || s == Cancelling }

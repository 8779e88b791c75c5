package execution

import "time"

// Limits bound what one step and one execution may use (section 1 of the
// specification). The zero value of a field is its default.
type Limits struct {
	Microsteps    int           // microsteps and internal events of a step. Default 1000.
	Deferred      int           // events in the deferred pool. Default 256.
	Children      int           // children of one fan-out. Default 10,000.
	LiveChildren  int           // of these live at once. Default 256.
	Results       int           // results kept of a fan-out. Default 100.
	EventBytes    int           // encoded event data. Default 256 KiB.
	ContextBytes  int           // encoded context. Default 1 MiB.
	SnapshotBytes int           // encoded snapshot. Default 4 MiB.
	Delay         time.Duration // longest computed delay. Default 3650 days.
}

func (l Limits) withDefaults() Limits {
	set := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&l.Microsteps, 1000)
	set(&l.Deferred, 256)
	set(&l.Children, 10_000)
	set(&l.LiveChildren, 256)
	set(&l.Results, 100)
	set(&l.EventBytes, 256<<10)
	set(&l.ContextBytes, 1<<20)
	set(&l.SnapshotBytes, 4<<20)
	if l.Delay <= 0 {
		l.Delay = 3650 * 24 * time.Hour
	}
	return l
}

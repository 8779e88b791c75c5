package relay

import (
	"context"
	"errors"
	"time"

	"github.com/durachart/durachart/store"
)

// Relay carries out outboxes and spawns. Make one with [New]. All methods are safe
// for concurrent use.
type Relay struct{ cfg Config }

// New checks cfg and returns a Relay that is not yet running. It does no I/O and
// starts nothing. The error is ErrInvalidConfig and names every mistake.
func New(cfg Config) (*Relay, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	return &Relay{cfg: cfg}, nil
}

// Handover is what one commit or creation wrote into the outbox and the spawns of
// its execution.
type Handover struct {
	ID           string
	RootID       string
	DefinitionID string
	Priority     int
	Version      int64 // that the write left behind: Commit.Version+1, or 1 for a creation
	Emits        []store.Emit
	Spawns       []store.Spawn
	Now          time.Time // Commit.Now

	// Behind says that the copy of the execution that the step was computed from
	// was loaded with entries waiting in its outbox or spawns (Loaded.OutboxLen,
	// SpawnsLen), and that this is the first hand-over since. The relay then reads
	// what waits, so that nothing overtakes it.
	Behind bool
}

// Committed hands over what a commit wrote. Call it after the commit has proven
// successful, before the next commit of the same execution is sent; never after
// store.ErrUncertain. Hand-overs of one execution must come in the order of their
// commits. One without emits and spawns does nothing, unless it is Behind.
//
// It does not block and does no I/O. The relay keeps the slices and does not change
// them. Before Run, and after it, hand-overs are forgotten: the poll finds the
// entries.
func (r *Relay) Committed(h Handover) {}

// Wake makes the relay poll at once. Call it when shards were acquired or a hint
// says that there is work.
func (r *Relay) Wake() {}

// Run delivers until ctx ends, then returns nil; no goroutine is left. What was under
// way is cut off; it stays in the store. A non-nil error is a failure that trying
// again cannot mend: ErrRunning, or store.ErrMisconfigured.
func (r *Relay) Run(ctx context.Context) error { return errors.New("relay: not built yet") }

// Pending is the number of entries and spawns in memory that are not carried out and
// acknowledged.
func (r *Relay) Pending() int { return 0 }

// WaitIdle returns nil at an instant when nothing is in memory and the store has no
// outbox entry and no spawn in the shards of this process, due or not. Otherwise it
// waits, and returns ctx's error when ctx ends.
func (r *Relay) WaitIdle(ctx context.Context) error { return errors.New("relay: not built yet") }

// Lag is the age of the oldest due work of the own shards: how long ago it became
// due. Zero: nothing is due.
type Lag struct {
	Outbox, Spawns time.Duration
}

// Lag asks the store and the memory for the oldest due entries that it can see: those
// in memory, and one page of each poll.
func (r *Relay) Lag(ctx context.Context) (Lag, error) {
	return Lag{}, errors.New("relay: not built yet")
}

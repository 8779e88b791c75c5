package relay

import (
	"context"
	"sync"
	"time"

	"github.com/durachart/durachart/internal/combine"
	"github.com/durachart/durachart/store"
)

// Relay carries out outboxes and spawns. Make one with [New]. All methods are safe
// for concurrent use.
type Relay struct {
	// What is in hand is kept by origin, the execution that it comes from, and by lane, the
	// target that it goes to. Each step of the work is done by a pool or a combiner below,
	// which run without mu: it is never held over I/O, nor over a call of the runtime other
	// than Owns.

	cfg  Config
	bulk store.BulkCommitter // nil if the source has no such ability

	local     *combine.Combiner[*lane]    // deliveries by calls of the runtime
	pushes    *combine.Combiner[*lane]    // deliveries by pushes to inboxes
	builds    *combine.Combiner[*unborn]  // making the records of children
	creates   *combine.Combiner[creation] // inserting them
	letters   *combine.Combiner[letter]   // dead letters
	acks      *combine.Combiner[*parcel]  // of outbox entries
	spawnAcks *combine.Combiner[*unborn]  // of spawns
	reads     *combine.Combiner[*origin]  // outboxes that are not in hand
	mends     *combine.Combiner[func()]   // what a failure takes
	wake      chan struct{}               // ends the poll's rest

	mu      sync.Mutex
	ran     bool
	ctx     context.Context // of Run; nil while nothing is carried out
	origins map[string]*origin
	lanes   map[string]*lane
	count   int        // Invariant: count = number of parcels and unborn in origins
	early   []Handover // came before Run
	kept    int        // entries in them
	starved []*origin
	stalled []func() // to be done when the store answers again
	probing sync.WaitGroup
	timers  map[*time.Timer]struct{}
	idle    []chan struct{} // closed when count falls to 0
}

// New checks cfg and returns a Relay that is not yet running. It does no I/O and
// starts nothing. The error is ErrInvalidConfig and names every mistake.
func New(cfg Config) (*Relay, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	r := &Relay{
		cfg:     cfg,
		wake:    make(chan struct{}, 1),
		origins: map[string]*origin{},
		lanes:   map[string]*lane{},
		timers:  map[*time.Timer]struct{}{},
	}
	r.bulk, _ = cfg.Source.(store.BulkCommitter)
	r.local = combine.New(cfg.Parallel, 1, func(l []*lane) { r.serve(l[0]) })
	r.pushes = combine.New(cfg.Slots, cfg.Batch, r.push)
	r.builds = combine.New(cfg.Parallel, 1, func(u []*unborn) { r.build(u[0]) })
	r.creates = combine.New(cfg.Slots, cfg.Batch, r.create)
	r.letters = combine.New(cfg.Slots, cfg.Batch, r.put)
	r.acks = combine.New(cfg.Slots, 4*cfg.Batch, r.ack)
	r.spawnAcks = combine.New(cfg.Slots, 4*cfg.Batch, r.ackSpawns)
	r.reads = combine.New(readSlots, 1, func(o []*origin) { r.read(o[0]) })
	r.mends = combine.New(mendSlots, 1, func(f []func()) { f[0]() })
	return r, nil
}

// Reading one outbox and mending one failure are single commands; a few at a time are
// enough, and keep an outage or a full target from taking all of the store.
const (
	readSlots = 4
	mendSlots = 16
)

// Wake makes the relay poll at once. Call it when shards were acquired or a hint
// says that there is work.
func (r *Relay) Wake() {
	select {
	case r.wake <- struct{}{}:
	default: // one is enough
	}
}

// now is the server's time.
func (r *Relay) now() time.Time { return r.cfg.Clock() }

package mongostore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"

	"github.com/durachart/durachart/store"
)

const (
	openTimeout  = 30 * time.Second
	firstBackoff = 100 * time.Millisecond
	lastBackoff  = 2 * time.Second

	// minPool is the least number of connections (D80). More is used by the loops
	// of a runtime, the streams and the slots together with some to spare.
	minPool = 16
)

// Open builds a client from uri and waits until its primary answers, or until ctx
// ends (30 s without a deadline), so that a server that starts at the same time is
// waited for (D77).
//
// It returns store.ErrMisconfigured at once when the credentials are refused or
// the URI asks for unacknowledged writes, and store.ErrInvalidArgument for a URI
// that cannot be read. No error shows the URI.
func Open(ctx context.Context, uri string, opts Options) (*Store, error) {
	clientOpts := options.Client().ApplyURI(uri)
	if err := clientOpts.Validate(); err != nil {
		// The driver's text quotes what it could not read, credentials included.
		return nil, fmt.Errorf("open: %w: the URI cannot be read", store.ErrInvalidArgument)
	}
	if wc := clientOpts.WriteConcern; wc != nil && !wc.Acknowledged() {
		return nil, fmt.Errorf("open: %w: w=0 in the URI", store.ErrMisconfigured)
	}
	opts = opts.withDefaults()
	if err := opts.validate(); err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	clientOpts.Timeout = nil // a client-wide one would kill change streams
	// Every write here is resolved and sent again by ourselves (D26, D27), so the
	// server need not keep a record of each for the driver to do so.
	clientOpts.SetRetryWrites(false)
	if clientOpts.MaxPoolSize == nil {
		clientOpts.SetMaxPoolSize(uint64(max(poolSize(opts), minPool)))
	}
	client, err := mongo.Connect(clientOpts)
	if err != nil {
		return nil, fmt.Errorf("open: %w: the URI cannot be used", store.ErrInvalidArgument)
	}
	s := build(client, opts)
	s.owned = true
	if err := s.awaitPrimary(ctx); err != nil {
		_ = s.Close(context.WithoutCancel(ctx)) // the first error is the one to report
		return nil, fmt.Errorf("open: %w", err)
	}
	return s, nil
}

// New returns a store over a client that stays yours: Close of the store leaves it
// open. New asks nothing of the server.
func New(client *mongo.Client, opts Options) (*Store, error) {
	opts = opts.withDefaults()
	if err := opts.validate(); err != nil {
		return nil, fmt.Errorf("new: %w", err)
	}
	return build(client, opts), nil
}

func build(client *mongo.Client, opts Options) *Store {
	s := &Store{
		client: client,
		opts:   opts,
		lim:    opts.Limits,
		log:    opts.Logger,
		coll:   collectionsOf(client, opts),
	}
	s.commits = newCombiner(s, s.sendCommits)
	s.pushes = newCombiner(s, s.sendPushes)
	s.creates = newCombiner(s, s.sendCreates)
	return s
}

// poolSize: the slots of the three combiners, as many reads at once, a stream, and
// a fifth to spare (D80).
func poolSize(o Options) int {
	const reads, streams = 64, 1
	return (3*o.Limits.Slots + reads + streams) * 6 / 5
}

// awaitPrimary pings with back-off and jitter until the primary answers.
func (s *Store) awaitPrimary(ctx context.Context) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, openTimeout)
		defer cancel()
	}
	for backoff := firstBackoff; ; backoff = min(2*backoff, lastBackoff) {
		// Each try is short, so that refused credentials are not waited for.
		try, cancel := context.WithTimeout(ctx, lastBackoff)
		err := s.client.Ping(try, readpref.Primary())
		cancel()
		if err == nil {
			return nil
		}
		f := translate(err)
		if errors.Is(f, store.ErrMisconfigured) {
			return f
		}
		if err := pause(ctx, jitter(backoff)); err != nil {
			return fmt.Errorf("%w: %w", err, f)
		}
	}
}

// jitter returns between half and all of d.
func jitter(d time.Duration) time.Duration { return d/2 + rand.N(d/2+1) }

// pause waits for d, or returns the error of a ctx that ends before.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

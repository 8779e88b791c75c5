package lease

import (
	"context"
	"errors"
	"time"

	"github.com/durachart/durachart/internal/backoff"
	"github.com/durachart/durachart/store"
)

// timing is what the parts of a ttl are for (D60, D61): renewed at each third,
// believed for two of them, and stopped in the last one.
//
// Invariant: renewEvery + 2 × commandTime <= belief, so that a renewal can fail once.
// Invariant: belief + stopBound <= ttl, so that nothing runs when others may take it.
type timing struct {
	renewEvery  time.Duration
	belief      time.Duration
	commandTime time.Duration // a command that takes longer is given up
	stopTime    time.Duration // what Lost is given
	stopBound   time.Duration // what Lost is waited for
}

func timingOf(ttl time.Duration) timing {
	return timing{
		renewEvery:  ttl / 3,
		belief:      2 * (ttl / 3),
		commandTime: ttl / 6,
		stopTime:    ttl / 4,
		stopBound:   ttl / 3,
	}
}

// Waits that do not depend on the ttl.
const (
	// patience is how long a free shard is left to those who lack some (D63).
	patience = time.Second
	// eager is how often a process looks that lacks shards. It must be well below
	// patience, or what is given back for it returns to the giver.
	eager = 500 * time.Millisecond
	// again is how soon one looks who was not alone in taking.
	again = 100 * time.Millisecond
	// soonest keeps a server's clock that hardly moves from being asked in a loop.
	soonest = 50 * time.Millisecond

	pauseFirst = 100 * time.Millisecond // between tries while the store does not answer
	pauseLast  = time.Second
)

// pause is the wait after a failure.
func (k *keeper) pause() time.Duration {
	return k.cfg.Jitter(backoff.After(k.failures, pauseFirst, pauseLast))
}

func wait(ctx context.Context, d time.Duration) error { return backoff.Wait(ctx, d, nil) }

// fatal reports whether trying again cannot mend err.
func fatal(err error) bool {
	for _, known := range []error{store.ErrMisconfigured, store.ErrUnsupported, store.ErrClosed, store.ErrInvalidArgument} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

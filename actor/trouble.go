package actor

import (
	"math/rand/v2"
	"time"
)

// trouble is what went wrong with an execution lately. Most have none. All
// methods work on nil.
type trouble struct {
	tries     map[string]int // tries that ended in no commit, by event id (D36)
	attempts  map[string]int // attempts that ended in ErrRetry, by event id (S44)
	conflicts int            // commits in a row that lost a race
	crowded   int            // commits in a row that were refused for lack of room
	until     time.Time      // the execution rests; operations do not
}

func (a *activation) troubled() *trouble {
	if a.trouble == nil {
		a.trouble = &trouble{}
	}
	return a.trouble
}

// isCrowded reports whether the last commit was refused for lack of room.
func (t *trouble) isCrowded() bool { return t != nil && t.crowded > 0 }

// attempted is how many attempts at the event ended in ErrRetry.
func (t *trouble) attempted(eventID string) int {
	if t == nil {
		return 0
	}
	return t.attempts[eventID]
}

// rest is how long the execution has still to rest.
func (t *trouble) rest() time.Duration {
	if t == nil || t.until.IsZero() {
		return 0
	}
	return max(0, time.Until(t.until))
}

// eased is what is left of the trouble after a commit that handled ids.
func (t *trouble) eased(handled []string) *trouble {
	if t == nil {
		return nil
	}
	for _, id := range handled {
		delete(t.tries, id)
		delete(t.attempts, id)
	}
	if len(t.tries) == 0 && len(t.attempts) == 0 {
		return nil
	}
	t.conflicts, t.crowded, t.until = 0, 0, time.Time{}
	return t
}

// rested is what is left of the trouble when nothing is in hand any more: the tries
// of events that callers may come back with, a bounded number of them.
func (t *trouble) rested() *trouble {
	if t == nil || len(t.tries) == 0 || len(t.tries) > maxTried {
		return nil
	}
	return &trouble{tries: t.tries}
}

// maxTried bounds the events whose tries are remembered.
const maxTried = 64

// count raises a count that is made when it is needed.
func count(m *map[string]int, id string) int {
	if *m == nil {
		*m = make(map[string]int)
	}
	(*m)[id]++
	return (*m)[id]
}

// backoff is base, doubled with every time after the first, at most most, between
// half of that and all of it.
func backoff(base time.Duration, times int, most time.Duration) time.Duration {
	d := base
	for i := 1; i < times && d < most; i++ {
		d *= 2
	}
	d = min(d, most)
	return d/2 + rand.N(d/2+1)
}

package mongostore

import "sync/atomic"

// pace decides how many shards one query of a poll asks for.
//
// While little is due, all at once: an idle round is one query (D40). While pages come
// back full, fewer and fewer: a full page of few shards costs the server no more than
// the page, also where it collects all matches before it applies the limit. The zero
// value asks for all.
type pace struct{ shards atomic.Int32 } // of the next query; 0 is all

func (p *pace) next(have int) int {
	if n := int(p.shards.Load()); n > 0 {
		return min(n, have)
	}
	return have
}

// saw learns from a query of n shards that wanted so many rows.
func (p *pace) saw(n, rows, want int) {
	switch {
	case rows >= want:
		p.shards.Store(int32(max(n/2, 1)))
	case rows < want/2 && p.shards.Load() > 0:
		if n *= 2; n > mostPaced {
			n = 0
		}
		p.shards.Store(int32(n))
	}
}

// mostPaced is from where it is all shards again.
const mostPaced = 128

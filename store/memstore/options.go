package memstore

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/durachart/durachart/store"
)

// Options configures a [Store]. The zero value of a field is its default.
type Options struct {
	// Limits are the bounds. Default: those of [store.Limits].
	Limits store.Limits

	// Shards is the number of shards, fixed when the data is made. Default 256.
	Shards int

	// Attributes are the declared search attributes; only these can be set and
	// listed by. Default none.
	Attributes []string

	// Clock is the clock of the "server": it decides leases. It belongs to the
	// data; handles of Attach share it. Default time.Now.
	Clock func() time.Time

	// OnCommand is called before each command with its name and the execution id
	// that it names, or "". A call that a store on a server would answer without a
	// round trip makes none. It may be called from many goroutines at once and
	// without any lock held, so it may block. Default: not called.
	OnCommand func(command, id string)
}

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.WithDefaults()
	if o.Shards == 0 {
		o.Shards = store.DefaultShards
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	o.Attributes = slices.Clone(o.Attributes)
	return o
}

func (o Options) validate() error {
	var shards error
	if o.Shards < 0 || o.Shards > store.MaxShards {
		shards = fmt.Errorf("%w: shards: %d is not within 1 to %d", store.ErrInvalidArgument, o.Shards, store.MaxShards)
	}
	return errors.Join(o.Limits.Validate(), shards, store.CheckAttributes(o.Attributes))
}

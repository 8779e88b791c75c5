package mongostore

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"

	"github.com/durachart/durachart/store"
)

// Options configures a [Store]. The zero value of a field is its default.
type Options struct {
	// Database holds all collections. Default "durachart".
	Database string

	// Prefix goes before every collection name, so that several stores can share
	// a database. Default none.
	Prefix string

	// Shards is the number of shards. It is written at first start and can never
	// change afterwards. Default 256.
	Shards int

	// Attributes are the declared search attributes. Each costs an index; only
	// these can be stored and listed by. Default none.
	Attributes []string

	// RequiredIndexesOnly leaves out the indexes that only make lists, Purge and dead
	// letters fast. Each index is work on each write; a service that looks at its
	// executions by id alone can do without. Default off.
	RequiredIndexesOnly bool

	// LeafIndex adds the index for lists by active state. Every change of state
	// rewrites its key. Default off.
	LeafIndex bool

	// ExpiryTTL lets the server delete expired, drained executions by itself, each
	// by its own date, so that a child may go before its root (D74). The retention
	// must exceed the longest outage. Default off: Purge does it.
	ExpiryTTL bool

	// Limits are the bounds. Slots, Statements and BatchBytes among them steer how
	// writes are grouped: fewer slots make larger groups, which is more throughput
	// and a longer wait for each; the default is half the CPUs, 1 to 8.
	//
	// Limits.DeadLetterRetention makes the index on the date of dead letters one
	// by which the server deletes them.
	Limits store.Limits

	// Logger gets what no caller hears of: a missing Speed index, a document over
	// the soft limit, documents of a newer format. Default none.
	Logger *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.Database == "" {
		o.Database = "durachart"
	}
	if o.Shards == 0 {
		o.Shards = store.DefaultShards
	}
	o.Attributes = slices.Clone(o.Attributes)
	o.Limits = o.Limits.WithDefaults()
	if o.Limits.Slots == 0 {
		o.Limits.Slots = min(max(runtime.GOMAXPROCS(0)/2, 1), 8)
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// validate reports all mistakes at once.
func (o Options) validate() error {
	problems := []error{o.Limits.Validate(), store.CheckAttributes(o.Attributes)}
	refuse := func(field, why string) {
		problems = append(problems, fmt.Errorf("%w: options: %s: %s", store.ErrInvalidArgument, field, why))
	}
	if len(o.Database) > 63 || strings.ContainsAny(o.Database, "/\\. \"$*<>:|?\x00") {
		refuse("Database", "not a database name")
	}
	if len(o.Prefix) > 64 || strings.ContainsAny(o.Prefix, "$\x00") || strings.HasPrefix(o.Prefix, "system.") {
		refuse("Prefix", "not the start of a collection name")
	}
	if o.Shards < 1 || o.Shards > store.MaxShards {
		refuse("Shards", "out of range")
	}
	return errors.Join(problems...)
}

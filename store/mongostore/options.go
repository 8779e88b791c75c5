package mongostore

import (
	"log/slog"
	"time"
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
	// these can be listed by. Default none.
	Attributes []string

	// LeafIndex adds the index for lists by active state. Every change of state
	// rewrites its key. Default off.
	LeafIndex bool

	// ExpiryTTL lets the server delete expired, drained executions by itself, each
	// by its own date. The retention must exceed the longest outage. Default off:
	// Purge does it, children with their root.
	ExpiryTTL bool

	// DeadLetterTTL lets the server delete dead letters of that age. Default off.
	DeadLetterTTL time.Duration

	// Slots is the number of commit commands that may be in flight. Fewer slots
	// make larger groups: more throughput, a longer wait for each. Default half
	// the CPUs, 1 to 8.
	Slots int

	// BatchStatements and BatchBytes bound one group of commits. Default 64 and
	// 32 MiB.
	BatchStatements int
	BatchBytes      int

	// Logger gets what no caller hears of: a missing Speed index, a document over
	// the soft limit. Default none.
	Logger *slog.Logger
}

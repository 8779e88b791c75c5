package relay

import (
	"context"

	"github.com/durachart/durachart/store"
)

// Source is the part of a store that the relay needs. If it has the methods of
// [store.BulkCommitter] too, children are created and events pushed in batches;
// else one by one.
type Source interface {
	store.Outbox
	store.Spawns
	// Load, Create, Push and PutDeadLetters are those of [store.Store].
	Load(ctx context.Context, id string) (store.Execution, error)
	Create(ctx context.Context, c store.Creation) error
	Push(ctx context.Context, p store.Push) (store.Pushed, error)
	PutDeadLetters(ctx context.Context, letters []store.DeadLetter) error
}

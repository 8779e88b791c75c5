package memstore

import (
	"sync"
	"time"

	"github.com/durachart/durachart/store"
)

// database is the data that handles share.
type database struct {
	clock    func() time.Time
	shards   []*shard
	families families
	leases   leaseTable
	letters  letterTable
	counters counterTable
	hints    hintList
}

// shard is a part of the executions under one lock.
type shard struct {
	mu   sync.Mutex
	docs map[string]*record
	due  [dueKinds]dueHeap

	_ [64]byte // keeps the locks of neighbours out of one cache line
}

func newDatabase(shards int, clock func() time.Time) *database {
	db := &database{clock: clock, shards: make([]*shard, shards)}
	for i := range db.shards {
		sh := &shard{docs: make(map[string]*record)}
		for kind := range sh.due {
			sh.due[kind].kind = dueKind(kind)
		}
		db.shards[i] = sh
	}
	db.leases.init(shards)
	return db
}

func (db *database) shardOf(id string) *shard {
	return db.shards[store.ShardOf(id, len(db.shards))]
}

// settle returns when every command that was running has ended.
func (db *database) settle() {
	for _, sh := range db.shards {
		barrier(&sh.mu)
	}
	for _, mu := range []*sync.Mutex{&db.leases.mu, &db.letters.mu, &db.counters.mu} {
		barrier(mu)
	}
}

// barrier returns when nobody who held mu before holds it any more.
func barrier(mu *sync.Mutex) {
	mu.Lock()
	//lint:ignore SA2001 waiting for the holder is all that is wanted
	mu.Unlock()
}

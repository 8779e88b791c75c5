package store

import (
	"crypto/sha256"
	"encoding/binary"
)

// DefaultShards is the number of shards unless told otherwise. It is fixed when
// a store is first started (D1).
const DefaultShards = 256

// MaxShards bounds the number of shards.
const MaxShards = 65_536

// ShardOf returns the shard of an execution: the first four bytes, big endian, of
// the SHA-256 of its id, modulo n (D9).
func ShardOf(id string, n int) int {
	sum := sha256.Sum256([]byte(id))
	return int(binary.BigEndian.Uint32(sum[:4]) % uint32(n))
}

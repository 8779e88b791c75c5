package store

import (
	"crypto/rand"
	"encoding/hex"
)

// NewCommitID returns 32 random hex digits: the mark by which a write that lost
// its reply finds itself again (D20). Dead letters draw their put the same way.
func NewCommitID() string {
	var raw [16]byte
	rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	var digits [32]byte
	hex.Encode(digits[:], raw[:])
	return string(digits[:])
}

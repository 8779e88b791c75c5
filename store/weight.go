package store

// An entry weighs what its JSON texts weigh. An entry of s bytes is accepted in
// an array only while fewer than n = min(Max, Bytes/s) wait there. A write of k
// new entries, the largest of s bytes, is therefore refused when the array has an
// element at position max(0, n-k); an empty array takes any of them (D23).

// InboxPosition returns the position that must not exist in the inbox for
// entries to be accepted.
func (l *Limits) InboxPosition(entries []InboxEntry) int {
	largest := 0
	for i := range entries {
		largest = max(largest, len(entries[i].Event))
	}
	return position(l.InboxEntries, l.InboxBytes, len(entries), largest)
}

// OutboxPosition is InboxPosition for the outbox.
func (l *Limits) OutboxPosition(emits []Emit) int {
	largest := 0
	for i := range emits {
		largest = max(largest, len(emits[i].Event))
	}
	return position(l.OutboxEntries, l.OutboxBytes, len(emits), largest)
}

// SpawnPosition is InboxPosition for the spawns.
func (l *Limits) SpawnPosition(spawns []Spawn) int {
	largest := 0
	for i := range spawns {
		largest = max(largest, len(spawns[i].Context)+len(spawns[i].Event))
	}
	return position(l.SpawnEntries, l.SpawnBytes, len(spawns), largest)
}

func position(most, bytes, k, largest int) int {
	n := most
	if largest > 0 {
		n = min(most, bytes/largest)
	}
	return max(0, n-k)
}

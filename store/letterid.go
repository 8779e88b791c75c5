package store

import "strconv"

// The kinds of dead letters (D52): where the entry was taken from.
const (
	LetterInbox  = "inbox"  // a leftover of an ended execution, by event id
	LetterOutbox = "outbox" // an undeliverable entry, by seq
	LetterSpawn  = "spawn"  // a child that cannot be created, by seq
)

// DeadLetterID is the deterministic id of a dead letter (D52). key is the event
// id for kind inbox and the decimal seq otherwise. The length in front of the
// execution id keeps ids apart that contain the separator.
func DeadLetterID(kind, executionID, key string) string {
	return kind + "|" + strconv.Itoa(len(executionID)) + ":" + executionID + "|" + key
}

// id returns the DeadLetterID that belongs to the fields of l.
func (l *DeadLetter) id() string {
	key := l.EventID
	if l.Kind != LetterInbox {
		key = strconv.FormatInt(l.Seq, 10)
	}
	return DeadLetterID(l.Kind, l.ExecutionID, key)
}

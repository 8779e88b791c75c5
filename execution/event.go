package execution

import "encoding/json"

// Event is something that happened, for one execution (S15).
type Event struct {
	ID     string // applied at most once under it (P4)
	Name   string
	Data   json.RawMessage // canonical JSON object; empty means {}
	Origin string          // id of the sending execution, or empty
}

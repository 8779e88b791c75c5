package store

import (
	"math"
	"time"
)

// checkSnapshot checks what creations and commits have in common. declared are
// the attribute names of the store.
func (l *Limits) checkSnapshot(s *Snapshot, declared []string) error {
	if err := checkID("definition version", s.DefinitionVersion); err != nil {
		return err
	}
	if err := checkLabel("outcome", s.Outcome); err != nil {
		return err
	}
	for _, leaf := range CutLeaves(s.Leaves) {
		if err := checkText("leaves", leaf); err != nil {
			return err
		}
	}
	if err := checkOptionalTime("entered at", s.EnteredAt); err != nil {
		return err
	}
	if s.Format != 0 && s.Format != CurrentFormat {
		return invalid("format", "not the current one")
	}
	if err := checkStatus(s); err != nil {
		return err
	}
	if err := l.checkTimers(s); err != nil {
		return err
	}
	if err := l.checkAttrs(s.Attrs, declared); err != nil {
		return err
	}
	if err := checkParked(s.Parked); err != nil {
		return err
	}
	return checkJSON("data", s.Data, l.Data)
}

// checkStatus checks the status and that Ended fits it: DONE and CANCELLED are
// ends, FAILED may be one, the others are none.
func checkStatus(s *Snapshot) error {
	fits := true
	switch s.Status {
	case Done, Cancelled:
		fits = s.Ended
	case Pending, Running, Cancelling, Suspended:
		fits = !s.Ended
	case Failed:
	default:
		return invalid("status", "not one of the seven")
	}
	if !fits {
		return invalid("ended", "does not fit the status")
	}
	return nil
}

// checkTimers checks the armed timers. Only what runs and is not held has any:
// the poll for due timers knows nothing but their dates (D70, D72).
func (l *Limits) checkTimers(s *Snapshot) error {
	if len(s.Timers) == 0 {
		return nil
	}
	if s.Parked != nil || s.Status != Running && s.Status != Cancelling {
		return invalid("timers", "armed while pending, held or ended")
	}
	if len(s.Timers) > l.Timers {
		return tooLarge("timers", len(s.Timers), l.Timers)
	}
	for name, due := range s.Timers {
		if err := CheckTimerName(name); err != nil {
			return err
		}
		if err := CheckTime("timer due date", due); err != nil {
			return err
		}
	}
	return nil
}

func checkParked(p *Parked) error {
	if p == nil {
		return nil
	}
	if err := checkLabel("parked event id", p.EventID); err != nil {
		return err
	}
	if err := checkLabel("parked reason", p.Reason); err != nil {
		return err
	}
	return CheckTime("parked at", p.At)
}

// checkAttrs checks search attributes: declared names, the five types, both caps.
func (l *Limits) checkAttrs(attrs map[string]Attr, declared []string) error {
	if len(attrs) > l.Attrs {
		return tooLarge("attributes", len(attrs), l.Attrs)
	}
	total := 0
	for name, value := range attrs {
		if err := checkAttr(name, value, declared); err != nil {
			return err
		}
		total += len(name) + attrSize(value)
	}
	if total > l.AttrBytes {
		return tooLarge("attributes", total, l.AttrBytes)
	}
	return nil
}

func checkAttr(name string, value Attr, declared []string) error {
	if !isDeclared(name, declared) {
		return invalid("attribute name", "not declared")
	}
	switch v := value.(type) {
	case string:
		if len(v) > maxAttrText {
			return tooLarge("attribute "+name, len(v), maxAttrText)
		}
		return checkText("attribute", v)
	case int64, bool:
		return nil
	case float64:
		if math.IsNaN(v) {
			return invalid("attribute "+name, "not a number")
		}
		return nil
	case time.Time:
		return CheckTime("attribute", v)
	}
	return invalid("attribute "+name, "not a string, int64, float64, bool or time")
}

func isDeclared(name string, declared []string) bool {
	for _, d := range declared {
		if d == name {
			return true
		}
	}
	return false
}

func attrSize(value Attr) int {
	if text, ok := value.(string); ok {
		return len(text)
	}
	return 8
}

// CheckAttributes checks the names that a store is told to declare. They become
// field names, so they are plain: a letter, then letters, digits and underscores,
// at most 64 bytes (D5).
func CheckAttributes(declared []string) error {
	seen := make(map[string]bool, len(declared))
	for _, name := range declared {
		if !isPlainName(name) {
			return invalid("declared attribute", "not a letter followed by up to 63 letters, digits or underscores")
		}
		if seen[name] {
			return invalid("declared attribute", "declared twice")
		}
		seen[name] = true
	}
	if len(declared) > 64 {
		return invalid("declared attributes", "more than 64")
	}
	return nil
}

func isPlainName(name string) bool {
	if name == "" || len(name) > 64 {
		return false
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return true
}

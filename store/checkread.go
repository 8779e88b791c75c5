package store

import (
	"fmt"
	"time"
)

// CheckPoll checks q for a store of the given number of shards and returns the
// limit of the page. No shards is no mistake: there is nothing to poll.
func (l *Limits) CheckPoll(q *PollQuery, shards int) (limit int, err error) {
	return l.checkPollPage(q, shards, l.PollPage)
}

// CheckDue is CheckPoll for a page of due timers.
func (l *Limits) CheckDue(q *PollQuery, shards int) (limit int, err error) {
	return l.checkPollPage(q, shards, l.DuePage)
}

func (l *Limits) checkPollPage(q *PollQuery, shards, page int) (limit int, err error) {
	if err := CheckShards(q.Shards, shards); err != nil {
		return 0, err
	}
	if err := CheckTime("until", q.Until); err != nil {
		return 0, err
	}
	if len(q.Exclude) > l.Exclude {
		return 0, invalid("exclude", "more ids than a poll may exclude")
	}
	if err := CheckIDs("exclude", q.Exclude); err != nil {
		return 0, err
	}
	return CheckLimit(q.Limit, page, page)
}

// CheckShards checks shard numbers.
func CheckShards(numbers []int, shards int) error {
	for _, n := range numbers {
		if n < 0 || n >= shards {
			return invalid("shards", "a number that is no shard of this store")
		}
	}
	return nil
}

// CheckLease checks the arguments of the lease calls.
func CheckLease(owner string, numbers []int, shards int, ttl time.Duration) error {
	if err := checkID("owner", owner); err != nil {
		return err
	}
	if err := CheckShards(numbers, shards); err != nil {
		return err
	}
	return CheckTTL(ttl)
}

// CheckWorker checks the arguments of Announce.
func CheckWorker(w *Worker, ttl time.Duration) error {
	if err := checkID("owner", w.Owner); err != nil {
		return err
	}
	if err := checkLabel("name", w.Name); err != nil {
		return err
	}
	if err := CheckTime("started at", w.StartedAt); err != nil {
		return err
	}
	return CheckTTL(ttl)
}

// CheckTTL refuses leases that are too short to be renewed in time, or absurdly
// long.
func CheckTTL(ttl time.Duration) error {
	if ttl < MinLeaseTTL || ttl > 24*time.Hour {
		return invalid("ttl", fmt.Sprintf("not within %v to 24h", MinLeaseTTL))
	}
	return nil
}

// CheckList checks a filter and a page, and decodes the cursor: the key of the
// last row that was seen, nil on the first page.
func (l *Limits) CheckList(f *Filter, p *Page, declared []string, prefix string) (*CursorKey, error) {
	if err := l.CheckFilter(f, declared); err != nil {
		return nil, err
	}
	if p.Order != ByID && p.Order != NewestFirst {
		return nil, invalid("order", "neither by id nor newest first")
	}
	return l.checkPage(p, func() CursorScope { return ListScope(*f, p.Order, prefix) })
}

// CheckLetterList is CheckList for dead letters.
func (l *Limits) CheckLetterList(f *DeadLetterFilter, p *Page, prefix string) (*CursorKey, error) {
	for _, s := range []string{f.ExecutionID, f.Kind, f.Reason} {
		if err := checkLabel("filter", s); err != nil {
			return nil, err
		}
	}
	return l.checkPage(p, func() CursorScope { return DeadLetterScope(*f, prefix) })
}

func (l *Limits) checkPage(p *Page, scope func() CursorScope) (*CursorKey, error) {
	if p.Limit < 1 || p.Limit > l.ListPage {
		return nil, invalid("limit", fmt.Sprintf("not within 1 to %d", l.ListPage))
	}
	if p.Cursor == "" {
		return nil, nil
	}
	key, err := scope().Decode(p.Cursor)
	if err != nil {
		return nil, err
	}
	return &key, nil
}

// CheckFilter checks a filter.
func (l *Limits) CheckFilter(f *Filter, declared []string) error {
	for _, s := range []string{f.DefinitionID, f.DefinitionVersion, f.ParentID, f.RootID} {
		if err := checkLabel("filter", s); err != nil {
			return err
		}
	}
	if err := checkText("filter", f.Leaf); err != nil {
		return err
	}
	for _, status := range f.Statuses {
		if err := checkText("filter status", string(status)); err != nil {
			return err
		}
	}
	for _, t := range []time.Time{f.CreatedFrom, f.CreatedTo, f.UpdatedFrom, f.UpdatedTo} {
		if err := checkOptionalTime("filter date", t); err != nil {
			return err
		}
	}
	return l.checkAttrs(f.Attrs, declared)
}

// CheckRetry checks r.
func CheckRetry(r *Retry) error {
	if err := checkID("id", r.ID); err != nil {
		return err
	}
	if err := checkLabel("target id", r.TargetID); err != nil {
		return err
	}
	if r.Attempts < 0 {
		return invalid("attempts", "negative")
	}
	return CheckTime("at", r.At)
}

// CheckAcks checks acks.
func CheckAcks(acks []Ack) error {
	for i := range acks {
		if err := checkID("id", acks[i].ID); err != nil {
			return err
		}
	}
	return nil
}

// CheckLetter checks a dead letter and sets its id, which follows from its other
// fields (D52); an id that is set already has to be that one.
func (l *Limits) CheckLetter(d *DeadLetter) error {
	switch d.Kind {
	case LetterInbox:
		if d.EventID == "" {
			return invalid("event id", "empty")
		}
	case LetterOutbox, LetterSpawn:
	default:
		return invalid("kind", "not inbox, outbox or spawn")
	}
	if err := checkID("execution id", d.ExecutionID); err != nil {
		return err
	}
	for _, f := range []struct{ name, text string }{
		{"target id", d.TargetID}, {"definition id", d.DefinitionID}, {"event id", d.EventID}, {"from", d.From}, {"reason", d.Reason},
	} {
		if err := checkLabel(f.name, f.text); err != nil {
			return err
		}
	}
	if d.ID != "" && d.ID != d.id() {
		return invalid("id", "not the one that follows from the other fields")
	}
	d.ID = d.id()
	if err := checkOptionalJSON("event", d.Event, l.Event); err != nil {
		return err
	}
	if err := checkOptionalJSON("spawn", d.Spawn, l.Event+l.SpawnContext+64*kib); err != nil {
		return err
	}
	return CheckTime("at", d.At)
}

// CheckLetterID checks the id of a dead letter, which is longer than other ids.
func CheckLetterID(id string) error {
	if id == "" || len(id) > 3*maxID {
		return invalid("id", "empty, or longer than one of a dead letter")
	}
	return checkText("id", id)
}

// CheckBlock checks the arguments of NextBlock.
func CheckBlock(name string, n int64) error {
	if err := checkID("name", name); err != nil {
		return err
	}
	if n < 1 {
		return invalid("n", "less than 1")
	}
	return nil
}

// CheckAppend checks the arguments of AppendTrace.
func (l *Limits) CheckAppend(id string, step *TraceStep) error {
	if err := checkID("id", id); err != nil {
		return err
	}
	if err := CheckTime("trace at", step.At); err != nil {
		return err
	}
	return l.checkStep(step)
}

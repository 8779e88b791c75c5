package store

import "slices"

// CheckCreation checks c before any I/O. declared are the attribute names of the
// store. The error is ErrInvalidArgument or ErrTooLarge.
func (l *Limits) CheckCreation(c *Creation, declared []string) error {
	return OpError("create", c.ID, l.checkCreation(c, declared))
}

func (l *Limits) checkCreation(c *Creation, declared []string) error {
	for _, f := range []struct{ name, id string }{
		{"id", c.ID}, {"definition id", c.DefinitionID}, {"request id", c.RequestID},
	} {
		if err := checkID(f.name, f.id); err != nil {
			return err
		}
	}
	for _, f := range []struct{ name, id string }{
		{"parent id", c.ParentID}, {"root id", c.RootID}, {"start id", c.StartID},
	} {
		if err := checkLabel(f.name, f.id); err != nil {
			return err
		}
	}
	switch {
	case c.ParentID == "" && c.RootID != "" && c.RootID != c.ID:
		return invalid("root id", "another id on an execution without a parent")
	case c.ParentID != "" && (c.RootID == "" || c.RootID == c.ID):
		return invalid("root id", "missing, or the own id, on a child")
	case c.ParentID == "" && c.SpawnSeq != 0 || c.SpawnSeq < 0:
		return invalid("spawn seq", "negative, or on a root")
	case c.Priority < 0 || c.Priority > maxPriority:
		return invalid("priority", "not 0 to 4")
	case c.ParentID == "" && c.Status == Failed && c.Ended:
		return invalid("ended", "a failed root is held, not ended")
	}
	if err := CheckTime("now", c.Now); err != nil {
		return err
	}
	if err := l.checkInbox(c.Inbox); err != nil {
		return err
	}
	if err := l.checkGiven(c.Emits, c.Spawns, c.Trace); err != nil {
		return err
	}
	return l.checkSnapshot(&c.Snapshot, declared)
}

// CheckCommit checks c before any I/O, as CheckCreation does.
func (l *Limits) CheckCommit(c *Commit, declared []string) error {
	if err := l.checkCommit(c, declared); err != nil {
		return OpError("commit", c.ID, err)
	}
	return nil
}

func (l *Limits) checkCommit(c *Commit, declared []string) error {
	if err := checkID("id", c.ID); err != nil {
		return err
	}
	if c.Version < 1 {
		return invalid("version", "less than 1")
	}
	if err := l.checkHandled(c.Handled); err != nil {
		return err
	}
	if err := CheckTime("now", c.Now); err != nil {
		return err
	}
	if err := l.checkGiven(c.Emits, c.Spawns, c.Trace); err != nil {
		return err
	}
	return l.checkSnapshot(&c.Snapshot, declared)
}

// checkHandled checks that a commit handles at least one id, each once (D18).
func (l *Limits) checkHandled(handled []string) error {
	switch {
	case len(handled) == 0:
		return invalid("handled", "no event id")
	case len(handled) > l.Handled:
		return invalid("handled", "more event ids than one commit may handle")
	}
	if err := CheckIDs("handled", handled); err != nil {
		return err
	}
	return checkDistinct("handled", handled)
}

// checkDistinct refuses doubled ids. Handled ids are few: comparing all pairs is
// cheaper than a map.
func checkDistinct(field string, ids []string) error {
	if len(ids) > 64 {
		sorted := slices.Sorted(slices.Values(ids))
		if len(slices.Compact(sorted)) < len(ids) {
			return invalid(field, "an id twice")
		}
		return nil
	}
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			return invalid(field, "an id twice")
		}
	}
	return nil
}

// checkGiven checks what a step gives out: entries one by one, then the caps of
// the step.
func (l *Limits) checkGiven(emits []Emit, spawns []Spawn, trace []TraceStep) error {
	if err := l.checkEmits(emits); err != nil {
		return err
	}
	if err := l.checkSpawns(spawns); err != nil {
		return err
	}
	if len(trace) > MaxPerWrite {
		return tooLarge("trace steps", len(trace), MaxPerWrite)
	}
	for i := range trace {
		if err := l.checkStep(&trace[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkStep checks one trace step. An oversized one is cut, not refused (D64),
// so it is not looked into.
func (l *Limits) checkStep(step *TraceStep) error {
	if err := checkOptionalTime("trace at", step.At); err != nil {
		return err
	}
	if len(step.Step) > l.TraceStep {
		return nil
	}
	return checkJSON("trace step", step.Step, l.TraceStep)
}

func (l *Limits) checkEmits(emits []Emit) error {
	if len(emits) > MaxPerWrite {
		return tooLarge("emits", len(emits), MaxPerWrite)
	}
	total := 0
	for i := range emits {
		e := &emits[i]
		switch e.Kind {
		case EmitEvent, EmitControl, EmitDead:
		default:
			return invalid("emit kind", "not an event, control or dead")
		}
		if err := checkID("emit id", e.ID); err != nil {
			return err
		}
		if err := checkLabel("emit target id", e.TargetID); err != nil {
			return err
		}
		if err := checkLabel("emit reason", e.Reason); err != nil {
			return err
		}
		if err := checkJSON("emit event", e.Event, l.Event); err != nil {
			return err
		}
		total += len(e.Event)
	}
	if total > l.OutboxStep {
		return tooLarge("emits of one step", total, l.OutboxStep)
	}
	return nil
}

func (l *Limits) checkSpawns(spawns []Spawn) error {
	if len(spawns) > MaxPerWrite {
		return tooLarge("spawns", len(spawns), MaxPerWrite)
	}
	total := 0
	for i := range spawns {
		s := &spawns[i]
		for _, f := range [...]struct{ name, id string }{
			{"spawn child id", s.ChildID}, {"spawn definition id", s.DefinitionID}, {"spawn definition version", s.DefinitionVersion},
		} {
			if err := checkID(f.name, f.id); err != nil {
				return err
			}
		}
		if err := checkText("spawn root path", s.RootPath); err != nil {
			return err
		}
		if err := checkText("spawn site", s.Site.Path); err != nil {
			return err
		}
		if err := checkOptionalJSON("spawn context", s.Context, l.SpawnContext); err != nil {
			return err
		}
		if err := checkJSON("spawn event", s.Event, l.Event); err != nil {
			return err
		}
		total += len(s.Context) + len(s.Event)
	}
	if total > l.SpawnStep {
		return tooLarge("spawns of one step", total, l.SpawnStep)
	}
	return nil
}

// CheckPush checks p before any I/O.
func (l *Limits) CheckPush(p *Push) error {
	return OpError("push", p.ID, l.checkPush(p))
}

func (l *Limits) checkPush(p *Push) error {
	if err := checkID("id", p.ID); err != nil {
		return err
	}
	if len(p.Entries) == 0 {
		return invalid("entries", "none")
	}
	if err := CheckTime("now", p.Now); err != nil {
		return err
	}
	return l.checkInbox(p.Entries)
}

func (l *Limits) checkInbox(entries []InboxEntry) error {
	if len(entries) > MaxPerWrite {
		return tooLarge("entries", len(entries), MaxPerWrite)
	}
	total := 0
	for i := range entries {
		e := &entries[i]
		if err := checkID("event id", e.ID); err != nil {
			return err
		}
		if err := checkLabel("from", e.From); err != nil {
			return err
		}
		if err := checkJSON("event", e.Event, l.Event); err != nil {
			return err
		}
		total += len(e.Event)
	}
	if total > l.PushBytes {
		return tooLarge("events of one push", total, l.PushBytes)
	}
	return checkDistinctEntries(entries)
}

func checkDistinctEntries(entries []InboxEntry) error {
	if len(entries) < 2 {
		return nil
	}
	ids := make([]string, len(entries))
	for i := range entries {
		ids[i] = entries[i].ID
	}
	return checkDistinct("event id", ids)
}

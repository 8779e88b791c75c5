package execution

// proceed is no disposition: the step goes on.
const proceed Disposition = ""

// admit decides by the status what may happen (S75).
func admit(s *Snapshot, op *operation) Disposition {
	child := s.ParentID != ""
	switch op.kind {
	case opEvent:
		return admitEvent(s)
	case opTimer, opFinished:
		return admitReport(s)
	case opStart:
		return allowed(s.Status == Pending)
	case opCancel:
		return allowed(s.Status == Pending || s.Status == Suspended || s.Status.active() || s.Status == Failed && !child)
	case opStop:
		return allowed(s.Status == Pending || s.Status == Suspended || s.Status.active())
	case opTerminate:
		return allowed(!s.Ended())
	case opSuspend:
		if s.Status == Pending {
			return Held
		}
		return allowed(s.Status == Suspended || s.Status.active())
	case opResume, opSetState:
		return allowed(s.Status == Suspended || s.Status.active())
	case opRetry:
		return allowed(s.Status == Failed && !child)
	case opReset:
		return allowed(!child)
	}
	return Refused
}

func allowed(ok bool) Disposition {
	if ok {
		return proceed
	}
	return Refused
}

func admitEvent(s *Snapshot) Disposition {
	switch {
	case s.Status.active():
		return proceed
	case s.Held():
		return Held
	}
	return Dead
}

func admitReport(s *Snapshot) Disposition {
	switch {
	case s.Status.active():
		return proceed
	case s.Status == Pending:
		return Stale
	case s.Held():
		return Held
	}
	return Stale
}

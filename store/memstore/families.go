package memstore

import "sync"

// families lists the executions of a root other than the root itself, which saves
// Purge a scan. It is changed under the lock of the shard of the member.
type families struct {
	mu      sync.Mutex
	members map[string]map[string]struct{} // by root
}

func (f *families) add(r *record) {
	if r.parentID == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.members == nil {
		f.members = make(map[string]map[string]struct{})
	}
	if f.members[r.rootID] == nil {
		f.members[r.rootID] = make(map[string]struct{})
	}
	f.members[r.rootID][r.id] = struct{}{}
}

func (f *families) remove(r *record) {
	if r.parentID == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.members[r.rootID], r.id)
	if len(f.members[r.rootID]) == 0 {
		delete(f.members, r.rootID)
	}
}

func (f *families) of(root string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids := make([]string, 0, len(f.members[root]))
	for id := range f.members[root] {
		ids = append(ids, id)
	}
	return ids
}

package execution

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// Decode reads a snapshot. It returns ErrInvalidSnapshot for one that is damaged
// or of a newer format. It keeps no reference to data.
func Decode(data []byte) (*Snapshot, error) {
	r := jsonvalue.NewReader(data)
	s := &Snapshot{}
	seen := 0
	r.BeginObject()
	for r.More() {
		if key := r.Field(); s.read(r, key) {
			seen++
		} else {
			s.extra = append(s.extra, unknown(r, key))
		}
	}
	r.EndObject()
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("decode %q: %w: %w", s.ID, ErrInvalidSnapshot, err)
	}
	if fault := s.damage(seen); fault != "" {
		return nil, fmt.Errorf("decode %q: %w: %s", s.ID, ErrInvalidSnapshot, fault)
	}
	s.order()
	return s, nil
}

// snapshotFields is how many fields a snapshot has; all are always written.
const snapshotFields = 25

func (s *Snapshot) damage(seen int) string {
	switch {
	case s.Format > Format:
		return fmt.Sprintf("format %d is newer than %d", s.Format, Format)
	case s.Format < 1:
		return "no format"
	case seen != snapshotFields:
		return "fields are missing"
	case !s.Status.valid():
		return fmt.Sprintf("status %q", s.Status)
	case s.ID == "" || s.DefinitionID == "":
		return "no id"
	case s.Priority < 0 || s.Priority > 4:
		return "priority"
	case s.EntrySeq < 0 || s.Run < 1 || s.Steps < 0 || s.Version < 0:
		return "a negative count"
	case slices.ContainsFunc(s.InvokeSeq, func(n NextSeq) bool { return n.Next < 0 }):
		return "a negative seq"
	}
	for i := range s.Sites {
		if fault := s.Sites[i].damage(); fault != "" {
			return fmt.Sprintf("site %q: %s", s.Sites[i].Path, fault)
		}
	}
	return ""
}

// maxChildren is far above any limit that makes sense. It keeps a damaged number
// from looking like work for years.
const maxChildren = 1 << 24

func (s *Site) damage() string {
	switch s.Kind {
	case SiteRegions, SiteInvoke, SiteEach:
	default:
		return "kind"
	}
	counts := []int64{s.Seq, s.Total, s.Passed, s.Failed, s.Cancelled, s.Next}
	if slices.Min(counts) < 0 || s.over() > s.Total || s.Next > s.Total {
		return "counts"
	}
	if s.Total > maxChildren || int64(len(s.Finished)) > (s.Total+7)/8 {
		return "size"
	}
	return ""
}

// read reads a known field and reports whether it is one.
func (s *Snapshot) read(r *jsonvalue.Reader, key string) bool {
	switch key {
	case "active_path":
		r.TextOrNull() // follows from configuration
	case "cancel":
		if !r.Null() {
			s.Cancel = readObject(r)
		}
	case "children":
		s.Children = readChildren(r)
	case "configuration":
		s.Configuration = readTexts(r)
	case "context":
		s.Context = readObject(r)
	case "deferred":
		r.BeginArray()
		for r.More() {
			s.Deferred = append(s.Deferred, readEvent(r))
		}
		r.EndArray()
	case "definition_id":
		s.DefinitionID = r.Text()
	case "definition_version":
		s.DefinitionVersion = r.Text()
	case "entry_seq":
		s.EntrySeq = r.Int()
	case "error":
		s.Error, _ = r.TextOrNull()
	case "format":
		s.Format = r.Int()
	case "history":
		s.History = readHistory(r)
	case "id":
		s.ID = r.Text()
	case "invoke_seq":
		s.InvokeSeq = readSeqs(r)
	default:
		return s.readRest(r, key)
	}
	return true
}

func (s *Snapshot) readRest(r *jsonvalue.Reader, key string) bool {
	switch key {
	case "outcome":
		s.Outcome, _ = r.TextOrNull()
	case "parent_id":
		s.ParentID, _ = r.TextOrNull()
	case "parent_site":
		if !r.Null() {
			s.ParentSite = readSiteRef(r)
		}
	case "priority":
		s.Priority = int(r.Int())
	case "root_path":
		s.RootPath = r.Text()
	case "run":
		s.Run = r.Int()
	case "sites":
		s.Sites = readSites(r)
	case "status":
		s.Status = Status(r.Text())
	case "steps":
		s.Steps = r.Int()
	case "timers":
		s.Timers = readTimers(r)
	case "version":
		s.Version = r.Int()
	default:
		return false
	}
	return true
}

// order sorts what is kept sorted. What we wrote is sorted already.
func (s *Snapshot) order() {
	slices.Sort(s.Configuration)
	sortBy(s.History, func(x Recorded) string { return x.Path })
	sortBy(s.Timers, func(x Timer) string { return x.Name })
	sortBy(s.Sites, func(x Site) string { return x.Path })
	sortBy(s.Children, func(x Child) string { return x.ID })
	sortBy(s.InvokeSeq, func(x NextSeq) string { return x.Path })
	sortBy(s.extra, func(x field) string { return x.key })
}

func sortBy[T any](list []T, key func(T) string) {
	if len(list) > 1 {
		slices.SortFunc(list, func(a, b T) int { return strings.Compare(key(a), key(b)) })
	}
}

// unknown reads the value of a field that this version does not know. key may be
// part of the input.
func unknown(r *jsonvalue.Reader, key string) field {
	f := field{key: strings.Clone(key)}
	raw := r.Raw()
	if r.Err() != nil {
		return f
	}
	out, err := jsonvalue.Canonical(raw)
	if err != nil {
		r.Fail(err, "")
	}
	f.value = slices.Clone(out)
	return f
}

func readTexts(r *jsonvalue.Reader) []string {
	var list []string
	r.BeginArray()
	for r.More() {
		list = append(list, r.Text())
	}
	r.EndArray()
	return list
}

// readFields calls read for each member of an object whose keys are known; key is
// part of the input.
func readFields(r *jsonvalue.Reader, read func(key string)) {
	r.BeginObject()
	for r.More() {
		read(r.Field())
	}
	r.EndObject()
}

// readMap calls read for each member of an object whose keys are kept.
func readMap(r *jsonvalue.Reader, read func(key string)) {
	r.BeginObject()
	for r.More() {
		read(r.Key())
	}
	r.EndObject()
}

func readHistory(r *jsonvalue.Reader) (list []Recorded) {
	readMap(r, func(path string) {
		states := readTexts(r)
		slices.Sort(states)
		list = append(list, Recorded{Path: path, States: states})
	})
	return list
}

func readSeqs(r *jsonvalue.Reader) (list []NextSeq) {
	readMap(r, func(path string) { list = append(list, NextSeq{Path: path, Next: r.Int()}) })
	return list
}

func readSiteRef(r *jsonvalue.Reader) *SiteRef {
	ref := &SiteRef{}
	readFields(r, func(key string) {
		switch key {
		case "index":
			ref.Index = r.Int()
		case "path":
			ref.Path = r.Text()
		case "seq":
			ref.Seq = r.Int()
		default:
			r.Raw()
		}
	})
	return ref
}

func readChildren(r *jsonvalue.Reader) (list []Child) {
	readMap(r, func(id string) {
		c := Child{ID: id}
		readFields(r, func(key string) {
			switch key {
			case "finished":
				c.Finished = r.Bool()
			case "key":
				c.Key = r.Text()
			case "outcome":
				c.Outcome, _ = r.TextOrNull()
			case "result":
				c.Result = readObject(r)
			case "root_path":
				c.RootPath = r.Text()
			case "status":
				c.Status = Status(r.Text())
			case "submachine":
				c.Submachine = r.Bool()
			default:
				c.extra = append(c.extra, unknown(r, key))
			}
		})
		sortBy(c.extra, func(x field) string { return x.key })
		list = append(list, c)
	})
	return list
}

func readSites(r *jsonvalue.Reader) (list []Site) {
	readMap(r, func(path string) {
		s := Site{Path: path}
		readFields(r, func(key string) { s.read(r, key) })
		sortBy(s.extra, func(x field) string { return x.key })
		slices.SortFunc(s.Results, func(a, b Kept) int { return int(a.Index - b.Index) })
		list = append(list, s)
	})
	return list
}

func (s *Site) read(r *jsonvalue.Reader, key string) {
	switch key {
	case "kind":
		s.Kind = SiteKind(r.Text())
	case "seq":
		s.Seq = r.Int()
	case "total":
		s.Total = r.Int()
	case "passed":
		s.Passed = r.Int()
	case "failed":
		s.Failed = r.Int()
	case "cancelled":
		s.Cancelled = r.Int()
	case "next":
		s.Next = r.Int()
	case "finished":
		bitmap, err := hex.DecodeString(r.Text())
		if err != nil {
			r.Fail(jsonvalue.ErrType, "bitmap")
		}
		s.Finished = bitmap
	case "results":
		readMap(r, func(index string) {
			i, err := strconv.ParseInt(index, 10, 64)
			if err != nil {
				r.Fail(jsonvalue.ErrType, "index of a result")
			}
			s.Results = append(s.Results, Kept{Index: i, Data: readObject(r)})
		})
	default:
		s.extra = append(s.extra, unknown(r, key))
	}
}

func readTimers(r *jsonvalue.Reader) (list []Timer) {
	readMap(r, func(name string) {
		t := Timer{Name: name}
		readFields(r, func(key string) {
			switch key {
			case "at":
				t.At = r.Int()
			case "entry":
				t.Entry = r.Int()
			case "event":
				e := readEvent(r)
				t.Event = &e
			case "target":
				t.To = readTarget(r)
			default:
				t.extra = append(t.extra, unknown(r, key))
			}
		})
		sortBy(t.extra, func(x field) string { return x.key })
		if (t.Event != nil) != strings.HasPrefix(name, "send:") {
			r.Fail(jsonvalue.ErrType, "timer "+name)
		}
		list = append(list, t)
	})
	return list
}

func readTarget(r *jsonvalue.Reader) Target {
	if r.Null() {
		return Target{}
	}
	raw := r.Raw()
	if len(raw) == 0 || raw[0] == '"' {
		var id string
		if json.Unmarshal(raw, &id) != nil {
			r.Fail(jsonvalue.ErrType, "target of a timer")
		}
		return Target{ID: id}
	}
	obj, err := jsonvalue.DecodeObject(raw)
	site, ok := obj["children"].(string)
	if err != nil || !ok {
		r.Fail(jsonvalue.ErrType, "target of a timer")
	}
	return Target{Children: true, Site: site}
}

package execution

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// writer writes one canonical object: keys come in bytewise order, and unknown
// fields that were kept are written where they belong.
type writer struct {
	dst   []byte
	extra []field
	next  byte // '{' before the first member, then ','
}

func (w *writer) key(name string) {
	for len(w.extra) > 0 && w.extra[0].key < name {
		w.member(w.extra[0].key)
		w.dst = append(w.dst, w.extra[0].value...)
		w.extra = w.extra[1:]
	}
	w.member(name)
}

func (w *writer) member(name string) {
	w.dst = append(w.dst, w.next)
	w.next = ','
	w.dst = jsonvalue.AppendText(w.dst, name)
	w.dst = append(w.dst, ':')
}

func (w *writer) end() []byte {
	for _, f := range w.extra {
		w.member(f.key)
		w.dst = append(w.dst, f.value...)
	}
	if w.next == '{' {
		w.dst = append(w.dst, '{')
	}
	return append(w.dst, '}')
}

func (w *writer) text(name, v string) {
	w.key(name)
	w.dst = jsonvalue.AppendText(w.dst, v)
}

func (w *writer) textOrNull(name, v string) {
	w.key(name)
	w.dst = appendTextOrNull(w.dst, v)
}

func (w *writer) int(name string, v int64) {
	w.key(name)
	w.dst = strconv.AppendInt(w.dst, v, 10)
}

func (w *writer) bool(name string, v bool) {
	w.key(name)
	w.dst = strconv.AppendBool(w.dst, v)
}

func (w *writer) object(name string, v []byte) {
	w.key(name)
	w.dst = append(w.dst, orEmpty(v)...)
}

// Encode returns the stored form of s: canonical JSON with all fields (S83).
func (s *Snapshot) Encode() []byte { return s.Append(make([]byte, 0, s.bound(1))) }

// Append appends the stored form of s to dst.
func (s *Snapshot) Append(dst []byte) []byte {
	w := writer{dst: dst, extra: s.extra, next: '{'}
	w.textOrNull("active_path", s.ActivePath())
	w.key("cancel")
	if s.Cancel == nil {
		w.dst = append(w.dst, "null"...)
	} else {
		w.dst = append(w.dst, s.Cancel...)
	}
	w.key("children")
	w.dst = appendChildren(w.dst, s.Children)
	w.key("configuration")
	w.dst = appendTexts(w.dst, s.Configuration)
	w.object("context", s.Context)
	w.key("deferred")
	w.dst = appendEvents(w.dst, s.Deferred)
	w.text("definition_id", s.DefinitionID)
	w.text("definition_version", s.DefinitionVersion)
	w.int("entry_seq", s.EntrySeq)
	w.textOrNull("error", s.Error)
	w.int("format", s.Format)
	w.key("history")
	w.dst = appendHistory(w.dst, s.History)
	w.text("id", s.ID)
	w.key("invoke_seq")
	w.dst = appendSeqs(w.dst, s.InvokeSeq)
	w.textOrNull("outcome", s.Outcome)
	w.textOrNull("parent_id", s.ParentID)
	w.key("parent_site")
	w.dst = appendSiteRef(w.dst, s.ParentSite)
	w.int("priority", int64(s.Priority))
	w.text("root_path", s.RootPath)
	w.int("run", s.Run)
	w.key("sites")
	w.dst = appendSites(w.dst, s.Sites)
	w.text("status", string(s.Status))
	w.int("steps", s.Steps)
	w.key("timers")
	w.dst = appendTimers(w.dst, s.Timers)
	w.int("version", s.Version)
	return w.end()
}

func appendTexts(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonvalue.AppendText(dst, v)
	}
	return append(dst, ']')
}

func appendEvents(dst []byte, list []Event) []byte {
	dst = append(dst, '[')
	for i, e := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.Append(dst)
	}
	return append(dst, ']')
}

func appendHistory(dst []byte, list []Recorded) []byte {
	w := writer{dst: dst, next: '{'}
	for i := range list {
		w.key(list[i].Path)
		w.dst = appendTexts(w.dst, list[i].States)
	}
	return w.end()
}

func appendSeqs(dst []byte, list []NextSeq) []byte {
	w := writer{dst: dst, next: '{'}
	for i := range list {
		w.int(list[i].Path, list[i].Next)
	}
	return w.end()
}

func appendSiteRef(dst []byte, r *SiteRef) []byte {
	if r == nil {
		return append(dst, "null"...)
	}
	w := writer{dst: dst, next: '{'}
	w.int("index", r.Index)
	w.text("path", r.Path)
	w.int("seq", r.Seq)
	return w.end()
}

func appendChildren(dst []byte, list []Child) []byte {
	w := writer{dst: dst, next: '{'}
	for i := range list {
		c := &list[i]
		w.key(c.ID)
		e := writer{dst: w.dst, extra: c.extra, next: '{'}
		e.bool("finished", c.Finished)
		e.text("key", c.Key)
		e.textOrNull("outcome", c.Outcome)
		e.object("result", c.Result)
		e.text("root_path", c.RootPath)
		e.text("status", string(c.Status))
		e.bool("submachine", c.Submachine)
		w.dst = e.end()
	}
	return w.end()
}

func appendSites(dst []byte, list []Site) []byte {
	w := writer{dst: dst, next: '{'}
	for i := range list {
		s := &list[i]
		w.key(s.Path)
		e := writer{dst: w.dst, extra: s.extra, next: '{'}
		each := s.Kind == SiteEach
		e.int("cancelled", s.Cancelled)
		e.int("failed", s.Failed)
		if each {
			e.key("finished")
			e.dst = append(e.dst, '"')
			e.dst = hex.AppendEncode(e.dst, s.Finished)
			e.dst = append(e.dst, '"')
		}
		e.text("kind", string(s.Kind))
		if each {
			e.int("next", s.Next)
		}
		e.int("passed", s.Passed)
		if each {
			e.key("results")
			e.dst = appendResults(e.dst, s.Results)
		}
		e.int("seq", s.Seq)
		e.int("total", s.Total)
		w.dst = e.end()
	}
	return w.end()
}

// appendResults writes the kept results by decimal index, in bytewise order.
func appendResults(dst []byte, list []Kept) []byte {
	w := writer{dst: dst, next: '{'}
	for _, k := range byText(list) {
		w.object(k.key, k.data)
	}
	return w.end()
}

// byText returns the results under their decimal indexes, in bytewise order.
func byText(list []Kept) []keyed {
	out := make([]keyed, len(list))
	for i, k := range list {
		out[i] = keyed{decimal(k.Index), k.Data}
	}
	slices.SortFunc(out, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	return out
}

func appendTimers(dst []byte, list []Timer) []byte {
	w := writer{dst: dst, next: '{'}
	for i := range list {
		t := &list[i]
		w.key(t.Name)
		e := writer{dst: w.dst, extra: t.extra, next: '{'}
		e.int("at", t.At)
		e.int("entry", t.Entry)
		if t.Event != nil {
			e.key("event")
			e.dst = t.Event.Append(e.dst)
			e.key("target")
			e.dst = appendTarget(e.dst, t.To)
		}
		w.dst = e.end()
	}
	return w.end()
}

// appendTarget writes null for this execution, an id, or {"children": site path}.
func appendTarget(dst []byte, to Target) []byte {
	switch {
	case to.Children:
		w := writer{dst: dst, next: '{'}
		w.text("children", to.Site)
		return w.end()
	case to.ID == "":
		return append(dst, "null"...)
	}
	return jsonvalue.AppendText(dst, to.ID)
}

// bound is at least the length of the stored form, and cheap: it lets most steps
// go without encoding only to see that the snapshot is not too large. worst is by
// how much a text grows when it is written: 6 at most, 1 for a good guess.
func (s *Snapshot) bound(worst int) int {
	n := 600 + len(s.Context) + len(s.Cancel)
	t := len(s.ID) + len(s.DefinitionID) + len(s.DefinitionVersion) + len(s.RootPath) +
		len(s.Outcome) + len(s.Error) + len(s.ParentID) + len(s.ActivePath())
	if s.ParentSite != nil {
		n += 100
		t += len(s.ParentSite.Path)
	}
	for _, path := range s.Configuration {
		n += 4
		t += len(path)
	}
	for i := range s.History {
		n += 8 + 4*len(s.History[i].States)
		t += len(s.History[i].Path)
		for _, path := range s.History[i].States {
			t += len(path)
		}
	}
	for i := range s.Deferred {
		n += s.Deferred[i].bound(worst)
	}
	for i := range s.Timers {
		x := &s.Timers[i]
		n += 100 + extraBound(x.extra, worst)
		t += len(x.Name) + len(x.To.ID) + len(x.To.Site)
		if x.Event != nil {
			n += x.Event.bound(worst)
		}
	}
	for i := range s.Sites {
		x := &s.Sites[i]
		n += 250 + 2*len(x.Finished) + extraBound(x.extra, worst)
		t += len(x.Path)
		for _, k := range x.Results {
			n += 30 + len(k.Data)
		}
	}
	for i := range s.Children {
		c := &s.Children[i]
		n += 120 + len(c.Result) + extraBound(c.extra, worst)
		t += len(c.ID) + len(c.Key) + len(c.RootPath) + len(c.Outcome)
	}
	for i := range s.InvokeSeq {
		n += 24
		t += len(s.InvokeSeq[i].Path)
	}
	return n + worst*t + extraBound(s.extra, worst)
}

func (e *Event) bound(worst int) int {
	return 60 + worst*(len(e.ID)+len(e.Name)+len(e.Origin)) + len(e.Data)
}

func extraBound(list []field, worst int) int {
	n := 0
	for _, f := range list {
		n += worst*len(f.key) + len(f.value) + 4
	}
	return n
}

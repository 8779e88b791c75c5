package storetest

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// Verdict is what a case says of a store.
type Verdict struct {
	Failed  bool
	Skipped bool
	Log     string // what it complained about
}

// Judge runs the case of that id without failing tb. It is for stores that are wrong
// on purpose: the case that was written for the mistake has to fail.
func Judge(tb testing.TB, id string, open Open) Verdict {
	tb.Helper()
	r := &recorder{TB: tb}
	done := make(chan struct{})
	go func() { // FailNow ends the goroutine that it is called in
		defer close(done)
		defer r.cleanUp()
		defer func() {
			if p := recover(); p != nil {
				r.Errorf("panic: %v", p)
			}
		}()
		RunCase(r, id, open)
	}()
	<-done
	return r.verdict()
}

// recorder is a testing.TB that keeps failures to itself.
type recorder struct {
	testing.TB // for what has no consequences: Name, Context, TempDir

	mu       sync.Mutex
	v        Verdict
	log      []string
	cleanups []func()
}

func (r *recorder) verdict() Verdict {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.v.Log = strings.Join(r.log, "\n")
	return r.v
}

func (r *recorder) note(text string, change func(v *Verdict)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, text)
	change(&r.v)
}

func failed(v *Verdict)  { v.Failed = true }
func skipped(v *Verdict) { v.Skipped = true }
func nothing(*Verdict)   {}

func (r *recorder) Helper()                           {}
func (r *recorder) Log(args ...any)                   { r.note(fmt.Sprintln(args...), nothing) }
func (r *recorder) Logf(format string, args ...any)   { r.note(fmt.Sprintf(format, args...), nothing) }
func (r *recorder) Fail()                             { r.note("", failed) }
func (r *recorder) Error(args ...any)                 { r.note(fmt.Sprintln(args...), failed) }
func (r *recorder) Errorf(format string, args ...any) { r.note(fmt.Sprintf(format, args...), failed) }
func (r *recorder) Failed() bool                      { return r.verdict().Failed }
func (r *recorder) Skipped() bool                     { return r.verdict().Skipped }

func (r *recorder) FailNow() {
	r.Fail()
	runtime.Goexit()
}

func (r *recorder) Fatal(args ...any) {
	r.Error(args...)
	runtime.Goexit()
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

func (r *recorder) SkipNow() {
	r.note("", skipped)
	runtime.Goexit()
}

func (r *recorder) Skip(args ...any) {
	r.Log(args...)
	r.SkipNow()
}

func (r *recorder) Skipf(format string, args ...any) {
	r.Logf(format, args...)
	r.SkipNow()
}

func (r *recorder) Cleanup(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cleanups = append(r.cleanups, f)
}

// cleanUp runs the clean-ups of the case, the last one first.
func (r *recorder) cleanUp() {
	for {
		r.mu.Lock()
		n := len(r.cleanups)
		if n == 0 {
			r.mu.Unlock()
			return
		}
		f := r.cleanups[n-1]
		r.cleanups = r.cleanups[:n-1]
		r.mu.Unlock()
		f()
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"time"
)

// result is what a run has measured. Fields that do not apply to a scenario are absent.
type result struct {
	Scenario         string   `json:"scenario"`
	Store            string   `json:"store"`
	Clients          int      `json:"clients"`
	N                int      `json:"n"`
	Events           int64    `json:"events"`
	Seconds          float64  `json:"seconds"`
	EventsPerSecond  float64  `json:"events_per_second"`
	P50              *float64 `json:"p50_us,omitempty"`
	P99              *float64 `json:"p99_us,omitempty"`
	Max              *float64 `json:"max_us,omitempty"`
	Wins             *int64   `json:"wins,omitempty"`
	Conflicts        *int64   `json:"conflicts,omitempty"`
	Lost             *int64   `json:"lost,omitempty"`
	AppliedTwice     *int64   `json:"applied_twice,omitempty"`
	FinalVersion     *int64   `json:"final_version,omitempty"`
	CommandsPerEvent *float64 `json:"commands_per_event,omitempty"`
	Go               string   `json:"go"`
	Server           string   `json:"server"`
	CPUs             int      `json:"cpus"`

	cpuPerEvent time.Duration            // of this process
	commands    map[string]kindOfCommand // while the clock ran
}

func (b *backend) newResult() *result {
	return &result{
		Scenario: b.p.scenario.name, Store: b.p.store, Clients: b.p.clients, N: b.p.n,
		Go: runtime.Version(), Server: b.server, CPUs: runtime.GOMAXPROCS(0),
	}
}

// print writes r: one JSON object, or text for people.
func (r *result) print(w io.Writer, p params) error {
	if p.json {
		return json.NewEncoder(w).Encode(r)
	}
	out := &printer{w: w}
	out.line("%s on %s, %d CPUs (%s/%s), %s, %s", r.Scenario, r.Store, r.CPUs, runtime.GOOS, runtime.GOARCH, r.Go, r.Server)
	out.line("  %d clients, n %d%s", r.Clients, r.N, p.extras())
	out.line("  %d events in %.3f s: %.0f events/s", r.Events, r.Seconds, r.EventsPerSecond)
	out.line("  %v of CPU per event in this process", r.cpuPerEvent)
	if r.P50 != nil {
		out.line("  latency p50 %.0f µs, p99 %.0f µs, max %.0f µs", *r.P50, *r.P99, *r.Max)
	}
	if r.CommandsPerEvent != nil {
		out.line("  %.3f commands per event: %s", *r.CommandsPerEvent, list(r.commands))
	}
	if r.Wins != nil {
		out.line("  %d wins, %d conflicts, final version %d, %d lost, %d applied twice",
			*r.Wins, *r.Conflicts, *r.FinalVersion, *r.Lost, *r.AppliedTwice)
	}
	return out.err
}

// extras are the parameters that only some scenarios have.
func (p params) extras() string {
	switch p.scenario.name {
	case "cas":
		return fmt.Sprintf(", %d runtimes", p.runtimes)
	case "fork":
		return fmt.Sprintf(", %d regions", p.regions)
	}
	return ""
}

// printer keeps the first error of a series of writes.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func ptr[T any](v T) *T { return &v }

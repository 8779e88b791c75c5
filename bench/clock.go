package main

import (
	"slices"
	"syscall"
	"time"
)

// clock measures what happens between start and stop.
type clock struct {
	b        *backend
	began    time.Time
	cpu      time.Duration
	commands map[string]kindOfCommand
}

// start starts the clock.
func (b *backend) start() clock {
	return clock{b: b, commands: b.commands.snapshot(), cpu: cpuTime(), began: time.Now()}
}

// stop stops the clock and fills in the figures of events.
func (c clock) stop(res *result, events int64, latencies [][]time.Duration) {
	took := time.Since(c.began)
	res.commands = c.b.commands.since(c.commands)
	res.Events = events
	res.Seconds = took.Seconds()
	if events > 0 {
		res.EventsPerSecond = float64(events) / took.Seconds()
		res.cpuPerEvent = (cpuTime() - c.cpu) / time.Duration(events)
		if c.b.p.store == mongoDB {
			res.CommandsPerEvent = ptr(float64(total(res.commands)) / float64(events))
		}
	}
	res.setLatencies(slices.Concat(latencies...))
}

// setLatencies fills in the percentiles of all.
func (r *result) setLatencies(all []time.Duration) {
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	r.P50, r.P99, r.Max = micros(quantile(all, 0.50)), micros(quantile(all, 0.99)), micros(all[len(all)-1])
}

// cpuTime is what this process has used so far, of all CPUs: on a machine that is shared
// it says more than the clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// quantile returns the q-quantile of sorted values: the smallest that at least that
// share of them does not exceed.
func quantile(sorted []time.Duration, q float64) time.Duration {
	i := int(q * float64(len(sorted)))
	return sorted[min(i, len(sorted)-1)]
}

func micros(d time.Duration) *float64 { return ptr(float64(d.Nanoseconds()) / 1000) }

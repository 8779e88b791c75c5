// Package logkey names the keys of log records, so that one thing has one key in
// every package's log.
package logkey

// The keys.
const (
	Execution = "execution"
	Event     = "event"
	EventName = "event_name"
	Chart     = "chart"
	Version   = "chart_version"
	Target    = "target"
	Reason    = "reason"
	Error     = "error"
	Stack     = "stack"
	Attempt   = "attempt"
	Delay     = "delay"
	Shard     = "shard"
	Owner     = "owner"
	Part      = "part" // of the runtime: relay, timer, inbox, ...
	Count     = "count"
	Action    = "action"
	Operation = "operation"
)

package main

import (
	"time"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart/scxml"
)

// handlersOf makes Go actions of the blocks of a document.
func handlersOf(doc *scxml.Document) execution.Handlers {
	out := execution.Handlers{}
	for name, block := range doc.Blocks {
		out[name] = execution.Action(func(_ execution.Ctx, s *execution.Scope[map[string]any]) error {
			return block.Run(blockEnv{s})
		})
	}
	return out
}

// blockEnv lets a block work on the scope of an action.
type blockEnv struct {
	s *execution.Scope[map[string]any]
}

func (e blockEnv) Context() map[string]any { return *e.s.Context() }
func (e blockEnv) Event() (name string, data map[string]any, id string) {
	ev := e.s.Event()
	return ev.Name, ev.Map(), ev.ID
}
func (e blockEnv) In(path string) bool                  { return e.s.In(path) }
func (e blockEnv) ID() string                           { return e.s.ID() }
func (e blockEnv) Raise(name string, data any) error    { return e.s.Raise(name, data) }
func (e blockEnv) Send(to, name string, data any) error { return e.s.Send(to, name, data) }
func (e blockEnv) SendAfter(d time.Duration, id, to, name string, data any) error {
	return e.s.SendAfter(d, id, to, name, data)
}
func (e blockEnv) CancelSend(id string) { e.s.CancelSend(id) }
func (e blockEnv) Log(text string)      { e.s.Log(text) }

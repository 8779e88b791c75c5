package execution

import (
	"time"

	"github.com/durachart/durachart/statechart"
)

// call is one call of a handler.
type call struct {
	inputs []statechart.Input
}

func (c *call) event() Event                                               { return Event{} }
func (c *call) input(string) any                                           { return nil }
func (c *call) key() string                                                { return "" }
func (c *call) now() time.Time                                             { return time.Time{} }
func (c *call) id() string                                                 { return "" }
func (c *call) in(string) bool                                             { return false }
func (c *call) log(string)                                                 {}
func (c *call) cancelSend(string)                                          {}
func (c *call) raise(string, any) error                                    { return nil }
func (c *call) send(string, string, any) error                             { return nil }
func (c *call) sendAfter(time.Duration, string, string, string, any) error { return nil }

func act[C any](c *call, f func(Ctx, *Scope[C]) error) error {
	return f(background{}, &Scope[C]{c: c})
}

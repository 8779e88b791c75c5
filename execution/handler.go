package execution

import "reflect"

// Handlers are the Go actions, guards and selectors of charts, by the name that
// the chart uses, or that its bind gives (S72). Do not change them once they are
// in use. [Check] reports what a chart misses in them.
//
//	execution.Handlers{
//		"remember": execution.ActionOf(func(ctx execution.Ctx, s *execution.Scope[Order]) error { … }),
//		"small":    execution.GuardOf(func(v execution.View[Order]) (bool, error) { … }),
//	}
type Handlers map[string]Handler

// Handler is an action, a guard or a selector. Make one with [ActionOf],
// [GuardOf], [SelectOf], or from a function of type [Action], [Guard],
// [Selector].
type Handler interface{ handler() *handler }

// Action is the untyped form of an action: its context is a map.
type Action func(ctx Ctx, s *Scope[map[string]any]) error

// Guard is the untyped form of a guard.
type Guard func(v View[map[string]any]) (bool, error)

// Selector is the untyped form of a selector (S12).
type Selector func(v View[map[string]any]) (string, error)

// handler is what the step runs; exactly one function is set.
type handler struct {
	act   func(*call) error
	guard func(*call) (bool, error)
	pick  func(*call) (string, error)
	retry RetryPolicy
}

func (h *handler) handler() *handler { return h }

func (f Action) handler() *handler   { return ActionOf(f).handler() }
func (f Guard) handler() *handler    { return GuardOf(f).handler() }
func (f Selector) handler() *handler { return SelectOf(f).handler() }

// ActionOf makes an action over a context of type C: a struct as encoding/json
// knows it, or map[string]any. It may run more than once for one event, each
// time with the same [Scope.Key] (S74). If it returns an error or panics, nothing
// that it did in its scope remains.
func ActionOf[C any](f func(ctx Ctx, s *Scope[C]) error) Handler {
	known := keysOf(reflect.TypeFor[C]())
	return &handler{act: func(c *call) error { return act(c, f, known) }, retry: RetryPolicy{}.withDefaults()}
}

// GuardOf makes a guard over a context of type C. It may run any number of times
// and must depend on nothing but its view.
func GuardOf[C any](f func(v View[C]) (bool, error)) Handler {
	return &handler{guard: func(c *call) (bool, error) { return f(View[C]{c}) }}
}

// SelectOf makes a selector over a context of type C: the text that it returns
// picks the branch (S12). The same holds as for guards.
func SelectOf[C any](f func(v View[C]) (string, error)) Handler {
	return &handler{pick: func(c *call) (string, error) { return f(View[C]{c}) }}
}

// WithRetry gives an action its own policy for transient errors (S44).
func WithRetry(h Handler, p RetryPolicy) Handler {
	copied := *h.handler()
	copied.retry = p.withDefaults()
	return &copied
}

// find returns the handler of that name, or nil.
func (hs Handlers) find(name string) *handler {
	if h := hs[name]; h != nil {
		return h.handler()
	}
	return nil
}

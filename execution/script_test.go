package execution_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/execution/executiontest"
	"github.com/durachart/durachart/statechart"
)

// The stories. Each begins with a comment that names the rule which it shows.
func TestStories(t *testing.T) {
	executiontest.Run(t, "testdata", executiontest.Config{
		Charts: []*statechart.Chart{gate(t)}, Handlers: storyHandlers(),
	})
}

// gate is a chart made in Go.
func gate(t *testing.T) *statechart.Chart {
	b := statechart.New("gate").Version("1").Initial("Shut")
	b.State("Shut")
	b.State("Ajar").Timeout(5 * time.Second)
	b.From("Shut").To("Ajar").On("Open").Do(statechart.Call("count", "by", 2))
	b.From("Ajar").To("Shut").On("timeout")
	c, err := b.Build()
	require.NoError(t, err)
	return c
}

// Every rule of the specification that the step has to keep has a story.
func TestEveryRuleHasAStory(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^# ((?:S\d+ ?)+):`)
	told := map[string]bool{}
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
			for _, rule := range strings.Fields(m[1]) {
				told[rule] = true
			}
		}
	}
	var missing []string
	for n := 1; n <= 87; n++ {
		if rule := fmt.Sprintf("S%d", n); !told[rule] {
			missing = append(missing, rule)
		}
	}
	require.Empty(t, missing, "rules without a story")
}

// A complaint of the rig must not have become an expectation.
func TestNoStoryExpectsAComplaint(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for i, line := range strings.Split(string(text), "\n") {
			require.False(t, strings.HasPrefix(line, "! "), "%s:%d", f, i+1)
		}
	}
}

// counter is the context of the handlers: keys that it does not know stay.
type counter struct {
	N    int64    `json:"n"`
	Rate float64  `json:"rate,omitempty"`
	Keys []string `json:"keys,omitempty"`
}

var errBoom = errors.New("boom")

// storyHandlers are the Go functions that the charts of the stories call.
func storyHandlers() execution.Handlers {
	h := execution.Handlers{
		"count": execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[counter]) error {
			by, ok := s.Input("by").(int64)
			if !ok {
				by = 1
			}
			s.Context().N += by
			return nil
		}),
		"key": execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[counter]) error {
			s.Context().Keys = append(s.Context().Keys, s.Key())
			return nil
		}),
		"forget": execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[counter]) error {
			s.Context().Keys = nil
			return nil
		}),
		"describe": execution.Action(func(_ execution.Ctx, s *execution.Scope[map[string]any]) error {
			(*s.Context())["seen"] = map[string]any{
				"event": s.Event().Name, "event_id": s.Event().ID, "data": s.Event().Map(),
				"id": s.ID(), "now": s.Now().Format(time.RFC3339Nano),
			}
			return nil
		}),
		"boom":  execution.ActionOf(func(execution.Ctx, *execution.Scope[counter]) error { return errBoom }),
		"panic": execution.ActionOf(func(execution.Ctx, *execution.Scope[counter]) error { panic("no way") }),
		"busy": execution.WithRetry(execution.ActionOf(func(execution.Ctx, *execution.Scope[counter]) error {
			return execution.Transient(errors.New("line busy"))
		}), execution.RetryPolicy{Attempts: 3}),
		"nan": execution.Action(func(_ execution.Ctx, s *execution.Scope[map[string]any]) error {
			(*s.Context())["f"] = func() {}
			return nil
		}),
		"wait": execution.ActionOf(func(_ execution.Ctx, s *execution.Scope[counter]) error {
			if s.Now().Minute() == 0 {
				return errors.New("not before one past")
			}
			return nil
		}),
		"many":    execution.GuardOf(func(v execution.View[counter]) (bool, error) { return v.Context().N > 1, nil }),
		"unsure":  execution.GuardOf(func(execution.View[counter]) (bool, error) { return false, errBoom }),
		"inside":  execution.GuardOf(func(v execution.View[counter]) (bool, error) { return v.In("P.Left.A"), nil }),
		"route":   execution.SelectOf(func(v execution.View[counter]) (string, error) { return v.Event().Map()["way"].(string), nil }),
		"no_way":  execution.SelectOf(func(execution.View[counter]) (string, error) { return "", errBoom }),
		"speak":   execution.ActionOf(speak),
		"undone":  execution.ActionOf(undone),
		"request": execution.ActionOf(request),
	}
	return h
}

// speak raises, sends, sends later, cancels and logs.
func speak(_ execution.Ctx, s *execution.Scope[counter]) error {
	s.Log("speaking at " + s.Now().Format(time.TimeOnly))
	return errors.Join(
		s.Raise("Inner", map[string]any{"n": s.Context().N}),
		s.Send(execution.Self, "Again", nil),
		s.Send("other-1", "Hello", map[string]any{"from": s.ID()}),
		s.SendAfter(time.Minute, "soon", execution.Self, "Later", nil),
		s.SendAfter(time.Hour, "never", "other-1", "Never", nil),
		cancelled(s, "never"),
	)
}

func cancelled(s *execution.Scope[counter], id string) error {
	s.CancelSend(id)
	return nil
}

// undone does things and then fails: nothing of it remains.
func undone(_ execution.Ctx, s *execution.Scope[counter]) error {
	s.Context().N = 99
	if err := s.Raise("Inner", nil); err != nil {
		return err
	}
	if err := s.Send("other-1", "Hello", nil); err != nil {
		return err
	}
	if err := s.SendAfter(time.Minute, "", execution.Self, "Later", nil); err != nil {
		return err
	}
	return errBoom
}

// request sends what its inputs say, and returns what Send says to it.
func request(_ execution.Ctx, s *execution.Scope[counter]) error {
	to, _ := s.Input("to").(string)
	name, _ := s.Input("event").(string)
	return s.Send(to, name, map[string]any{"n": s.Context().N})
}

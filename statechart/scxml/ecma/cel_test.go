package ecma

import (
	"errors"
	"testing"

	"github.com/durachart/durachart/statechart/expr"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var world = Scope{
	State: func(id string) (string, bool) { return "top." + id, id != "nowhere" },
	Fixed: map[string]string{"_name": `"chart"`},
}

func run(t *testing.T, cel string) (any, error) {
	t.Helper()
	prog, err := expr.Compile(cel, expr.Options{State: func(string) (int, error) { return 1, nil }})
	require.NoError(t, err, cel)
	return prog.Eval(&expr.Vars{
		Context: map[string]any{"x": int64(3), "f": 1.5, "s": "text", "yes": true, "no": false, "nothing": nil, "list": []any{int64(1), int64(2)}, "o": map[string]any{"in": int64(7)}},
		Event:   expr.Event{Name: "go", Data: map[string]any{"a": int64(1), "_sendid": "i"}},
		In:      func(int) bool { return true },
	})
}

func TestValue(t *testing.T) {
	for src, want := range map[string]any{
		`x + 1`:                int64(4),
		`x * (2 - 1)`:          int64(3),
		`x / 2`:                1.5,
		`-x`:                   int64(-3),
		`'b, x:' + x`:          "b, x:3",
		`s + "!"`:              "text!",
		`[1, 'two']`:           []any{int64(1), "two"},
		`{a: 1, 'b': x}`:       map[string]any{"a": int64(1), "b": int64(3)},
		`o.in`:                 int64(7),
		`o['in']`:              int64(7),
		`list[1]`:              int64(2),
		`list.length`:          int64(2),
		`[].concat(list, [4])`: []any{int64(1), int64(2), int64(4)},
		`Math.pow(x, 3)`:       int64(27),
		`yes ? 'a' : 2`:        "a",
		`_event.name`:          "go",
		`_event.data.a`:        int64(1),
		`_event.sendid`:        "i",
		`_name`:                "chart",
		`undefined`:            nil,
		`0x10`:                 int64(16),
		`1e2`:                  100.0,
		`'it\'s'`:              "it's",
	} {
		cel, err := Value(src, world)
		require.NoError(t, err, src)
		got, err := run(t, cel)
		require.NoError(t, err, "%s = %s", src, cel)
		assert.Equal(t, want, got, "%s = %s", src, cel)
	}
}

func TestCondition(t *testing.T) {
	for src, want := range map[string]bool{
		`x === 3`:                              true,
		`x !== 3`:                              false,
		`x == '3'`:                             false, // no coercion
		`x == 3.0`:                             true,
		`f > 1`:                                true,
		`x`:                                    true,
		`nothing`:                              false,
		`!s`:                                   false,
		`no || x > 2 && yes`:                   true,
		`typeof x === 'undefined'`:             false,
		`typeof nothing === 'undefined'`:       true,
		`typeof unheard !== 'undefined'`:       false,
		`typeof s == "string"`:                 true,
		`'number' === typeof f`:                true,
		`_event.data == null`:                  false,
		`_event.data.b === undefined`:          true,
		`typeof _event.origin === 'undefined'`: true,
		`In('s1')`:                             true,
		`In('nowhere')`:                        false,
		`s.indexOf('x') === 2`:                 true,
		`true`:                                 true,
	} {
		cel, err := Condition(src, world)
		require.NoError(t, err, src)
		got, err := run(t, cel)
		require.NoError(t, err, "%s = %s", src, cel)
		assert.Equal(t, want, got, "%s = %s", src, cel)
	}
}

// An undeclared variable is an error where it is read, not where it is translated.
func TestUndeclaredVariable(t *testing.T) {
	cel, err := Condition(`unheard == 1`, world)
	require.NoError(t, err)
	_, err = run(t, cel)
	assert.ErrorIs(t, err, expr.ErrExpression)
}

func TestNoExpression(t *testing.T) {
	for _, src := range []string{``, `return`, `x +`, `'open`, `(x`, `x y`, `!`, `{a`, `#`, `a..b`} {
		_, err := Value(src, world)
		assert.ErrorIs(t, err, ErrSyntax, "%q", src)
	}
}

func TestBeyondTheSubset(t *testing.T) {
	for _, src := range []string{`new Date()`, `f(1)`, `typeof x`, `x instanceof Array`, `function() {}`, `_event.raw`, `Math.pow(x, 99)`} {
		_, err := Value(src, world)
		assert.ErrorIs(t, err, ErrUnsupported, "%q", src)
	}
}

func FuzzValue(f *testing.F) {
	f.Add(`typeof a.b['c'] === "undefined" ? [1.5e3, {x: -y}] : In('s') && !z`)
	f.Fuzz(func(t *testing.T, src string) {
		_, err := Value(src, world)
		if err != nil && !errors.Is(err, ErrSyntax) && !errors.Is(err, ErrUnsupported) {
			t.Fatalf("%q: %v is none of the two errors", src, err)
		}
	})
}

package expr_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/jsonvalue"
	"github.com/durachart/durachart/statechart/expr"
)

func object(t testing.TB, text string) map[string]any {
	t.Helper()
	m, err := jsonvalue.DecodeObject([]byte(text))
	require.NoError(t, err)
	return m
}

func vars(t testing.TB) *expr.Vars {
	return &expr.Vars{
		Context: object(t, `{"total":100,"price":2.5,"name":"ada","list":[3,1,2],"o":{"z":1,"a":2,"m":{"x":null}},"big":9007199254740993,"n":null,"t":true}`),
		Event:   expr.Event{Name: "Paid", ID: "ev-1", Data: object(t, `{"amount":100,"rate":100.0,"ok":true,"note":"é<"}`)},
		Item:    object(t, `{"label":"p1"}`),
		In:      func(n int) bool { return n == 7 },
	}
}

func states(name string) (int, error) {
	switch name {
	case "A.B":
		return 7, nil
	case "C":
		return 8, nil
	}
	return 0, fmt.Errorf("no state %q", name)
}

func eval(t *testing.T, source string) (any, error) {
	t.Helper()
	p, err := expr.Compile(source, expr.Options{Var: "item", State: states})
	require.NoError(t, err, source)
	return p.Eval(vars(t))
}

// S70, S71: what an expression sees, and how its value is stored.
func TestEval(t *testing.T) {
	for source, want := range map[string]string{
		`event.data.amount >= context.total`:        `true`,
		`event.data.rate == context.total`:          `true`,
		`event.name + "/" + event.id`:               `"Paid/ev-1"`,
		`event`:                                     `{"data":{"amount":100,"note":"é<","ok":true,"rate":100.0},"id":"ev-1","name":"Paid"}`,
		`[event]`:                                   `[{"data":{"amount":100,"note":"é<","ok":true,"rate":100.0},"id":"ev-1","name":"Paid"}]`,
		`event == event`:                            `true`,
		`event.data`:                                `{"amount":100,"note":"é<","ok":true,"rate":100.0}`,
		`context.o`:                                 `{"a":2,"m":{"x":null},"z":1}`,
		`context["o"]["a"]`:                         `2`,
		`context.list[1] + 1`:                       `2`,
		`context.list + [4]`:                        `[3,1,2,4]`,
		`[context.o, {"k": context.list}]`:          `[{"a":2,"m":{"x":null},"z":1},{"k":[3,1,2]}]`,
		`item.label`:                                `"p1"`,
		`context.n`:                                 `null`,
		`context.n == null`:                         `true`,
		`has(event.data.nope)`:                      `false`,
		`has(context.o.m) && !has(context.o.m.y)`:   `true`,
		`has(event.data)`:                           `true`,
		`"amount" in event.data`:                    `true`,
		`2 in context.list`:                         `true`,
		`2.0 in context.list`:                       `true`,
		`event.data.rate in [1, 100]`:               `true`,
		`context.big`:                               `9007199254740993`,
		`context.big + 1`:                           `9007199254740994`,
		`7 / 2`:                                     `3`,
		`7.0 / 2.0`:                                 `3.5`,
		`double(context.total) * context.price`:     `250.0`,
		`4.0 / 2.0`:                                 `2.0`,
		`18446744073709551u`:                        `18446744073709551`,
		`timestamp("2030-01-01T02:00:00.5+02:00")`:  `"2030-01-01T00:00:00.5Z"`,
		`timestamp("2030-01-01T00:00:00Z")`:         `"2030-01-01T00:00:00Z"`,
		`duration("1500ms")`:                        `"1.5s"`,
		`duration("2h")`:                            `"7200s"`,
		`duration("-1ns")`:                          `"-0.000000001s"`,
		`b"hi"`:                                     `"aGk="`,
		`{"b": 1, "a": [true, null]}`:               `{"a":[true,null],"b":1}`,
		`size(context.name)`:                        `3`,
		`context.name.upperAscii()`:                 `"ADA"`,
		`context.name.substring(1)`:                 `"da"`,
		`"a,b".split(",")`:                          `["a","b"]`,
		`["x", "y"].join("-")`:                      `"x-y"`,
		`math.greatest(context.total, 7)`:           `100`,
		`math.ceil(context.price)`:                  `3.0`,
		`context.list.sort()`:                       `[1,2,3]`,
		`[1, 1, 2].distinct()`:                      `[1,2]`,
		`context.list.filter(x, x > 1)`:             `[3,2]`,
		`context.list.map(x, x * 2)`:                `[6,2,4]`,
		`context.list.exists_one(x, x == 2)`:        `true`,
		`context.o.transformMap(k, v, k)`:           `{"a":"a","m":"m","z":"z"}`,
		`context.o.transformMap(k, v, k == "a", v)`: `{"a":2}`,
		`context.list.transformList(i, v, i + v)`:   `[3,2,4]`,
		`context.name.matches("^a.a$")`:             `true`,
		`context.t ? "y" : "n"`:                     `"y"`,
		`In("A.B") && !In("C")`:                     `true`,
		`[1, 2].all(x, In("A.B"))`:                  `true`,
		`string(context.total) + "%"`:               `"100%"`,
		`int("12")`:                                 `12`,
		`type(context.price) == double`:             `true`,
		`type(event) == type(event)`:                `true`,
		`{1: "a"}[1]`:                               `"a"`,
	} {
		v, err := eval(t, source)
		if assert.NoError(t, err, source) {
			got, err := jsonvalue.Encode(v)
			require.NoError(t, err, source)
			assert.Equal(t, want, string(got), source)
		}
	}
}

// S22: comprehensions over objects visit the keys bytewise, however often one
// asks and however the map came to be.
func TestMapOrder(t *testing.T) {
	m := map[string]any{}
	for _, k := range strings.Split("q w e r t z u i o p a s d f g h j k l", " ") {
		m[k] = int64(1)
	}
	want := []any{}
	for _, k := range strings.Split("a d e f g h i j k l o p q r s t u w z", " ") {
		want = append(want, k)
	}
	for _, source := range []string{
		`context.m.map(k, k)`,
		`context.m.filter(k, true)`,
		`context.m.transformList(k, v, k)`,
		`context.m.transformMap(k, v, v).map(k, k)`,
		`{"x": context.m}.x.map(k, k)`,
		`[context.m].map(m, m.map(k, k))[0]`,
		`{"q": 1, "w": 1, "e": 1, "r": 1, "t": 1, "z": 1, "u": 1, "i": 1, "o": 1, "p": 1, "a": 1, "s": 1, "d": 1, "f": 1, "g": 1, "h": 1, "j": 1, "k": 1, "l": 1}.map(k, k)`,
	} {
		p, err := expr.Compile(source, expr.Options{})
		require.NoError(t, err)
		for range 20 {
			v, err := p.Eval(&expr.Vars{Context: map[string]any{"m": m}})
			require.NoError(t, err)
			require.Equal(t, want, v, source)
		}
	}
	// The first error in key order is the one that shows.
	p, err := expr.Compile(`context.m.all(k, context.m[k] == 1 && {"a": true}[k])`, expr.Options{})
	require.NoError(t, err)
	for range 20 {
		_, err := p.Eval(&expr.Vars{Context: map[string]any{"m": m}})
		require.ErrorContains(t, err, "no such key: d")
	}
	v, err := eval(t, `{2: "a", "x": "b", 1: "c", true: "d"}.map(k, k)`)
	require.NoError(t, err)
	assert.Equal(t, []any{"x", true, int64(1), int64(2)}, v)
}

// S41, S70: what goes wrong at run time has a kind.
func TestEvalErrors(t *testing.T) {
	for source, kind := range map[string]error{
		`event.data.nope`:                          expr.ErrExpression,
		`context.o.m.x.y`:                          expr.ErrExpression,
		`context.name + 1`:                         expr.ErrExpression,
		`context.total * context.price`:            expr.ErrExpression,
		`context.list[5]`:                          expr.ErrExpression,
		`9223372036854775807 + context.total`:      expr.ErrExpression,
		`1 / (context.total - 100)`:                expr.ErrExpression,
		`context.name.matches(context.name + "(")`: expr.ErrExpression,
		`int(context.name)`:                        expr.ErrExpression,
		`18446744073709551615u`:                    expr.ErrValue,
		`1.0 / 0.0`:                                expr.ErrValue,
		`{1: 2}`:                                   expr.ErrValue,
		`{"a\u0000": 2}`:                           expr.ErrValue,
		`type(1)`:                                  expr.ErrValue,
		`[type(1)]`:                                expr.ErrValue,
		`type(event)`:                              expr.ErrValue,
	} {
		v, err := eval(t, source)
		assert.ErrorIs(t, err, kind, source)
		assert.Nil(t, v, source)
		assert.ErrorContains(t, err, fmt.Sprintf("%q", source))
	}
}

// S20: nesting is limited for computed values too.
func TestResultDepth(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	_, err := eval(t, deep(jsonvalue.MaxDepth))
	assert.NoError(t, err)
	_, err = eval(t, deep(jsonvalue.MaxDepth+1))
	assert.ErrorIs(t, err, expr.ErrValue)

	p, err := expr.Compile(`[context]`, expr.Options{})
	require.NoError(t, err)
	var v any = map[string]any{}
	for range jsonvalue.MaxDepth - 1 {
		v = map[string]any{"a": v}
	}
	_, err = p.Eval(&expr.Vars{Context: v.(map[string]any)})
	assert.ErrorIs(t, err, expr.ErrValue)
}

func TestCostIsBounded(t *testing.T) {
	list := make([]any, 200)
	for i := range list {
		list[i] = int64(i)
	}
	p, err := expr.Compile(`context.l.all(a, context.l.all(b, context.l.all(c, a + b + c >= 0)))`, expr.Options{Bool: true})
	require.NoError(t, err)
	_, err = p.Test(&expr.Vars{Context: map[string]any{"l": list}})
	assert.ErrorIs(t, err, expr.ErrExpression)
	assert.ErrorContains(t, err, "cost limit")

	p, err = expr.Compile(`context.l.all(a, a >= 0)`, expr.Options{Bool: true})
	require.NoError(t, err)
	ok, err := p.Test(&expr.Vars{Context: map[string]any{"l": list}})
	require.NoError(t, err)
	assert.True(t, ok)
}

// S70: a guard must be boolean.
func TestGuardsAreBoolean(t *testing.T) {
	for _, source := range []string{`event.data.amount + 1`, `1`, `"true"`, `context`, `event`, `event.name`} {
		_, err := expr.Compile(source, expr.Options{Bool: true})
		var ce *expr.CompileError
		require.ErrorAs(t, err, &ce, source)
		assert.ErrorContains(t, err, "not bool")
	}
	p, err := expr.Compile(`event.data.ok`, expr.Options{Bool: true})
	require.NoError(t, err)
	ok, err := p.Test(vars(t))
	require.NoError(t, err)
	assert.True(t, ok)
	p, err = expr.Compile(`event.data.amount`, expr.Options{Bool: true})
	require.NoError(t, err)
	_, err = p.Test(vars(t))
	assert.ErrorIs(t, err, expr.ErrExpression)
}

func TestCompileErrors(t *testing.T) {
	for _, c := range []struct {
		source string
		offset int
		text   string
	}{
		{``, 0, `Syntax error`},
		{`1 +`, 3, `Syntax error`},
		{`1 + "a"`, 2, `no matching overload`},
		{`nope`, 0, `undeclared reference to 'nope'`},
		{`event.nmae`, 5, `undefined field 'nmae'`},
		{`"é" + event.nmae`, 11, `undefined field 'nmae'`},
		{`event.name + 1`, 11, `no matching overload`},
		{`now()`, 3, `undeclared reference to 'now'`},
		{`now`, 0, `undeclared reference to 'now'`},
		{`1.map(x, x)`, 5, `cannot be range of a comprehension`},
		{`In(context.x)`, 10, `In takes one state name`},
		{`In("Z")`, 3, `no state "Z"`},
		{`true || In("Z")`, 11, `no state "Z"`},
		{`"a".matches("(")`, 0, `error parsing regexp`},
		{`Event{}`, 5, ``},
		{`@in["A"]`, 0, `Syntax error`},
		{`99999999999999999999`, 0, `invalid int literal`},
	} {
		_, err := expr.Compile(c.source, expr.Options{State: states})
		var ce *expr.CompileError
		if c.text == `` && err == nil {
			continue
		}
		if assert.True(t, errors.As(err, &ce), "%s: %v", c.source, err) {
			assert.Contains(t, ce.Issues[0].Message, c.text, c.source)
			assert.NotContains(t, ce.Error(), "\n")
			assert.Equal(t, c.offset, ce.Issues[0].Offset, "%s: %s", c.source, ce.Issues[0].Message)
		}
	}
}

// Two states that In does not find are two issues, and the resolver's own errors
// can be told from others.
func TestStatesAreResolvedAtCompileTime(t *testing.T) {
	missing := errors.New("unknown_state")
	_, err := expr.Compile(`In("X") || In("A.B") || In("Y")`, expr.Options{State: func(name string) (int, error) {
		if name == "A.B" {
			return 7, nil
		}
		return 0, missing
	}})
	var ce *expr.CompileError
	require.ErrorAs(t, err, &ce)
	require.Len(t, ce.Issues, 2)
	assert.Equal(t, []int{3, 27}, []int{ce.Issues[0].Offset, ce.Issues[1].Offset})
	assert.ErrorIs(t, err, missing)

	_, err = expr.Compile(`In("X")`, expr.Options{})
	assert.ErrorContains(t, err, "In cannot be used here")

	asked := 0
	p, err := expr.Compile(`In("A.B") || In("C") || In("A.B")`, expr.Options{State: func(name string) (int, error) {
		asked++
		return states(name)
	}})
	require.NoError(t, err)
	assert.Equal(t, 2, asked)
	assert.Equal(t, []int{7, 8}, p.States())
	assert.Equal(t, `In("A.B") || In("C") || In("A.B")`, p.Source())
}

func TestLoopVariable(t *testing.T) {
	_, err := expr.Compile(`item.label`, expr.Options{})
	assert.ErrorContains(t, err, "undeclared reference to 'item'")
	for _, name := range []string{"context", "event"} {
		_, err := expr.Compile(`1`, expr.Options{Var: name})
		assert.ErrorContains(t, err, "loop variable")
	}
	p, err := expr.Compile(`p + 1`, expr.Options{Var: "p"})
	require.NoError(t, err)
	v, err := p.Eval(&expr.Vars{Item: int64(2)})
	require.NoError(t, err)
	assert.Equal(t, int64(3), v)
}

// Evaluation changes nothing that it is given.
func TestEvalLeavesItsInputAlone(t *testing.T) {
	v := vars(t)
	before, err := jsonvalue.Encode(v.Context)
	require.NoError(t, err)
	for _, source := range []string{`context.list.sort()`, `context.list + context.list`, `context.o.transformMap(k, v, 1)`, `context.list.reverse()`} {
		p, err := expr.Compile(source, expr.Options{})
		require.NoError(t, err)
		_, err = p.Eval(v)
		require.NoError(t, err)
	}
	after, err := jsonvalue.Encode(v.Context)
	require.NoError(t, err)
	assert.Equal(t, string(before), string(after))
}

func TestProgramsAreSafeForConcurrentUse(t *testing.T) {
	p, err := expr.Compile(`In("A.B") && context.list.all(x, x < event.data.amount)`, expr.Options{Bool: true, State: states})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			v := vars(t)
			v.Event.Data = map[string]any{"amount": int64(i)}
			for range 100 {
				ok, err := p.Test(v)
				assert.NoError(t, err)
				assert.Equal(t, i > 3, ok)
			}
		})
	}
	wg.Wait()
}

// FuzzCompile: no source makes the compiler or the evaluation panic, and what
// evaluates is a JSON value, the same each time.
func FuzzCompile(f *testing.F) {
	for _, s := range []string{`event.data.amount >= context.total && In("A.B")`, `context.o.map(k, [k])`, `{1: b"x"}`, `In(1)`, `"a" + 1`, `[[`, `event`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := expr.Compile(source, expr.Options{Var: "item", State: states})
		if err != nil {
			var ce *expr.CompileError
			if !errors.As(err, &ce) || len(ce.Issues) == 0 {
				t.Fatalf("%T", err)
			}
			return
		}
		v, err := p.Eval(vars(t))
		again, errAgain := p.Eval(vars(t))
		if (err == nil) != (errAgain == nil) || err == nil && !jsonvalue.Identical(v, again) {
			t.Fatalf("%v %v, then %v %v", v, err, again, errAgain)
		}
		if err != nil {
			if !errors.Is(err, expr.ErrExpression) && !errors.Is(err, expr.ErrValue) {
				t.Fatal(err)
			}
			return
		}
		if _, err := jsonvalue.Encode(v); err != nil {
			t.Fatal(err)
		}
	})
}

// An event is seen, stored and compared, but not made.
func TestEventsAsValues(t *testing.T) {
	for source, want := range map[string]string{
		`event == event && dyn(event) != "x"`:            `true`,
		`has(dyn(event).data) && !has(dyn(event).x)`:     `true`,
		`{"a": event}.a.name`:                            `"Paid"`,
		`[event].map(e, e.id)`:                           `["ev-1"]`,
		`has(event.name) && has(event.data.amount)`:      `true`,
		`dyn(event).data.amount`:                         `100`,
		`[1, "x", event].filter(e, type(e) == string)`:   `["x"]`,
		`{"x": 1, "y": 2}.exists(k, k == "y")`:           `true`,
		`{"x": 1, "y": 2}.all(k, v, k != "x" || v == 1)`: `true`,
	} {
		v, err := eval(t, source)
		if assert.NoError(t, err, source) {
			got, err := jsonvalue.Encode(v)
			require.NoError(t, err)
			assert.Equal(t, want, string(got), source)
		}
	}
	for _, source := range []string{`Event{}`, `Event{name: "x"}`, `string(event)`, `event + event`, `event.data.amount.x`} {
		p, err := expr.Compile(source, expr.Options{})
		if err == nil {
			_, err = p.Eval(vars(t))
		}
		assert.Error(t, err, source)
	}
	p, err := expr.Compile(`event`, expr.Options{})
	require.NoError(t, err)
	v, err := p.Eval(&expr.Vars{})
	require.NoError(t, err)
	assert.Equal(t, map[string]any{"name": "", "id": "", "data": map[string]any{}}, v)
}

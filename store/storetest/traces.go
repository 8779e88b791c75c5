package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/store"
)

// traceCases are those of store.Traces (D64).
var traceCases = []Case{
	{ID: "TR1", Says: "off: nothing is written; a ring of 3 after 5 steps keeps the last 3 with their indexes; steps of one commit keep their order", run: traceRing,
		options: Options{Limits: store.Limits{TraceRing: 3}}},
	{ID: "TR2", Says: "AppendTrace continues the index, on an empty ring too, 20 racing ones get 20 indexes; the next commit's is larger; the version stays", run: appendTrace},
	{ID: "TR3", Says: "AppendTrace to an unknown id is ErrNotFound, and that id can still be created", run: appendToUnknown},
	{ID: "TR4", Says: "an oversized step is cut and the commit stands; an unbounded ring is refused", run: oversizedStep,
		options: Options{Limits: store.Limits{TraceStep: 50}}},
}

func traceStep(text string) store.TraceStep {
	return store.TraceStep{At: base, Step: []byte(`"` + text + `"`)}
}

func texts(steps []store.TraceStep) []string {
	var all []string
	for _, s := range steps {
		all = append(all, strings.Trim(string(s.Step), `"`))
	}
	return all
}

func indexes(steps []store.TraceStep) []int64 {
	var all []int64
	for _, s := range steps {
		all = append(all, s.Index)
	}
	return all
}

func traceRing(e *env) {
	e.create("x")
	e.step("x")
	assert.Empty(e, e.trace("x"), "off: no steps given, none written")
	assert.Empty(e, e.trace("unknown"))

	for i := range 5 {
		e.step("x", tracing(traceStep(fmt.Sprint("step", i))))
	}
	assert.Equal(e, []store.TraceStep{
		{Index: store.Seq(5, 0), At: base, Step: []byte(`"step2"`)},
		{Index: store.Seq(6, 0), At: base, Step: []byte(`"step3"`)},
		{Index: store.Seq(7, 0), At: base, Step: []byte(`"step4"`)},
	}, e.trace("x"))
	e.step("x", tracing(traceStep("a"), traceStep("b")))
	assert.Equal(e, []string{"step4", "a", "b"}, texts(e.trace("x")))
	assert.Equal(e, []int64{store.Seq(7, 0), store.Seq(8, 0), store.Seq(8, 1)}, indexes(e.trace("x")))
	e.step("x", tracing(traceStep("c"), traceStep("d"), traceStep("e"), traceStep("f")))
	assert.Equal(e, []string{"d", "e", "f"}, texts(e.trace("x")))
	e.step("x")
	assert.Equal(e, []string{"d", "e", "f"}, texts(e.trace("x")))
}

func appendTrace(e *env) {
	e.create("x")
	e.step("x")
	before := e.load("x")
	require.NoError(e, e.AppendTrace(e.ctx, "x", traceStep("repair")))
	assert.Equal(e, []int64{store.Seq(2, 1)}, indexes(e.trace("x")), "version x 65,536 + 1 on an empty ring")
	errs := race(20, func(i int) error { return e.AppendTrace(e.ctx, "x", traceStep(fmt.Sprint("racer", i))) })
	require.Len(e, successes(errs), 20)
	got := indexes(e.trace("x"))
	require.Len(e, got, 21)
	for i, index := range got {
		assert.Equal(e, store.Seq(2, 1)+int64(i), index)
	}
	assert.Equal(e, before, e.load("x"))

	e.step("x", tracing(traceStep("next")))
	got = indexes(e.trace("x"))
	assert.True(e, slices.IsSorted(got))
	assert.Equal(e, store.Seq(3, 0), got[21])
	require.NoError(e, e.AppendTrace(e.ctx, "x", store.TraceStep{Index: 1, At: base.Add(time.Microsecond), Step: []byte(`"$last"`)}))
	steps := e.trace("x")
	assert.Equal(e, store.TraceStep{Index: store.Seq(3, 1), At: base, Step: []byte(`"$last"`)}, steps[22])
}

func appendToUnknown(e *env) {
	require.ErrorIs(e, e.AppendTrace(e.ctx, "x", traceStep("ghost")), store.ErrNotFound)
	_, err := e.Load(e.ctx, "x")
	require.ErrorIs(e, err, store.ErrNotFound)
	e.create("x")
	assert.Empty(e, e.trace("x"))
}

func oversizedStep(e *env) {
	e.create("x")
	e.step("x", tracing(store.TraceStep{At: base, Step: jsonOf(50)}, store.TraceStep{At: base, Step: jsonOf(51)}, traceStep("c")))
	steps := e.trace("x")
	require.Len(e, steps, 3)
	assert.Equal(e, string(jsonOf(50)), string(steps[0].Step))
	assert.JSONEq(e, `{"truncated": 51}`, string(steps[1].Step))
	assert.Equal(e, "c", texts(steps)[2])
	require.NoError(e, e.AppendTrace(e.ctx, "x", store.TraceStep{At: base, Step: jsonOf(1000)}))
	assert.JSONEq(e, `{"truncated": 1000}`, string(e.trace("x")[3].Step))
	assert.Equal(e, int64(2), e.version("x"))
	require.ErrorIs(e, store.Limits{TraceRing: -1}.Validate(), store.ErrInvalidArgument)
}

package expr_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/statechart/expr"
)

func BenchmarkGuard(b *testing.B) {
	p, err := expr.Compile(`event.data.amount >= context.total`, expr.Options{Bool: true})
	require.NoError(b, err)
	v := vars(b)
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := p.Test(v); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkIn(b *testing.B) {
	p, err := expr.Compile(`In("A.B")`, expr.Options{Bool: true, State: states})
	require.NoError(b, err)
	v := vars(b)
	b.ReportAllocs()
	for b.Loop() {
		if ok, err := p.Test(v); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

func BenchmarkSet(b *testing.B) {
	p, err := expr.Compile(`context.total + 1`, expr.Options{})
	require.NoError(b, err)
	v := vars(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Eval(v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := expr.Compile(`event.data.amount >= context.total && In("A.B")`, expr.Options{Bool: true, State: states}); err != nil {
			b.Fatal(err)
		}
	}
}

package actor

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store/memstore"
)

// leaf is a child that has nothing to do.
func leaf() *statechart.Chart {
	b := statechart.New("leaf").Version("1").Initial("done")
	b.Final("done")
	return b.MustBuild()
}

// fan runs one leaf for each item of its context, and joins them.
func fan() *statechart.Chart {
	b := statechart.New("fan").Version("1").Initial("working").Import(leaf())
	b.State("working", func(s *statechart.StateBuilder) {
		s.Invoke("leaf").Each("item", "items")
		s.With(statechart.Pick("item", "item"))
	})
	b.Final("good")
	b.Final("bad", "failed")
	b.From("working").JoinAll().To("good").Else("bad")
	return b.MustBuild()
}

// nest forks into itself until its depth is used up.
func nest(depth int) *statechart.Chart {
	b := statechart.New(fmt.Sprint("nest", depth)).Version("1").Initial("working")
	if depth == 0 {
		b.Final("good")
		b.State("working").Resting()
		b.From("working").To("good").Always()
		return b.MustBuild()
	}
	b.Import(nest(depth - 1))
	b.State("working", func(s *statechart.StateBuilder) { s.Invoke(fmt.Sprint("nest", depth-1)) })
	b.Final("good")
	b.From("working").To("good").On("done.invoke.working")
	b.From("working").To("good").On("error.invoke.working")
	return b.MustBuild()
}

// Many children of one parent are created, run and joined, with a record of the
// parent that stays small.
func TestAFanOutOfManyChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, newData(t), Config{Charts: []*statechart.Chart{fan()}}, nil)
		const n = 2000
		_, err := r.Start(bg, StartRequest{ID: "f", Chart: "fan", Context: map[string]any{"items": make([]int, n)}})
		require.NoError(t, err)
		e, err := r.Wait(bg, "f", nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"good"}, e.Active)
		r.idle()
		children, err := r.Count(bg, Filter{ParentID: "f"}, 0)
		require.NoError(t, err)
		assert.Equal(t, n, children)
		assert.Less(t, e.Revision, int64(n), "completions are applied in groups")
		r.end()
	})
}

func TestTenLevelsOfNestedChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := start(t, newData(t), Config{Charts: []*statechart.Chart{nest(10)}}, nil)
		r.begin("n", "nest10")
		e, err := r.Wait(bg, "n", nil)
		require.NoError(t, err)
		assert.Equal(t, []string{"good"}, e.Active)
		n, err := r.Count(bg, Filter{RootID: "n"}, 0)
		require.NoError(t, err)
		assert.Equal(t, 11, n)
		r.end()
	})
}

func BenchmarkFanOut(b *testing.B) {
	for _, n := range []int{1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for i := range b.N {
				r, stop := benchRuntime(b, new(memstore.Store))
				cpu := cpuTime()
				_, err := r.Start(bg, StartRequest{ID: fmt.Sprint("f", i), Chart: "fan", Context: map[string]any{"items": make([]int, n)}})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.Wait(bg, fmt.Sprint("f", i), nil); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64((cpuTime()-cpu).Nanoseconds())/float64(n), "cpu-ns/child")
				b.ReportMetric(float64(r.Stats().Commits)/float64(n), "commits/child")
				stop()
			}
		})
	}
}

package memstore

import (
	"testing"

	"github.com/durachart/durachart/store/storetest"
)

func BenchmarkStore(b *testing.B) {
	storetest.Benchmark(b, func(tb testing.TB, o storetest.Options) storetest.Fixture {
		return storetest.Fixture{Store: must(New(Options{Limits: o.Limits}))}
	})
}

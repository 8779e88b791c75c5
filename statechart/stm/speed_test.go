//go:build unix

package stm_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/statechart/stm"
)

// bigFile has about as many lines as wanted: machines of a hundred states, with
// what charts usually have, expressions included.
func bigFile(lines int) string {
	var b strings.Builder
	b.WriteString("event Go { n: int }\nguard big = n > 5\n")
	for m := 0; strings.Count(b.String(), "\n") < lines; m++ {
		fmt.Fprintf(&b, "/// Machine number %d.\nmachine m%d {\n  initial S0\n", m, m)
		for s := range 100 {
			fmt.Fprintf(&b, "  state S%d {\n    on enter { work(step: %d); log \"enter\" }\n    timeout 30s\n  }\n", s, s)
		}
		b.WriteString("  final Done\n")
		for s := range 99 {
			fmt.Fprintf(&b, "  from S%d to S%d on Go where big and n < %d do next\n", s, s+1, s+100)
			fmt.Fprintf(&b, "  from S%d to Done on timeout\n", s)
			if s%4 == 0 {
				fmt.Fprintf(&b, "  from S%d to Done on Go when \"event.data.n > context.limit\" do set last = \"event.data.n + %d\"\n", s, s)
			}
		}
		b.WriteString("  from S99 to Done on Go | timeout\n}\n")
	}
	return b.String()
}

// cpu runs f and returns the processor time that this process spent meanwhile, all
// threads together: unlike time on the clock it does not depend on what else the
// machine does.
func cpu(t *testing.T, f func()) time.Duration {
	var before, after syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &before))
	f()
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &after))
	return time.Duration(after.Utime.Nano() - before.Utime.Nano())
}

// S99: 10,000 lines parse and check in under 500 ms. The bound is for processor
// time of all threads and for the race detector too, so it is generous; the
// benchmark tells the truth.
func TestTenThousandLines(t *testing.T) {
	text := bigFile(10_000)
	took := cpu(t, func() {
		f, err := stm.ParseText("big.stm", text)
		require.NoError(t, err)
		require.NotEmpty(t, f.Charts)
	})
	t.Logf("%d lines: %s", strings.Count(text, "\n"), took)
	require.Less(t, took, 5*time.Second)
}

// Reading is linear: many machines, many small declarations, deep imports of
// nothing, files full of mistakes.
func TestReadingIsLinear(t *testing.T) {
	for name, make := range map[string]func(n int) string{
		"states": func(n int) string {
			return "machine m { initial S0 " + repeat(n/2, func(i int) string { return fmt.Sprintf("state S%d {} from S%d to S%d on E%d\n", i, i, (i+1)%(n/2), i) }) + "}"
		},
		"machines": func(n int) string {
			return repeat(n/4, func(i int) string {
				return fmt.Sprintf("bind { f%d = g }\nguard g%d = n == 1\nmachine m%d { initial A state A { on exit f%d invoke m%d }\n final B from A to B where g%d }\n", i, i, i, i, (i+1)%(n/4), i)
			})
		},
		"fragments": func(n int) string {
			return "machine m { initial A0\n" + repeat(n/8, func(i int) string { return fmt.Sprintf("use f%d(x = A%d) as A%d\n", i, (i+1)%(n/8), i) }) + "}\n" +
				repeat(n/8, func(i int) string {
					return fmt.Sprintf("fragment f%d(x: state) { initial I state I {}\n from I to x on E }\n", i)
				})
		},
		"mistakes": func(n int) string {
			return "machine m { initial A\n" + repeat(n, func(i int) string { return fmt.Sprintf("from A%d to B%d onn E where x = 1\n", i, i) }) + "}"
		},
		"unknown": func(n int) string {
			return "machine m { initial A state A { resting }\n" + repeat(n, func(i int) string { return fmt.Sprintf("from A to B%d on E%d\n", i, i) }) + "}"
		},
		"unclosed": func(n int) string {
			return "machine m { initial A\n" + repeat(n/2, func(i int) string { return fmt.Sprintf("state A%d {\n  on enter f\n", i) })
		},
		"one line": func(n int) string {
			return strings.NewReplacer("\n", " ", "///", "").Replace(bigFile(n))
		},
	} {
		t.Run(name, func(t *testing.T) {
			read := func(n int) time.Duration {
				text := make(n)
				best := time.Hour
				for range 3 {
					best = min(best, cpu(t, func() {
						f, err := stm.ParseText("x.stm", text)
						require.NotNil(t, f, err)
					}))
				}
				return best
			}
			read(1000)
			small, large := read(1000), read(8000)
			t.Logf("1,000 lines %s, 8,000 lines %s", small, large)
			// 8 would be linear, 64 quadratic.
			require.Less(t, large, 24*small+50*time.Millisecond)
		})
	}
}

func repeat(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	text := bigFile(10_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := stm.ParseText("big.stm", text); err != nil {
			b.Fatal(err)
		}
	}
}

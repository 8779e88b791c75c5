package lease_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/lease"
	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/store"
	"github.com/durachart/durachart/store/mongostore"
)

// databaseVariable makes the test binary a process that leases shards in that database,
// instead of running tests.
const databaseVariable = "LEASE_TEST_DATABASE"

// shortTTL is the ttl of real processes, whose tests take real time.
const shortTTL = store.MinLeaseTTL

// all is the number of shards here, few so that shares are settled soon.
const (
	all  = 64
	half = all / 2
)

// P9, D61 on a real server with real processes: they share, one is stopped (SIGSTOP) and
// believes nothing when it comes back, one is killed and its shards are served again
// within the ttl and a second, one leaves and its shards are free at once. At no time do
// two of them believe in one shard.
func TestProcessesOnMongoDB(t *testing.T) {
	database := mongotest.Database(t)
	s := openStore(t, database)
	a, b := spawn(t, database, "a"), spawn(t, database, "b")
	both := func() bool { return len(a.holds(t)) == half && len(b.holds(t)) == half }
	eventually(t, 40*time.Second, both, "two share")

	require.NoError(t, b.cmd.Process.Signal(syscall.SIGSTOP))
	// By the server's clock b's leases last for the ttl at most; a has them within it and a
	// second, and some time for a machine that is busy.
	eventually(t, shortTTL+time.Second+busy, func() bool { return len(a.holds(t)) == all }, "a took over")
	require.NoError(t, b.cmd.Process.Signal(syscall.SIGCONT))
	woke := b.holds(t)
	for _, shard := range woke { // it may have been given some in the meantime
		assert.NotContains(t, a.holds(t), shard)
	}
	assert.Positive(t, b.saw(t, "lost expired"), "it was told")
	eventually(t, 40*time.Second, both, "two share again")

	before := fences(t, s)
	require.NoError(t, a.cmd.Process.Kill())
	eventually(t, shortTTL+time.Second+busy, func() bool { return len(b.holds(t)) == all }, "b took over")
	grown := 0
	for i, fence := range fences(t, s) {
		if fence > before[i] {
			grown++
		}
	}
	assert.Equal(t, half, grown, "the fences of what changed hands have grown")

	c := spawn(t, database, "c")
	eventually(t, 40*time.Second, func() bool { return len(c.holds(t)) == half }, "c has its share")
	require.NoError(t, b.cmd.Process.Signal(os.Interrupt))
	eventually(t, shortTTL/3+time.Second+busy, func() bool { return len(c.holds(t)) == all }, "b handed over")
	require.NoError(t, b.cmd.Wait())
	require.NoError(t, c.cmd.Process.Signal(os.Interrupt))
	require.NoError(t, c.cmd.Wait())
	survey, err := s.Survey(t.Context())
	require.NoError(t, err)
	for _, l := range survey.Leases {
		assert.Empty(t, l.Owner, "no lease is left")
	}
}

// busy is what a test on a busy machine grants beyond a bound.
const busy = 3 * time.Second

func fences(t *testing.T, s store.Shards) []int64 {
	t.Helper()
	survey, err := s.Survey(t.Context())
	require.NoError(t, err)
	fences := make([]int64, len(survey.Leases))
	for _, l := range survey.Leases {
		fences[l.Shard] = l.Fence
	}
	return fences
}

func openStore(t *testing.T, database string) *mongostore.Store {
	t.Helper()
	s, err := mongostore.New(mongotest.Connect(t), mongostore.Options{Database: database, Shards: all})
	require.NoError(t, err)
	require.NoError(t, s.EnsureIndexes(t.Context()))
	_, err = s.Ready(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		assert.NoError(t, s.Close(ctx))
	})
	return s
}

// eventually polls a condition until it holds or the time is over.
func eventually(t *testing.T, patience time.Duration, condition func() bool, what string) {
	t.Helper()
	over := time.NewTimer(patience)
	defer over.Stop()
	next := time.NewTicker(20 * time.Millisecond)
	defer next.Stop()
	for !condition() {
		select {
		case <-over.C:
			require.FailNow(t, "not within "+patience.String()+": "+what)
		case <-next.C:
		}
	}
}

// child is a process of its own that leases shards. It answers a line with a line.
type child struct {
	cmd *exec.Cmd
	in  io.Writer
	out *bufio.Reader
}

func spawn(t *testing.T, database, name string) *child {
	t.Helper()
	c := &child{cmd: exec.Command(os.Args[0], name)}
	c.cmd.Env = append(os.Environ(), databaseVariable+"="+database)
	c.cmd.Stderr = os.Stderr
	in, err := c.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := c.cmd.StdoutPipe()
	require.NoError(t, err)
	c.in, c.out = in, bufio.NewReader(out)
	require.NoError(t, c.cmd.Start())
	t.Cleanup(func() {
		if c.cmd.ProcessState == nil {
			_ = c.cmd.Process.Kill()
			_ = c.cmd.Wait()
		}
	})
	return c
}

func (c *child) ask(t *testing.T, question string) string {
	t.Helper()
	_, err := fmt.Fprintln(c.in, question)
	require.NoError(t, err)
	answer, err := c.out.ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(answer)
}

// holds are the shards that it believes to have.
func (c *child) holds(t *testing.T) (shards []int) {
	t.Helper()
	for _, text := range strings.Fields(c.ask(t, "held")) {
		var shard int
		_, err := fmt.Sscan(text, &shard)
		require.NoError(t, err)
		shards = append(shards, shard)
	}
	return shards
}

// saw is how often it saw that.
func (c *child) saw(t *testing.T, what string) (times int) {
	t.Helper()
	_, err := fmt.Sscan(c.ask(t, what), &times)
	require.NoError(t, err)
	return times
}

// beChild is the main of such a process. It ends on an interrupt.
func beChild(database string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s, err := mongostore.Open(ctx, os.Getenv(mongotest.URIVariable), mongostore.Options{Database: database, Shards: all})
	if err != nil {
		return err
	}
	lost := make(chan lease.Reason, 1<<16)
	svc, err := lease.New(lease.Config{
		Store: s, Owner: lease.NewOwner(os.Args[1]), Shards: all, TTL: shortTTL,
		Observe: func(e lease.Event) {
			if e, ok := e.(lease.Lost); ok {
				lost <- e.Reason
			}
		},
	})
	if err != nil {
		return err
	}
	go answer(svc, lost)
	return svc.Run(ctx)
}

// answer answers questions until there are no more.
func answer(svc *lease.Service, lost <-chan lease.Reason) {
	reasons := map[lease.Reason]int{}
	for questions := bufio.NewScanner(os.Stdin); questions.Scan(); {
		for len(lost) > 0 {
			reasons[<-lost]++
		}
		switch what := questions.Text(); what {
		case "held":
			fmt.Println(strings.Trim(fmt.Sprint(svc.Held()), "[]"))
		default:
			fmt.Println(reasons[lease.Reason(strings.TrimPrefix(what, "lost "))])
		}
	}
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/examples/internal/outputtest"
	"github.com/durachart/durachart/internal/testmain"
	"github.com/durachart/durachart/store/memstore"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// program runs the program and returns what it printed.
func program(t *testing.T, stdin string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, diag strings.Builder
	err = run(t.Context(), args, strings.NewReader(stdin), &out, &diag)
	return out.String(), diag.String(), err
}

func TestWithoutArgumentsItShowsTheSample(t *testing.T) {
	stdout, stderr, err := program(t, "")
	require.NoError(t, err, stderr)
	// Orders run side by side, so refused lines are told as they are met.
	refused := strings.Split(strings.TrimSpace(stderr), "\n")
	slices.Sort(refused)
	outputtest.Golden(t, "output.txt", stdout)
	outputtest.Golden(t, "refused.txt", strings.Join(refused, "\n")+"\n")
}

// data is a stream and what must come of it: that of the shared folder where it is
// beside the repository, else one that is made up.
func data(t *testing.T) (events, want string) {
	t.Helper()
	shared := filepath.Join("..", "..", "..", "shared", "data")
	text, err := os.ReadFile(filepath.Join(shared, "orders.ndjson"))
	if errors.Is(err, os.ErrNotExist) && os.Getenv("CI") == "" {
		t.Logf("no %s: a made-up stream takes its place", shared)
		events = stream(1, 2000)
		return events, asJSON(t, modelled(newInput(strings.NewReader(events))))
	}
	require.NoError(t, err)
	expected, err := os.ReadFile(filepath.Join(shared, "orders.expected.json"))
	require.NoError(t, err)
	return string(text), string(expected)
}

func asJSON(t *testing.T, s *summary) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, s.writeJSON(&out))
	return out.String()
}

func TestTheDataGivesWhatIsExpected(t *testing.T) {
	events, want := data(t)
	stdout, stderr, err := program(t, events, "-in", "-", "-json")
	require.NoError(t, err, stderr)
	assert.JSONEq(t, want, stdout)

	shown := strings.Split(strings.TrimSpace(stderr), "\n")
	require.Len(t, shown, maxRefused+1)
	assert.Regexp(t, `^… and \d+ more lines refused$`, shown[maxRefused])
}

func TestTheModelAgrees(t *testing.T) {
	events, want := data(t)
	assert.JSONEq(t, want, asJSON(t, modelled(newInput(strings.NewReader(events)))))
}

// TestSentTwice: every event of the second sending was applied before, so nothing
// changes (P4), though it meets another runtime.
func TestSentTwice(t *testing.T) {
	events, want := data(t)
	st, err := memstore.New(memstore.Options{})
	require.NoError(t, err)
	for range 2 {
		s, err := process(t.Context(), st, strings.NewReader(events), newConsole(&strings.Builder{}))
		require.NoError(t, err)
		assert.JSONEq(t, want, asJSON(t, s))
	}
}

// TestSentTwiceInOneStream: the same with the second sending close behind the first.
func TestSentTwiceInOneStream(t *testing.T) {
	events := stream(3, 200)
	once := modelled(newInput(strings.NewReader(events)))
	stdout, stderr, err := program(t, events+events, "-in", "-", "-json")
	require.NoError(t, err, stderr)
	var twice summary
	require.NoError(t, json.Unmarshal([]byte(stdout), &twice))
	assert.Equal(t, once.Outcomes, twice.Outcomes)
	assert.Equal(t, once.Active, twice.Active)
	assert.Equal(t, 2*once.Lines, twice.Lines)
}

func TestRandomStreamsAgreeWithTheModel(t *testing.T) {
	for seed := range uint64(8) {
		events := stream(seed, 50)
		want := modelled(newInput(strings.NewReader(events)))
		stdout, stderr, err := program(t, events, "-in", "-", "-json")
		require.NoError(t, err, stderr)
		assert.JSONEq(t, asJSON(t, want), stdout, "seed %d", seed)
	}
}

func TestTheChartHasNoWarnings(t *testing.T) {
	assert.Empty(t, orderChart().Warnings())
}

func TestMistakesOfTheCaller(t *testing.T) {
	_, _, err := program(t, "", "-nonsense")
	assert.ErrorAs(t, err, new(*usageError))
	_, _, err = program(t, "", "extra")
	assert.ErrorAs(t, err, new(*usageError))
	_, help, err := program(t, "", "-h")
	assert.ErrorIs(t, err, flag.ErrHelp)
	assert.Contains(t, help, "-mongo URI")
	_, _, err = program(t, "", "-in", "testdata/no-such-file")
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, _, err = program(t, "", "-mongo", "nonsense")
	assert.Error(t, err)
}

func TestInterruptedItSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := run(ctx, nil, nil, &strings.Builder{}, &strings.Builder{})
	assert.ErrorIs(t, err, context.Canceled)
}

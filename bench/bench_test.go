package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/mongotest"
	"github.com/durachart/durachart/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// small are arguments under which a scenario takes well under a second.
var small = map[string][]string{
	"floor":  {"-n", "40"},
	"drain":  {"-n", "100"},
	"call":   {"-n", "100"},
	"send":   {"-n", "100"},
	"cas":    {"-n", "200"},
	"fork":   {"-n", "20", "-regions", "3"},
	"fanout": {"-n", "300"},
	"timers": {"-n", "100"},
}

// object runs the program with -json and returns what it printed.
func object(t *testing.T, args ...string) map[string]any {
	t.Helper()
	var out, errs bytes.Buffer
	status := run(t.Context(), append(args, "-c", "8", "-json"), &out, &errs)
	require.Equal(t, exitOK, status, errs.String())
	assert.Empty(t, errs.String())
	var got map[string]any
	decoder := json.NewDecoder(&out)
	require.NoError(t, decoder.Decode(&got))
	assert.False(t, decoder.More(), "one object and nothing else")
	return got
}

func TestEveryScenarioRunsOnMemory(t *testing.T) {
	for _, s := range scenarios {
		if s.mongoOnly {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			got := object(t, append([]string{s.name}, small[s.name]...)...)
			assert.Equal(t, s.name, got["scenario"])
			assert.Equal(t, memory, got["store"])
			assert.Positive(t, got["events"])
			assert.Positive(t, got["events_per_second"])
			assert.NotContains(t, got, "commands_per_event", "there is no driver")
			assert.NotEmpty(t, got["go"])
		})
	}
}

func TestEveryScenarioRunsOnMongo(t *testing.T) {
	uri := mongotest.URI(t)
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			got := object(t, append([]string{s.name, "-mongo", uri}, small[s.name]...)...)
			assert.Equal(t, mongoDB, got["store"])
			assert.Positive(t, got["commands_per_event"])
			assert.Contains(t, got["server"], "MongoDB")
		})
	}
}

func TestTheFloorIsOneCommandForEachEvent(t *testing.T) {
	got := object(t, append([]string{"floor", "-mongo", mongotest.URI(t)}, small["floor"]...)...)
	assert.EqualValues(t, 80, got["events"])
	assert.EqualValues(t, 1, got["commands_per_event"])
}

func TestCASCountsItsRaces(t *testing.T) {
	got := object(t, "cas", "-n", "200", "-runtimes", "3")
	assert.EqualValues(t, 0, got["lost"])
	assert.EqualValues(t, 0, got["applied_twice"])
	assert.Equal(t, got["final_version"], got["wins"].(float64)+1)
	assert.Contains(t, got, "conflicts")
}

func TestTextNamesMachineParametersAndPercentiles(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), []string{"fork", "-n", "5", "-regions", "4", "-c", "2"}, &out, &errs), errs.String())
	for _, word := range []string{"fork on memory", "CPUs", "go1.", "2 clients, n 5, 4 regions", "45 events", "events/s", "p50", "p99", "max"} {
		assert.Contains(t, out.String(), word)
	}
}

func TestAMistakeInTheCallSaysWhatToTry(t *testing.T) {
	noEnvironment := func(string) string { return "" }
	for args, says := range map[string]string{
		"":                      "no scenario",
		"nonsense":              "there are floor, drain",
		"-json":                 "the scenario comes first",
		"call -store sqlite":    "there are memory and mongo",
		"floor -store memory":   "has no memory store",
		"call -c 0":             "must be positive",
		"call -n x":             "invalid value",
		"call me":               `what is "me"?`,
		"call -nothing":         "not defined",
		"cas -runtimes -1":      "must be positive",
		"fork -regions 0 -c 10": "must be positive",
	} {
		_, err := parse(strings.Fields(args), noEnvironment, new(bytes.Buffer))
		assert.ErrorContains(t, err, says, "%q", args)
		var out, errs bytes.Buffer
		assert.Equal(t, exitUsage, run(t.Context(), strings.Fields(args), &out, &errs), "%q", args)
		assert.Contains(t, errs.String(), "try: ")
		assert.Empty(t, out.String())
	}
	assert.Equal(t, exitOK, run(t.Context(), []string{"call", "-h"}, new(bytes.Buffer), new(bytes.Buffer)))
}

func TestTheStoreFollowsFromTheRest(t *testing.T) {
	for args, want := range map[string]string{
		"call":                    memory,
		"call -mongo mongodb://x": mongoDB,
		"floor":                   mongoDB,
		"drain -store mongo":      mongoDB,
	} {
		p, err := parse(strings.Fields(args), func(string) string { return "mongodb://env" }, new(bytes.Buffer))
		require.NoError(t, err)
		assert.Equal(t, want, p.store, args)
	}
}

func TestAServerThatCannotBeReachedOrReadIsAFailure(t *testing.T) {
	for _, uri := range []string{"mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100", "mongodb://secret%zz@x"} {
		var out, errs bytes.Buffer
		assert.Equal(t, exitBroken, run(t.Context(), []string{"call", "-mongo", uri}, &out, &errs))
		assert.NotContains(t, errs.String(), "secret")
		assert.Empty(t, out.String())
	}
}

// TestABrokenInvariantIsAFailure judges executions that do not add up.
func TestABrokenInvariantIsAFailure(t *testing.T) {
	b, err := open(t.Context(), params{scenario: scenarioNamed("call"), store: memory, clients: 1, n: 3, regions: 2})
	require.NoError(t, err)
	p, err := b.process(t.Context(), worker(), forker(2), tallyChart())
	require.NoError(t, err)
	require.NoError(t, p.startAll(t.Context(), b, 2, "forker", executionID))
	require.NoError(t, p.startAll(t.Context(), b, 1, "tally", func(int) string { return "tally" }))
	require.NoError(t, p.WaitIdle(t.Context()))

	require.ErrorIs(t, allDone(t.Context(), p.store, "worker", 3), errBroken)
	require.ErrorIs(t, judgeFork(t.Context(), b, p), errBroken, "2 of 3 parents")
	res := b.newResult()
	require.ErrorIs(t, judgeCAS(t.Context(), b, p, "tally", res, 0, 0), errBroken, "3 events were sent and none applied")
	assert.EqualValues(t, 3, *res.Lost)
	require.NoError(t, p.stop())
}

func TestQuantilesAreOfTheSortedValues(t *testing.T) {
	values := []time.Duration{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	assert.Equal(t, time.Duration(6), quantile(values, 0.5))
	assert.Equal(t, time.Duration(10), quantile(values, 0.99))
	assert.Equal(t, time.Duration(1), quantile(values[:1], 0.99))
}

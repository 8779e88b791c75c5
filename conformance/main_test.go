package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/internal/mongotest"
)

const suite = "../../shared/conformance/stf"

// outcome runs the program with -json and returns the result of each test, the
// counts and the exit code.
func outcome(t *testing.T, args ...string) (results map[string]string, total counts, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), append([]string{"-json"}, args...), &out, &errs)
	require.Empty(t, errs.String())
	results = map[string]string{}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for _, line := range lines[:len(lines)-1] {
		var v struct{ Test, Result, Detail string }
		require.NoError(t, json.Unmarshal([]byte(line), &v), line)
		results[v.Test] = v.Result
		if v.Result != pass {
			t.Logf("%s: %s: %s", v.Test, v.Result, v.Detail)
		}
	}
	require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &total))
	return results, total, code
}

// With the profile of the Recommendation the published suite holds as it is.
func TestSuiteWithProfile(t *testing.T) {
	_, total, code := outcome(t, "-profile", "scxml", suite)
	assert.Equal(t, counts{Pass: 57}, total)
	assert.Zero(t, code)
}

// Without it three tests differ, by our region rule (S28): the README of the suite
// names them.
func TestSuiteWithoutProfile(t *testing.T) {
	results, total, code := outcome(t, suite)
	assert.Equal(t, counts{Pass: 54, Fail: 3}, total)
	assert.Equal(t, 1, code)
	for _, name := range []string{"more-parallel/test2", "more-parallel/test3b", "more-parallel/test5"} {
		assert.Equal(t, fail, results[name], name)
	}
}

// The whole runtime, a process that dies after every commit, and every event twice:
// the results are the same.
func TestModes(t *testing.T) {
	for _, mode := range []string{modeRuntime, modeCrash, modeTwice} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			_, total, _ := outcome(t, "-mode", mode, "-profile", "scxml", suite)
			assert.Equal(t, counts{Pass: 57}, total)
			_, total, _ = outcome(t, "-mode", mode, "-scenarios", scenarios)
			assert.Equal(t, counts{Pass: 70, Unsupported: 10}, total)
		})
	}
}

// The same on a server.
func TestModesOnMongo(t *testing.T) {
	uri := mongotest.URI(t)
	for _, mode := range []string{modeRuntime, modeCrash, modeTwice} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			_, total, _ := outcome(t, "-mode", mode, "-store", "mongo", "-mongo", uri, "-profile", "scxml", suite)
			assert.Equal(t, counts{Pass: 57}, total)
			_, total, _ = outcome(t, "-mode", mode, "-store", "mongo", "-mongo", uri, "-scenarios", scenarios)
			assert.Equal(t, counts{Pass: 70, Unsupported: 10}, total)
		})
	}
}

func TestUsageMistakes(t *testing.T) {
	for _, args := range [][]string{{}, {"a", "b"}, {"-mode", "odd", "."}, {"-profile", "odd", "."}, {"-store", "odd", "."}, {"-store", "mongo", "-mongo", "", "."}, {"-odd"}} {
		var out, errs bytes.Buffer
		assert.Equal(t, 2, run(t.Context(), args, &out, &errs), "%v", args)
		assert.NotEmpty(t, errs.String())
	}
}

const scenarios = "../../shared/scenarios/peer-scenarios.json"

// Every row with a verdict agrees; the ten that the specification leaves open, or
// that belong to the other engine alone, are named as such.
func TestScenarios(t *testing.T) {
	_, total, code := outcome(t, "-scenarios", scenarios)
	assert.Equal(t, counts{Pass: 70, Unsupported: 10}, total)
	assert.Zero(t, code)
}

// Help was asked for; a folder that is not there is named as it was given.
func TestCommandLine(t *testing.T) {
	var out, errs bytes.Buffer
	assert.Equal(t, 0, run(t.Context(), []string{"-h"}, &out, &errs))
	errs.Reset()
	assert.Equal(t, 1, run(t.Context(), []string{"no/such"}, &out, &errs))
	assert.Contains(t, errs.String(), "no/such")
}

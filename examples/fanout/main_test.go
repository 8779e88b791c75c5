package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/examples/internal/outputtest"
	"github.com/durachart/durachart/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

func TestOutput(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, ""))
	outputtest.Golden(t, "output.txt", out.String())
}

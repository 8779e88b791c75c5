//go:build deps

// Package deps keeps the set dependencies in go.mod until packages use them.
package deps

import (
	_ "cel.dev/cel-go/cel"
	_ "cel.dev/cel-go/ext"
	_ "cel.dev/cel-go/interpreter"
	_ "github.com/anishathalye/porcupine"
	_ "github.com/asynkron/protoactor-go/actor"
	_ "github.com/cockroachdb/datadriven"
	_ "github.com/google/uuid"
	_ "github.com/mattn/go-isatty"
	_ "github.com/spf13/cobra"
	_ "github.com/stretchr/testify/assert"
	_ "github.com/stretchr/testify/require"
	_ "go.mongodb.org/mongo-driver/v2/mongo"
	_ "go.uber.org/goleak"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sync/semaphore"
	_ "golang.org/x/sync/singleflight"
	_ "pgregory.net/rapid"
)

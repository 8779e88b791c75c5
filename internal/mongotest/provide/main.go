// Command provide runs a command with a MongoDB server at its side. The script
// scripts/test-mongo is how people call it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/durachart/durachart/internal/mongotest/server"
)

const uriVariable = "DURACHART_TEST_MONGO_URI"

const usage = `usage: test-mongo [flags] -- command [arguments]

Runs command with DURACHART_TEST_MONGO_URI set to a MongoDB server that exists for
as long as the command runs: the one that the variable names already, else a mongod
from the PATH, else the official image in Docker, else SecantusDB, which is built
once into the user's cache folder. Without a command the server runs until it is
interrupted. The exit code is that of the command.

flags:
`

func main() {
	// The server dies with the thread that started it, which must therefore be one
	// that lasts as long as the process.
	runtime.LockOSThread()
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("test-mongo", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		_, _ = io.WriteString(stderr, usage)
		flags.PrintDefaults()
	}
	var opts server.Options
	flags.BoolVar(&opts.Standalone, "standalone", false, "a standalone server instead of a one-node replica set")
	flags.BoolVar(&opts.Durable, "durable", false, "acknowledged writes survive a kill of the server")
	verbose := flags.Bool("verbose", false, "show what the server prints")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	if *verbose {
		opts.Log = stderr
	}

	// From here on an interrupt ends the command, then the server, then us.
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()

	uri := os.Getenv(uriVariable)
	if uri == "" {
		srv, err := server.Start(ctx, opts)
		if err != nil {
			_, _ = fmt.Fprintf(stderr, "test-mongo: %v\n", err)
			return 1
		}
		defer srv.Stop()
		uri = srv.URI
		_, _ = fmt.Fprintf(stderr, "test-mongo: %s on port %d\n", srv.Edition, srv.Port)
	}
	if flags.NArg() == 0 {
		_, _ = fmt.Fprintln(stdout, uri)
		<-ctx.Done()
		return 0
	}
	return command(ctx, uri, flags.Args(), stdout, stderr)
}

// command runs the command and returns its exit code. When ctx ends it is asked to
// stop, by the signal that it would have got without us.
func command(ctx context.Context, uri string, args []string, stdout, stderr io.Writer) int {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), uriVariable+"="+uri)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, stdout, stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode()
	}
	if err != nil {
		_, _ = fmt.Fprintf(stderr, "test-mongo: %v\n", err)
		return 1
	}
	return 0
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// The exit statuses.
const (
	exitOK     = 0
	exitBroken = 1 // the invariant of the scenario, or the run failed
	exitUsage  = 2
)

// run is the program: it returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	p, err := parse(args, os.Getenv, stderr)
	switch {
	case errors.Is(err, errHelp):
		return exitOK
	case err != nil:
		fmt.Fprintf(stderr, "bench: %v\n  try: go run ./bench call -store memory -c 64\n", err)
		return exitUsage
	}
	res, err := measure(ctx, p)
	if res != nil {
		if err := res.print(stdout, p); err != nil {
			fmt.Fprintf(stderr, "bench: print the result: %v\n", err)
			return exitBroken
		}
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: %s: %v\n", p.scenario.name, err)
		return exitBroken
	}
	return exitOK
}

// measure runs one scenario. It returns what was measured also when the invariant is
// broken.
func measure(ctx context.Context, p params) (*result, error) {
	b, err := open(ctx, p)
	if err != nil {
		return nil, err
	}
	res := b.newResult()
	err = p.scenario.run(ctx, b, res)
	if closing := b.close(); err == nil && closing != nil {
		err = closing
	}
	if err != nil && !errors.Is(err, errBroken) {
		return nil, err
	}
	return res, err
}

package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/durachart/durachart/examples/internal/stores"
)

//go:embed testdata/sample.ndjson
var sample string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	var usage *usageError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "order: %v\ntry: go run ./examples/order -h\n", err)
		os.Exit(2)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "order: stopped before the end; the same input and database go on where this ended")
		os.Exit(1)
	default:
		fmt.Fprintln(os.Stderr, "order:", err)
		os.Exit(1)
	}
}

// usageError is a mistake on the command line.
type usageError struct{ error }

// run is the program without the process around it.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("order", flag.ContinueOnError)
	flags.SetOutput(stderr)
	in := flags.String("in", "", "read events from this `file`, - is the standard input (default a small sample)")
	mongo := flags.String("mongo", "", "keep executions in the MongoDB at this `URI`, database durachart_orders unless the URI names one (default in memory)")
	asJSON := flags.Bool("json", false, "print the summary as JSON")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil:
		return &usageError{err}
	case flags.NArg() > 0:
		return &usageError{fmt.Errorf("unexpected argument %q", flags.Arg(0))}
	}

	events, closeInput, err := openInput(*in, stdin)
	if err != nil {
		return err
	}
	defer closeInput()
	st, closeStore, err := stores.Open(ctx, *mongo, "durachart_orders")
	if err != nil {
		return err
	}
	defer closeStore()

	people := newConsole(stderr)
	result, err := process(ctx, st, events, people)
	people.close()
	if err != nil {
		return err
	}
	if len(result.failed) > 0 {
		return fmt.Errorf("%d orders wait for an operator: %s", len(result.failed), strings.Join(result.failed, ", "))
	}
	if *asJSON {
		return result.writeJSON(stdout)
	}
	return result.writeTable(stdout)
}

func openInput(name string, stdin io.Reader) (events io.Reader, closeInput func(), err error) {
	switch name {
	case "":
		return strings.NewReader(sample), func() {}, nil
	case "-":
		return stdin, func() {}, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	return f, func() { _ = f.Close() }, nil // it was only read
}

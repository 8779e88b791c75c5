package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/durachart/durachart/statechart"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	profile   statechart.Profile
	mode      string
	store     string
	mongo     string
	json      bool
	scenarios string
	dir       string
}

// run is the program. It returns 2 for a usage mistake, 1 if a test failed.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	o, err := parse(args, errs)
	if err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		fmt.Fprintf(errs, "conformance: %v\ntry: go run ./conformance -profile scxml DIR\n", err)
		return 2
	}
	tests, err := o.tests()
	if err != nil {
		fmt.Fprintf(errs, "conformance: %v\n", err)
		return 1
	}
	open, closeAll := o.worlds()
	defer closeAll()
	r := &report{out: out, json: o.json}
	for _, t := range tests {
		if ctx.Err() != nil {
			fmt.Fprintf(errs, "conformance: interrupted\n")
			return 1
		}
		r.add(t.name, t.group, t.run(ctx, open))
	}
	return r.close()
}

func parse(args []string, errs io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("conformance", flag.ContinueOnError)
	fs.SetOutput(errs)
	profile := fs.String("profile", "", "profile of the charts: scxml, or nothing for the default semantics")
	fs.StringVar(&o.mode, "mode", modeDirect, "direct, runtime, crash or twice")
	fs.StringVar(&o.store, "store", "memory", "store of all modes but direct: memory or mongo")
	fs.StringVar(&o.mongo, "mongo", os.Getenv("DURACHART_TEST_MONGO_URI"), "URI of the MongoDB server of -store mongo")
	fs.BoolVar(&o.json, "json", false, "print JSON objects")
	fs.StringVar(&o.scenarios, "scenarios", "", "run the scenarios of this file")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	o.profile = statechart.Profile(*profile)
	return o, o.check(fs.Args())
}

func (o *options) check(rest []string) error {
	if o.profile != statechart.ProfileNone && o.profile != statechart.ProfileSCXML {
		return fmt.Errorf("-profile %q is not known", o.profile)
	}
	switch o.mode {
	case modeDirect, modeRuntime, modeCrash, modeTwice:
	default:
		return fmt.Errorf("-mode %q is not known", o.mode)
	}
	if o.store != "memory" && o.store != "mongo" {
		return fmt.Errorf("-store %q is not known", o.store)
	}
	if o.store == "mongo" && o.mongo == "" {
		return errors.New("-store mongo needs -mongo URI")
	}
	switch {
	case o.scenarios != "" && len(rest) == 0:
		return nil
	case o.scenarios == "" && len(rest) == 1:
		o.dir = rest[0]
		return nil
	}
	return errors.New("name one folder, or a file with -scenarios")
}

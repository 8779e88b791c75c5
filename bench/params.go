package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// params is what a call of the program asks for.
type params struct {
	scenario *scenario
	store    string
	uri      string
	clients  int
	n        int
	regions  int
	runtimes int
	slots    int
	json     bool
}

// The kinds of stores.
const (
	memory  = "memory"
	mongoDB = "mongo"
)

// uriVariable names the server where -mongo does not.
const uriVariable = "DURACHART_TEST_MONGO_URI"

// errHelp reports that the call asked for help, which was given.
var errHelp = errors.New("help")

// parse reads the command line.
func parse(args []string, getenv func(string) string, help io.Writer) (params, error) {
	var p params
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(help)
	flags.Usage = func() { usage(help, flags) }
	flags.StringVar(&p.store, "store", "", "`memory` or mongo (default memory; mongo with -mongo, and for floor)")
	flags.StringVar(&p.uri, "mongo", "", "`URI` of the server (default $"+uriVariable+", else mongodb://127.0.0.1:27017)")
	flags.IntVar(&p.clients, "c", 64, "clients that work at the same time")
	flags.IntVar(&p.n, "n", 0, "executions, or events for cas (default: as the scenario says)")
	flags.IntVar(&p.regions, "regions", 2, "fork: regions of each parent")
	flags.IntVar(&p.runtimes, "runtimes", 8, "cas: runtimes that contend")
	flags.IntVar(&p.slots, "slots", 0, "mongo: write commands in flight (default: as the store chooses)")
	flags.BoolVar(&p.json, "json", false, "print one JSON object and nothing else")

	if len(args) == 0 {
		return p, errors.New("no scenario")
	}
	if name := args[0]; !strings.HasPrefix(name, "-") {
		if p.scenario = scenarioNamed(name); p.scenario == nil {
			return p, fmt.Errorf("no scenario %q; there are %s", name, strings.Join(scenarioNames(), ", "))
		}
		args = args[1:]
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return p, errHelp
	case err != nil:
		return p, err
	case p.scenario == nil:
		return p, errors.New("the scenario comes first")
	case flags.NArg() > 0:
		return p, fmt.Errorf("what is %q?", flags.Arg(0))
	}
	return p.withDefaults(getenv), p.validate()
}

// withDefaults returns p with what follows from the rest.
func (p params) withDefaults(getenv func(string) string) params {
	if p.store == "" {
		p.store = memory
		if p.uri != "" || p.scenario.mongoOnly {
			p.store = mongoDB
		}
	}
	if p.uri == "" {
		p.uri = getenv(uriVariable)
	}
	if p.uri == "" {
		p.uri = "mongodb://127.0.0.1:27017"
	}
	if p.n == 0 {
		p.n = p.scenario.n
	}
	return p
}

func (p params) validate() error {
	switch {
	case p.store != "" && p.store != memory && p.store != mongoDB:
		return fmt.Errorf("no store %q; there are memory and mongo", p.store)
	case p.store == memory && p.scenario.mongoOnly:
		return fmt.Errorf("%s is about the driver: it has no memory store", p.scenario.name)
	case p.clients < 1, p.n < 0, p.regions < 1, p.runtimes < 1, p.slots < 0:
		return errors.New("numbers must be positive")
	}
	return nil
}

func usage(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprintf(w, "go run ./bench SCENARIO [flags]\n\nScenarios:\n")
	for _, s := range scenarios {
		fmt.Fprintf(w, "  %-8s %s (n: %d)\n", s.name, s.summary, s.n)
	}
	fmt.Fprintf(w, "\nFlags:\n")
	flags.PrintDefaults()
}

// Command timeout shows a timeout that survives a restart.
//
// An invoice waits for its payment. The process that armed the timeout dies, the
// timeout falls due while nobody runs, and the next process fires it: the due
// time is part of what was committed, not of what was in memory.
//
//	go run ./examples/timeout
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/google/uuid"

	"github.com/durachart/durachart/actor"
	"github.com/durachart/durachart/examples/internal/stores"
	"github.com/durachart/durachart/statechart"
)

// patience is how long an invoice waits.
const patience = 250 * time.Millisecond

func main() {
	mongo := flag.String("mongo", "", "`URI` of a MongoDB (default in memory)")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *mongo); err != nil {
		fmt.Fprintln(os.Stderr, "timeout:", err)
		os.Exit(1)
	}
}

// invoice is open until it is paid, or until the timeout.
func invoice() *statechart.Chart {
	b := statechart.New("invoice").Initial("Open")
	b.State("Open").Timeout(patience)
	b.Final("Paid", "paid")
	b.Final("Overdue", "overdue")
	b.From("Open").To("Paid").On("Payment")
	b.From("Open").To("Overdue").On("timeout")
	return b.MustBuild()
}

func run(ctx context.Context, w io.Writer, uri string) error {
	st, closeStore, err := stores.Open(ctx, uri, "durachart_timeout")
	if err != nil {
		return err
	}
	defer closeStore()
	cfg := actor.Config{
		Store:        st,
		Charts:       []*statechart.Chart{invoice()},
		DrainTimeout: actor.NoDrain, // as if the process was killed
	}
	id := "invoice-" + uuid.NewString()

	var due time.Time
	err = stores.With(ctx, cfg, func(ctx context.Context, rt *actor.Runtime) error {
		reply, err := rt.Start(ctx, actor.StartRequest{ID: id, Chart: "invoice"})
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "first process:  started, is in %v\n", reply.Active)
		read, err := rt.Get(ctx, id)
		due = read.Timers["timeout:Open"]
		return err
	})
	if err != nil {
		return err
	}

	<-time.After(time.Until(due))
	fmt.Fprintln(w, "nobody:         the timeout falls due")

	return stores.With(ctx, cfg, func(ctx context.Context, rt *actor.Runtime) error {
		ended, err := rt.Wait(ctx, id, actor.Ended())
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "second process: %s, outcome %s, not early: %t\n", ended.Status, ended.Outcome, !ended.EndedAt.Before(due))
		return nil
	})
}

// Command fanout shows a fan-out over a list, with a join.
//
// A shipment weighs its parcels: one child execution for each, at most two at a
// time. When all have ended, the join decides by how they ended, and the results
// are in its event.
//
//	go run ./examples/fanout
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/google/uuid"

	"github.com/durachart/durachart/actor"
	"github.com/durachart/durachart/examples/internal/stores"
	"github.com/durachart/durachart/statechart"
)

func main() {
	mongo := flag.String("mongo", "", "`URI` of a MongoDB (default in memory)")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *mongo); err != nil {
		fmt.Fprintln(os.Stderr, "fanout:", err)
		os.Exit(1)
	}
}

// parcel is weighed, and ends at once.
func parcel() *statechart.Chart {
	b := statechart.New("parcel").Initial("Weighing")
	b.State("Weighing")
	b.Final("Fine").Carry("name")
	b.Final("TooHeavy", "failed").Carry("name")
	b.From("Weighing").To("Fine").Always().When("context.kilos <= 30")
	b.From("Weighing").To("TooHeavy").Always()
	return b.MustBuild()
}

// shipment weighs all its parcels and goes out only if each of them is fine.
func shipment() *statechart.Chart {
	b := statechart.New("shipment").Import(parcel()).Initial("Weighing")
	b.State("Weighing", func(s *statechart.StateBuilder) {
		s.Invoke("parcel").Each("p", "parcels").Limit(2)
		s.With(statechart.Pick("name", "p.name"), statechart.Pick("kilos", "p.kilos"))
	})
	b.Final("Sent", "sent").Carry("results")
	b.Final("HeldBack", "held back").Carry("results")
	b.From("Weighing").JoinAll().To("Sent").Else("HeldBack").Do(statechart.Set("results", "event.data.results"))
	return b.MustBuild()
}

func run(ctx context.Context, w io.Writer, uri string) error {
	st, closeStore, err := stores.Open(ctx, uri, "durachart_fanout")
	if err != nil {
		return err
	}
	defer closeStore()
	cfg := actor.Config{Store: st, Charts: []*statechart.Chart{shipment()}}
	return stores.With(ctx, cfg, func(ctx context.Context, rt *actor.Runtime) error {
		for _, kilos := range [][]int{{3, 12, 30, 7}, {3, 31, 8}, {}} {
			if err := send(ctx, w, rt, kilos); err != nil {
				return err
			}
		}
		return nil
	})
}

// send runs one shipment to its end and prints what came of it.
func send(ctx context.Context, w io.Writer, rt *actor.Runtime, kilos []int) error {
	var parcels []map[string]any
	for i, k := range kilos {
		parcels = append(parcels, map[string]any{"name": "parcel " + strconv.Itoa(i+1), "kilos": k})
	}
	start := actor.StartRequest{ID: "shipment-" + uuid.NewString(), Chart: "shipment", Context: map[string]any{"parcels": parcels}}
	if _, err := rt.Start(ctx, start); err != nil {
		return err
	}
	ended, err := rt.Wait(ctx, start.ID, actor.Ended())
	if err != nil {
		return err
	}
	var output struct {
		Results map[string]struct{ Name, Outcome string }
	}
	if err := json.Unmarshal(ended.Output, &output); err != nil {
		return err
	}
	fmt.Fprintf(w, "parcels of %v kg: %s\n", kilos, ended.Outcome)
	for i := range kilos {
		if r, ok := output.Results[strconv.Itoa(i)]; ok {
			fmt.Fprintf(w, "  %s: %s\n", r.Name, r.Outcome)
		}
	}
	return nil
}

package statechart_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/durachart/durachart/statechart"
)

func Example() {
	b := statechart.New("door").Version("1").Initial("Closed").
		Event("Open").Event("Close")
	b.State("Closed")
	b.State("Open").Timeout(30 * time.Second).OnEnter(statechart.Call("ring", "times", 1))
	b.From("Closed").To("Open").On("Open").When("!has(context.locked)")
	b.From("Open").To("Closed").On("Close", "timeout")
	chart, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(chart.Text())
	// Output:
	// event Open {}
	// event Close {}
	// machine door {
	//   version "1"
	//   initial Closed
	//   state Closed {}
	//   state Open {
	//     timeout 30s
	//     on enter ring(times: 1)
	//   }
	//   from Closed to Open on Open when "!has(context.locked)"
	//   from Open to Closed on Close | timeout
	// }
}

// All mistakes come at once.
func ExampleBuilder_Build() {
	b := statechart.New("door").Initial("Closed").Event("Open")
	b.State("Closed")
	b.State("Ajar")
	b.From("Closed").To("Opened").On("Opne")
	_, err := b.Build()
	var problems statechart.Problems
	if errors.As(err, &problems) {
		for _, p := range problems {
			fmt.Println(p)
			if p.Hint != "" {
				fmt.Println("  hint:", p.Hint)
			}
		}
	}
	// Output:
	// error dead_end: nothing leads out of "Ajar" (at Ajar)
	//   hint: add a transition, make it final, or say "resting" if staying there is meant
	// warning unreachable: nothing enters "Ajar" (at Ajar)
	// error unknown_state: no state "Opened" can be reached from here (at Closed)
	// error unknown_event: no declared event matches "Opne" (at Closed)
	//   hint: did you mean "Open"?
}

// The regions of an orthogonal state run as executions of their own; a join
// decides by how they end.
func ExampleStateBuilder_Orthogonal() {
	b := statechart.New("order").Version("1").Initial("Preparing")
	b.Orthogonal("Preparing", func(s *statechart.StateBuilder) {
		s.State("Payment", func(s *statechart.StateBuilder) {
			s.With(statechart.Pick("total", "total")).Carry("paid").Initial("Waiting")
			s.State("Waiting")
			s.Final("Settled")
			s.From("Waiting").To("Settled").On("Paid").
				Where(statechart.Compare("amount", ">", 0)).
				Do(statechart.Set("paid", "event.data.amount"))
		})
		s.State("Packing", func(s *statechart.StateBuilder) {
			s.Initial("Picking").State("Picking")
			s.Final("Boxed")
			s.From("Picking").To("Boxed").On("Packed")
		})
	})
	b.Final("Shipped")
	b.Final("Failed", "failed")
	b.From("Preparing").JoinAll().To("Shipped").Else("Failed")
	chart := b.MustBuild()

	for _, region := range chart.State("Preparing").Children {
		fmt.Println(region.Path, region.Names("Paid"), region.Names("Packed"))
	}
	fmt.Println(chart.State("Preparing").Transitions[0].Events[0].Name)
	// Output:
	// Preparing.Payment true false
	// Preparing.Packing false true
	// done.state.Preparing
}

// An invoke runs a child execution for each item of a list.
func ExampleInvokeBuilder() {
	parcel := statechart.New("parcel").Version("3").Initial("Moving")
	parcel.State("Moving").Timeout(7 * 24 * time.Hour)
	parcel.Final("Lost", "failed")
	parcel.From("Moving").To("Lost").On("timeout")

	b := statechart.New("shipment").Initial("Shipping").Import(parcel.MustBuild())
	s := b.State("Shipping").With(statechart.Pick("label", "p.label"))
	s.Invoke("parcel").Each("p", "parcels").Limit(10)
	b.Final("Arrived")
	b.Final("Failed", "failed")
	b.From("Shipping").Join(2).To("Arrived").Else("Failed")
	chart := b.MustBuild()

	invoke := chart.State("Shipping").Invoke
	fmt.Printf("%s@%s for %s in %v, %d at once\n", invoke.Chart, invoke.Version, invoke.Var, invoke.In, invoke.Limit)
	// Output:
	// parcel@3 for p in [parcels], 10 at once
}

// A choice picks one of several targets.
func ExampleTransitionBuilder_Select() {
	b := statechart.New("triage").Version("1").Initial("New")
	b.State("New")
	b.Final("Fast")
	b.Final("Slow")
	b.From("New").On("Filed").
		Select("severity", "scale", 3).Returns("high", "low").
		Branch("high", "Fast").Branch("low", "Slow").
		Do(statechart.Log("filed", "event.data.title"))
	fmt.Print(b.MustBuild().Text())
	// Output:
	// machine triage {
	//   version "1"
	//   initial New
	//   state New {}
	//   final Fast
	//   final Slow
	//   from New select severity(scale: 3) returns { "high", "low" } on Filed { "high" to Fast  "low" to Slow } do log "filed" = "event.data.title"
	// }
}

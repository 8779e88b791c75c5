package durachart_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/durachart/durachart/actor"
	"github.com/durachart/durachart/execution"
	"github.com/durachart/durachart/statechart"
	"github.com/durachart/durachart/store/memstore"
)

// Account is the context of an invoice.
type Account struct {
	Open int `json:"open"`
}

// book takes a payment off what is open. An error would undo the step.
func book(_ execution.Ctx, s *execution.Scope[Account]) error {
	var payment struct{ Amount int }
	err := json.Unmarshal(s.Event().Data, &payment)
	s.Context().Open -= payment.Amount
	return err
}

func Example() {
	b := statechart.New("invoice").Initial("Waiting")
	b.State("Waiting").Timeout(30 * 24 * time.Hour)
	b.Final("Settled", "paid")
	b.Final("Overdue", "overdue")
	b.From("Waiting").On("Payment").Do(statechart.Call("book"))
	b.From("Waiting").To("Settled").Always().When("context.open <= 0")
	b.From("Waiting").To("Overdue").On("timeout")

	st, _ := memstore.New(memstore.Options{}) // or mongostore.Open(ctx, uri, …)
	rt, err := actor.New(actor.Config{
		Store:    st,
		Charts:   []*statechart.Chart{b.MustBuild()},
		Handlers: execution.Handlers{"book": execution.ActionOf(book)},
	})
	if err != nil {
		log.Fatal(err) // every mistake at once
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- rt.Run(ctx) }()

	_, err = rt.Start(ctx, actor.StartRequest{ID: "i-1", Chart: "invoice", Context: Account{Open: 100}})
	fmt.Println("started", err)
	for _, amount := range []int{30, 70} {
		payment := actor.Event{Name: "Payment", Data: map[string]any{"amount": amount}}
		reply, err := rt.Call(ctx, "i-1", payment)
		fmt.Println(reply.Status, reply.Active, err)
	}
	stop()
	fmt.Println("ended", <-done)

	// Output:
	// started <nil>
	// RUNNING [Waiting] <nil>
	// DONE [Settled] <nil>
	// ended <nil>
}

package main

import "github.com/durachart/durachart/statechart"

const chartName = "order"

// orderChart is the life of one order. The regions of Fulfilment run as child
// executions of their own, Payment beside Picking; when both have ended, the join
// decides. Reports of a carrier that come too early are deferred until a state
// that knows what to do with them.
func orderChart() *statechart.Chart {
	b := statechart.New(chartName).Initial("Cart")
	for _, name := range []string{
		"Submit", "Cancel", "PaymentAuthorized", "PaymentDeclined", "ItemPicked", "OutOfStock",
		"Shipped", "Delivered", "Lost", "Refunded",
	} {
		b.Event(name)
	}

	b.State("Cart")
	b.From("Cart").To("Fulfilment").On("Submit").Where(statechart.Named("orderable")).Do(statechart.Call("remember"))
	b.From("Cart").To("Cancelled").On("Cancel")

	b.Orthogonal("Fulfilment", func(s *statechart.StateBuilder) {
		s.Defer("Shipped", "Delivered", "Lost", "Refunded")
		s.State("Payment", payment)
		s.State("Picking", picking)
	})
	b.From("Fulfilment").JoinAll().To("Shipping").Else("Refunding")
	b.From("Fulfilment").To("Cancelled").On("Cancel")

	b.State("Shipping").Defer("Delivered", "Lost")
	b.From("Shipping").To("InTransit").On("Shipped")

	b.State("InTransit")
	b.From("InTransit").To("Delivered").On("Delivered")
	b.From("InTransit").To("Refunding").On("Lost")

	b.State("Refunding")
	b.From("Refunding").To("Refunded").On("Refunded")

	b.Final("Cancelled", "cancelled")
	b.Final("Delivered", "delivered")
	b.Final("Refunded", "refunded")
	return b.MustBuild()
}

// payment ends with the first authorization, or with the third refusal.
func payment(s *statechart.StateBuilder) {
	s.Initial("Authorizing")
	s.State("Authorizing")
	s.Final("Paid")
	s.Final("Unpaid", "failed")
	s.From("Authorizing").To("Paid").On("PaymentAuthorized")
	s.From("Authorizing").To("Unpaid").On("PaymentDeclined").Where(statechart.Named("lastRefusal"))
	s.From("Authorizing").On("PaymentDeclined").Do(statechart.Call("countRefusal"))
}

// picking ends when as many items are picked as the order has, or when one is
// missing.
func picking(s *statechart.StateBuilder) {
	s.With(statechart.Pick("items", "items"))
	s.Initial("Collecting")
	s.State("Collecting")
	s.Final("Packed")
	s.Final("Missing", "failed")
	s.From("Collecting").To("Packed").On("ItemPicked").Where(statechart.Named("lastItem"))
	s.From("Collecting").On("ItemPicked").Do(statechart.Call("countItem"))
	s.From("Collecting").To("Missing").On("OutOfStock")
}

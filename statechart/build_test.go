package statechart_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/statechart"
)

// order is the worked example of the specification (section 17) in Go.
func order() *statechart.Builder {
	b := statechart.New("order").Version("1").Initial("Preparing").
		Event("Paid", statechart.Required("amount", statechart.Int)).
		Event("Packed").
		Event("Abort", statechart.Optional("reason", statechart.String)).
		Event("Delivered").
		Event("Lost").
		Import(parcel())
	b.Orthogonal("Preparing", func(s *statechart.StateBuilder) {
		s.Timeout(2 * time.Hour)
		s.State("Payment", func(s *statechart.StateBuilder) {
			s.With(statechart.Pick("total", "total")).Carry("paid").Initial("Waiting")
			s.State("Waiting").Timeout(30 * time.Minute)
			s.Final("Settled")
			s.Final("Unpaid", "failed")
			s.From("Waiting").To("Settled").On("Paid").
				When("event.data.amount >= context.total").
				Do(statechart.Set("paid", "event.data.amount"))
			s.From("Waiting").To("Unpaid").On("timeout")
		})
		s.State("Packing", func(s *statechart.StateBuilder) {
			s.Initial("Picking")
			s.State("Picking")
			s.Final("Boxed")
			s.From("Picking").To("Boxed").On("Packed")
		})
	})
	b.State("Shipping", func(s *statechart.StateBuilder) {
		s.Invoke("parcel").Each("p", "parcels").Limit(2)
		s.With(statechart.Pick("label", "p"))
	})
	b.Final("Shipped")
	b.Final("Failed", "failed")
	b.Final("Aborted", "cancelled")
	b.From("Preparing").JoinAll().To("Shipping").Else("Failed").Do(statechart.Set("prep", "event.data.results"))
	b.From("Preparing").To("Failed").On("timeout")
	b.From("Preparing").To("Aborted").On("Abort")
	b.From("Shipping").Join(2).To("Shipped").Else("Failed")
	return b
}

func parcel() *statechart.Chart {
	b := statechart.New("parcel").Version("1").Initial("Moving").Event("Delivered").Event("Lost")
	b.State("Moving").Timeout(7 * 24 * time.Hour)
	b.Final("Done")
	b.Final("Gone", "failed")
	b.From("Moving").To("Done").On("Delivered")
	b.From("Moving").To("Gone").On("Lost", "timeout")
	return b.MustBuild()
}

func TestTheWorkedExampleHasNoProblems(t *testing.T) {
	c, err := order().Build()
	require.NoError(t, err)
	require.Empty(t, c.Warnings())

	payment := c.State("Preparing.Payment")
	require.Equal(t, payment, payment.ExecutionRoot)
	require.True(t, payment.Names("Paid"))
	require.True(t, payment.Names("Paid.twice"))
	require.False(t, payment.Names("Packed"))
	require.Equal(t, []string{"paid"}, c.State("Preparing.Payment.Settled").Carried)

	join := c.State("Preparing").Transitions[0]
	require.Equal(t, "done.state.Preparing", join.Events[0].Name)
	require.Equal(t, c.State("Shipping"), join.Targets[0])
	require.Equal(t, c.State("Failed"), join.JoinElse)
	require.Equal(t, "1", c.State("Shipping").Invoke.Version)
	require.Equal(t, "parcel", c.Charts()[0].Name())
}

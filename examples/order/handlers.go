package main

import (
	"encoding/json"

	"github.com/durachart/durachart/execution"
)

// order is the context of an order.
type order struct {
	Items int     `json:"items"`
	Total float64 `json:"total"`
}

// paymentRegion is the context of region Payment, pickingRegion that of Picking.
type paymentRegion struct {
	Refused int `json:"refused"`
}

type pickingRegion struct {
	Items  int `json:"items"` // of the order, by the region's "with"
	Picked int `json:"picked"`
}

// refusals is how often a payment may be declined.
const refusals = 3

// handlers are the Go functions that the chart names.
func handlers() execution.Handlers {
	return execution.Handlers{
		"orderable":    execution.GuardOf(orderable),
		"remember":     execution.ActionOf(remember),
		"lastRefusal":  execution.GuardOf(lastRefusal),
		"countRefusal": execution.ActionOf(countRefusal),
		"lastItem":     execution.GuardOf(lastItem),
		"countItem":    execution.ActionOf(countItem),
	}
}

// orderable holds for a Submit with an integer number of items, at least one.
// Anything else is no fault of the chart: it has no effect.
func orderable(v execution.View[order]) (bool, error) {
	var submit struct{ Items int }
	err := json.Unmarshal(v.Event().Data, &submit)
	return err == nil && submit.Items >= 1, nil
}

// remember keeps what was ordered. A total that is no number is left out.
func remember(_ execution.Ctx, s *execution.Scope[order]) error {
	var submit struct {
		Items int
		Total json.RawMessage
	}
	if err := json.Unmarshal(s.Event().Data, &submit); err != nil {
		return err
	}
	s.Context().Items = submit.Items
	if total := 0.0; json.Unmarshal(submit.Total, &total) == nil {
		s.Context().Total = total
	}
	return nil
}

func lastRefusal(v execution.View[paymentRegion]) (bool, error) {
	return v.Context().Refused+1 >= refusals, nil
}

func countRefusal(_ execution.Ctx, s *execution.Scope[paymentRegion]) error {
	s.Context().Refused++
	return nil
}

func lastItem(v execution.View[pickingRegion]) (bool, error) {
	c := v.Context()
	return c.Picked+1 >= c.Items, nil
}

func countItem(_ execution.Ctx, s *execution.Scope[pickingRegion]) error {
	s.Context().Picked++
	return nil
}

package main

import (
	"encoding/json"
	"slices"
)

// model is an order as the table of the chart says it, without a chart, without
// children and without time: the slow, obvious other opinion.
type model struct {
	state   string // empty before Create
	outcome string
	seen    []string // ids
	pool    []event  // deferred

	items, picked, refused int
	payment, picking       string // outcome of the region, empty while it runs
}

// deferred says what each state keeps for later.
var deferredIn = map[string][]string{
	"Fulfilment": {"Shipped", "Delivered", "Lost", "Refunded"},
	"Shipping":   {"Delivered", "Lost"},
}

// apply applies one event and then whatever it made welcome in the pool, oldest
// first.
func (m *model) apply(ev event) {
	if slices.Contains(m.seen, ev.id) || m.outcome != "" {
		return
	}
	m.seen = append(m.seen, ev.id)
	for again := m.offer(ev); again && m.outcome == ""; {
		again = m.scan()
	}
}

// scan offers the pool once, up to the first event that moves the order.
func (m *model) scan() (moved bool) {
	pool := m.pool
	m.pool = nil
	for i, ev := range pool {
		if m.offer(ev) {
			m.pool = append(m.pool, pool[i+1:]...)
			return true
		}
	}
	return false
}

// offer reports whether ev moved the order to another state.
func (m *model) offer(ev event) (moved bool) {
	if slices.Contains(deferredIn[m.state], ev.name) {
		m.pool = append(m.pool, ev)
		return false
	}
	before := m.state
	switch m.state + " " + ev.name {
	case "Cart Submit":
		var data struct{ Items int }
		if json.Unmarshal(ev.data, &data) == nil && data.Items >= 1 {
			m.items, m.state = data.Items, "Fulfilment"
		}
	case "Cart Cancel", "Fulfilment Cancel":
		m.outcome = "cancelled"
	case "Shipping Shipped":
		m.state = "InTransit"
	case "InTransit Delivered":
		m.outcome = "delivered"
	case "InTransit Lost":
		m.state = "Refunding"
	case "Refunding Refunded":
		m.outcome = "refunded"
	}
	if m.state == "Fulfilment" {
		m.region(ev.name)
	}
	return m.state != before
}

// region gives an event of Fulfilment to the region that wants it, and joins.
func (m *model) region(name string) {
	switch {
	case m.payment == "" && name == "PaymentAuthorized":
		m.payment = "success"
	case m.payment == "" && name == "PaymentDeclined":
		if m.refused++; m.refused == 3 {
			m.payment = "failed"
		}
	case m.picking == "" && name == "ItemPicked":
		if m.picked++; m.picked == m.items {
			m.picking = "success"
		}
	case m.picking == "" && name == "OutOfStock":
		m.picking = "failed"
	}
	switch {
	case m.payment == "" || m.picking == "" || m.outcome != "":
	case m.payment == "success" && m.picking == "success":
		m.state = "Shipping"
	default:
		m.state = "Refunding"
	}
}

// modelled is what the model makes of an input.
func modelled(in *input) *summary {
	s := &summary{Outcomes: map[string]int{}, Active: map[string]int{}}
	orders := map[string]*model{}
	_ = in.each(func(ev event, bad *badLine) error { // a text has no read errors
		m := orders[ev.order]
		switch {
		case bad != nil:
			s.Malformed++
		case ev.name == "Create" && m == nil:
			orders[ev.order] = &model{state: "Cart"}
		case m == nil:
			s.UnknownOrder++
		default:
			m.apply(ev)
		}
		return nil
	})
	s.Lines, s.Orders = in.read, len(orders)
	for _, m := range orders {
		if m.outcome != "" {
			s.Outcomes[m.outcome]++
		} else {
			s.Active[m.state]++
		}
	}
	return s
}

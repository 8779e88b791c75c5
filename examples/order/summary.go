package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/durachart/durachart/actor"
)

// summary is what came of the input. The first three figures are of this run's
// reading, the others are read from the store, so they count what earlier runs
// did too.
type summary struct {
	Lines        int            `json:"lines"`
	Malformed    int            `json:"malformed"`
	UnknownOrder int            `json:"unknown_order"`
	Orders       int            `json:"orders"`
	Outcomes     map[string]int `json:"outcomes"`
	Active       map[string]int `json:"active"`

	// failed are orders that wait for an operator; they are active, too.
	failed []string
}

// lister is what a summary asks of the runtime.
type lister interface {
	List(ctx context.Context, f actor.Filter, p actor.Page) (actor.ListPage, error)
}

// countOrders adds the orders in the store to s, page by page.
func (s *summary) countOrders(ctx context.Context, rt lister) error {
	s.Outcomes, s.Active = map[string]int{}, map[string]int{}
	page := actor.Page{Limit: 500, WithData: true} // the active states are part of the data
	for {
		orders, err := rt.List(ctx, actor.Filter{DefinitionID: chartName, RootsOnly: true}, page)
		if err != nil {
			return fmt.Errorf("count orders: %w", err)
		}
		for _, o := range orders.Items {
			s.count(o)
		}
		if orders.Next == "" {
			return nil
		}
		page.Cursor = orders.Next
	}
}

func (s *summary) count(o actor.Execution) {
	s.Orders++
	if o.Ended() {
		s.Outcomes[o.Outcome]++
		return
	}
	for _, leaf := range o.Active {
		top, _, _ := strings.Cut(leaf, ".")
		s.Active[top]++
	}
	if o.Status == actor.StatusFailed || o.Parked != nil {
		s.failed = append(s.failed, o.ID)
	}
}

// writeJSON writes s as one object for machines.
func (s *summary) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(s)
}

// writeTable writes s for people.
func (s *summary) writeTable(w io.Writer) error {
	var b strings.Builder
	row := func(name string, count int) { fmt.Fprintf(&b, "  %-12s %6d\n", name, count) }
	section := func(title string, counts map[string]int) {
		fmt.Fprintf(&b, "%s\n", title)
		for _, name := range slices.Sorted(maps.Keys(counts)) {
			row(name, counts[name])
		}
	}
	section("ended with outcome", s.Outcomes)
	section("active in state", s.Active)
	row("orders", s.Orders)
	fmt.Fprintf(&b, "\n%d lines read, %d malformed, %d for unknown orders\n", s.Lines, s.Malformed, s.UnknownOrder)
	_, err := io.WriteString(w, b.String())
	return err
}

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// stream makes up a stream of that many orders: interleaved, with events that
// come twice, early, late or without sense, and with lines that are none. Equal
// seeds give equal streams.
func stream(seed uint64, orders int) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 0))}
	live := make([]*orderStream, orders)
	for n := range live {
		live[n] = &orderStream{id: fmt.Sprintf("o-%05d", n)}
	}
	for len(live) > 0 {
		// Few orders are busy at a time, as in a shop.
		n := g.IntN(min(len(live), 40))
		if !live[n].step(g) {
			live = append(live[:n], live[n+1:]...)
		}
	}
	return g.out.String()
}

type generator struct {
	*rand.Rand
	out    strings.Builder
	events int
}

// nonsense are lines that are no events of an order.
var nonsense = []string{
	"not json at all", `[1,2,3]`, `{"id":"","order":"o-00001","event":"Submit"}`, `{"id":"x","event":"Submit"}`,
	`{"id":"g-%d","order":"ghost-%[1]d","event":"Submit","data":{"items":1}}`,
}

// orderStream makes the events of one order. It follows the model only to know
// when a Cancel would race with the end of the regions, which the data excludes.
type orderStream struct {
	id    string
	model model
	sent  int
	last  string // line
}

// step writes one more line, and reports whether there will be more.
func (o *orderStream) step(g *generator) bool {
	g.events++
	switch roll := g.IntN(100); {
	case o.last != "" && roll < 6:
		g.out.WriteString(o.last)
		return true
	case roll < 7:
		line := nonsense[g.IntN(len(nonsense))]
		if strings.Contains(line, "%") {
			line = fmt.Sprintf(line, g.events)
		}
		g.out.WriteString(line + "\n")
		return true
	}
	ev := event{id: fmt.Sprintf("%s/%d", o.id, o.sent), order: o.id, name: "Create", data: []byte(`{}`)}
	if o.sent > 0 {
		ev.name, ev.data = o.choose(g)
		o.model.apply(ev)
	} else {
		o.model.state = "Cart"
	}
	o.sent++
	o.last = fmt.Sprintf("{\"id\":%q,\"order\":%q,\"event\":%q,\"data\":%s}\n", ev.id, ev.order, ev.name, ev.data)
	g.out.WriteString(o.last)
	return g.IntN(25) > 0 && o.sent < 60
}

func (o *orderStream) choose(g *generator) (name string, data []byte) {
	names := []string{"Submit", "Audit", "Shipped", "Delivered", "Lost", "Refunded"}
	switch o.model.state {
	case "Cart":
		names = []string{"Submit", "Submit", "Submit", "Submit", "Submit", "Submit", "Teleport", "Refunded"}
		if g.IntN(30) == 0 {
			names = []string{"Cancel"}
		}
	case "Fulfilment":
		names = append(names, "ItemPicked", "ItemPicked", "ItemPicked", "ItemPicked", "ItemPicked",
			"PaymentAuthorized", "PaymentAuthorized", "PaymentDeclined", "PaymentDeclined", "OutOfStock")
		if g.IntN(50) == 0 {
			names = []string{"Cancel"}
		}
	case "Shipping", "InTransit", "Refunding":
		names = append(names, "Shipped", "Delivered", "Refunded", "PaymentDeclined", "ItemPicked")
	}
	name = names[g.IntN(len(names))]
	if name == "Submit" {
		items := []string{`{}`, `{"items":"3"}`, `{"items":1.5}`, `{"items":-2}`, `{"items":1,"total":9.5}`, `{"items":2}`, `{"items":4}`}
		return name, []byte(items[g.IntN(len(items))])
	}
	return name, []byte(`{}`)
}

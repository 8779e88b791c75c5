// Command order processes a stream of shop orders, one execution per order.
//
//	go run ./examples/order                          a small sample, in memory
//	go run ./examples/order -in orders.ndjson        a file; "-" is the standard input
//	go run ./examples/order -mongo mongodb://…       executions live in MongoDB
//	go run ./examples/order -json                    the summary for machines
//
// The input is one JSON object a line, {"id", "order", "event", "data"}. "Create"
// starts the execution of an order, every other event is applied to it. The ids
// of the events are their dedupe ids, so a line that comes twice, a file that is
// sent twice and a run that was killed and started again all give the same result.
//
// # Reading it
//
// chart.go is the chart, handlers.go its typed actions and guards. input.go reads
// lines, apply.go applies them: the events of one order one after another, those
// of many orders side by side. summary.go asks the store what came of it all.
package main

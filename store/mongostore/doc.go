// Package mongostore is the store of executions in MongoDB.
//
// Each execution is one document, and each step is one compare-and-set update of
// that document, so nothing here needs a transaction: a standalone server does as
// well as a replica set. Commits that are ready together travel in one command
// (see Slots in [store.Limits]); a lone one is sent at once.
//
// Start with [Open], which builds a client from a URI, or [New], which takes a
// client of yours and never closes it. Either returns a [Store] that has asked
// nothing of the server yet but whether it is there; [Store.Ready] makes the meta
// and shard documents and checks the indexes, and [Store.EnsureIndexes] creates
// them. Opening a store creates no index.
//
// # What is the authority
//
// The document is. Its field version is the compare-and-set counter, and the
// fields beside data are promoted from the snapshot in the same update, so that a
// query never sees one without the other.
//
// # What happens when a part fails
//
// A write whose reply is lost is read back by the random commit_id that it
// carries. What reading back does not settle is store.ErrUncertain, never a
// conflict and never a failure. Driver errors are translated in one function;
// their texts hold no payload, key value or credential.
//
// Concerns are set on every collection whatever the URI says: write majority with
// journal, read local on the primary, and majority for a read that ends work.
//
// This package is the only importer of the MongoDB driver beside the benchmarks
// and the test rigs.
package mongostore

package proxy

import "go.mongodb.org/mongo-driver/v2/bson"

// Fault is what happens to one command. The zero value is nothing.
type Fault struct {
	// CutBefore closes the connection; the server never has the command.
	CutBefore bool
	// DropReply lets the server do it and closes the connection instead of handing
	// the reply on.
	DropReply bool
	// Reply is given instead of asking the server.
	Reply bson.D
	// Rewrite changes what the server replied.
	Rewrite func(bson.D) bson.D

	// Before runs before the command is handed on, After when its reply is there.
	// They may block: then the message waits.
	Before, After func()
}

// On applies fault to the next n commands that match. Earlier rules come first.
func (p *Proxy) On(n int, match func(*Command) bool, fault Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = append(p.rules, &rule{match: match, fault: fault, left: n})
}

// Clear takes all rules away.
func (p *Proxy) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rules = nil
}

// Named matches commands by name and collection; an empty collection is any.
func Named(name, collection string) func(*Command) bool {
	return func(c *Command) bool {
		return c.Name == name && (collection == "" || c.On() == collection)
	}
}

// CommandError is a command that the server refused as a whole.
func CommandError(code int, name string) bson.D {
	return bson.D{
		{Key: "ok", Value: 0.0},
		{Key: "errmsg", Value: "scripted"},
		{Key: "code", Value: int32(code)},
		{Key: "codeName", Value: name},
	}
}

// WriteConcernError adds to a reply that the write is not confirmed.
func WriteConcernError(code int) func(bson.D) bson.D {
	return func(reply bson.D) bson.D {
		return append(reply, bson.E{Key: "writeConcernError", Value: bson.D{
			{Key: "code", Value: int32(code)},
			{Key: "errmsg", Value: "scripted"},
		}})
	}
}

// WriteError makes a reply say that the i-th statement failed. What was done stays
// done: it is for statements that the server is not asked about.
func WriteError(i, code int) bson.D {
	return bson.D{
		{Key: "ok", Value: 1.0},
		{Key: "n", Value: int32(0)},
		{Key: "nModified", Value: int32(0)},
		{Key: "writeErrors", Value: bson.A{bson.D{
			{Key: "index", Value: int32(i)},
			{Key: "code", Value: int32(code)},
			{Key: "errmsg", Value: "scripted"},
		}}},
	}
}

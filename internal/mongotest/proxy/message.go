package proxy

import (
	"encoding/binary"
	"fmt"
	"io"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

const (
	headerSize = 16
	opMsg      = 2013
	maxMessage = 48 << 20
)

// message is one message as it is on the wire, header included.
type message []byte

func (m message) requestID() int32  { return int32(binary.LittleEndian.Uint32(m[4:])) }
func (m message) responseTo() int32 { return int32(binary.LittleEndian.Uint32(m[8:])) }
func (m message) opCode() int32     { return int32(binary.LittleEndian.Uint32(m[12:])) }

func readMessage(r io.Reader) (message, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(head[:])
	if size < headerSize || size > maxMessage {
		return nil, fmt.Errorf("a message of %d bytes", size)
	}
	m := make(message, size)
	copy(m, head[:])
	_, err := io.ReadFull(r, m[4:])
	return m, err
}

// Command is what a driver asked for.
type Command struct {
	Name string
	Body bson.Raw
	// Statements are what the driver sent beside the body: the updates, deletes or
	// documents of a write.
	Statements []bson.Raw
}

// On returns the collection of a command, "" where it has none.
func (c *Command) On() string {
	name, _ := c.Body.Lookup(c.Name).StringValueOK()
	return name
}

// command reads a message. It is false for what is no OP_MSG.
func (m message) command() (*Command, bool) {
	if m.opCode() != opMsg || len(m) < headerSize+4 {
		return nil, false
	}
	c := new(Command)
	rest := []byte(m[headerSize+4:])
	if binary.LittleEndian.Uint32(m[headerSize:])&1 != 0 { // a checksum ends it
		rest = rest[:len(rest)-4]
	}
	for len(rest) > 0 {
		kind := rest[0]
		rest = rest[1:]
		switch kind {
		case 0:
			doc, after, ok := bsoncore.ReadDocument(rest)
			if !ok {
				return nil, false
			}
			c.Body, rest = bson.Raw(doc), after
		case 1:
			size := int(binary.LittleEndian.Uint32(rest))
			c.Statements = append(c.Statements, sequence(rest[4:size])...)
			rest = rest[size:]
		default:
			return nil, false
		}
	}
	first, err := c.Body.IndexErr(0)
	if err != nil {
		return nil, false
	}
	c.Name = first.Key()
	if array, ok := c.Body.Lookup("updates").ArrayOK(); ok {
		values, _ := array.Values()
		for _, v := range values {
			c.Statements = append(c.Statements, v.Document())
		}
	}
	return c, true
}

// sequence reads the documents of a section after its name.
func sequence(section []byte) []bson.Raw {
	for i, b := range section {
		if b == 0 {
			section = section[i+1:]
			break
		}
	}
	var docs []bson.Raw
	for len(section) > 0 {
		doc, rest, ok := bsoncore.ReadDocument(section)
		if !ok {
			break
		}
		docs, section = append(docs, bson.Raw(doc)), rest
	}
	return docs
}

// replyTo makes a reply of a document.
func replyTo(request message, doc bson.Raw) message {
	m := make(message, headerSize+5, headerSize+5+len(doc))
	m = append(m, doc...)
	binary.LittleEndian.PutUint32(m[0:], uint32(len(m)))
	binary.LittleEndian.PutUint32(m[8:], uint32(request.requestID()))
	binary.LittleEndian.PutUint32(m[12:], opMsg)
	return m
}

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// maxLine bounds a line, so that a file without line ends cannot fill the memory.
const maxLine = 1 << 20

// event is one usable line of the input.
type event struct {
	line  int
	id    string
	order string
	name  string
	data  json.RawMessage // nil: there was none
}

// badLine is a line that is no event.
type badLine struct {
	line   int
	reason string
}

func (b *badLine) Error() string { return fmt.Sprintf("line %d: %s", b.line, b.reason) }

// input reads events from lines of JSON.
type input struct {
	lines *bufio.Reader
	read  int // lines so far
}

func newInput(r io.Reader) *input { return &input{lines: bufio.NewReaderSize(r, 64<<10)} }

// next returns the next event, a *badLine for a line that is none (read on), or
// io.EOF.
func (in *input) next() (event, error) {
	text, err := in.nextLine()
	if err != nil {
		return event{}, err
	}
	ev, err := parseEvent(text)
	if err != nil {
		return event{}, &badLine{line: in.read, reason: err.Error()}
	}
	ev.line = in.read
	return ev, nil
}

// each calls f with every event and every bad line until f fails or the input ends.
func (in *input) each(f func(ev event, bad *badLine) error) error {
	for {
		ev, err := in.next()
		var bad *badLine
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.As(err, &bad) {
			return fmt.Errorf("read line %d: %w", in.read+1, err)
		}
		if err := f(ev, bad); err != nil {
			return err
		}
	}
}

// nextLine returns a line without its end. What is over maxLine of it is read and
// thrown away.
func (in *input) nextLine() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := in.lines.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			tooLong, line = true, nil
		} else if !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (err != io.EOF || len(part) == 0 && len(line) == 0 && !tooLong):
			return nil, err
		}
		in.read++
		if tooLong {
			return nil, &badLine{line: in.read, reason: fmt.Sprintf("longer than %d bytes", maxLine)}
		}
		return line, nil
	}
}

// parseEvent reads one line. Keys are exact: encoding/json would take "ID" for "id".
func parseEvent(text []byte) (event, error) {
	if !utf8.Valid(text) {
		return event{}, errors.New("not UTF-8")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		if typeErr := (*json.UnmarshalTypeError)(nil); errors.As(err, &typeErr) {
			return event{}, fmt.Errorf("not an object but %s", article(typeErr.Value))
		}
		return event{}, fmt.Errorf("not JSON: %w", err)
	}
	if fields == nil {
		return event{}, errors.New("not an object but null")
	}
	ev := event{data: fields["data"]}
	for _, f := range []struct {
		key   string
		value *string
	}{{"id", &ev.id}, {"order", &ev.order}, {"event", &ev.name}} {
		if json.Unmarshal(fields[f.key], f.value) != nil || *f.value == "" {
			return event{}, fmt.Errorf("no %s", f.key)
		}
	}
	if string(ev.data) == "null" {
		ev.data = nil
	}
	return ev, nil
}

func article(kind string) string {
	if kind == "array" {
		return "an array"
	}
	return "a " + kind
}

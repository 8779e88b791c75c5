package expr

import (
	"errors"
	"fmt"
	"strings"
)

var (
	// ErrExpression reports that evaluation failed: an absent key, operands of
	// wrong types, arithmetic overflow, too high a cost, a guard that is not
	// boolean. It is the kind "expression" of a step's error event (S41).
	ErrExpression = errors.New("expr: evaluation failed")
	// ErrValue reports a result that cannot be stored as JSON (S71), the kind
	// "value" of a step's error event.
	ErrValue = errors.New("expr: result is not a JSON value")
)

// CompileError holds everything that is wrong with an expression.
type CompileError struct {
	Source string
	Issues []Issue // at least one, in order of position
}

// Issue is one mistake in an expression.
type Issue struct {
	Offset  int    // in characters from the start of the source
	Message string // one line
	Err     error  // what Options.State returned, else nil
}

// Error implements error: the messages of all issues.
func (e *CompileError) Error() string {
	messages := make([]string, len(e.Issues))
	for i, issue := range e.Issues {
		messages[i] = issue.Message
	}
	return strings.Join(messages, "; ")
}

// Unwrap returns the errors of [Options.State], for errors.Is and errors.As.
func (e *CompileError) Unwrap() []error {
	var errs []error
	for _, issue := range e.Issues {
		if issue.Err != nil {
			errs = append(errs, issue.Err)
		}
	}
	return errs
}

func evalError(kind error, source string, cause any) error {
	return fmt.Errorf("%w: %q: %v", kind, source, cause)
}

package mongostore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/auth"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"github.com/durachart/durachart/store"
)

// failure is what a driver error means (D26, D28).
type failure struct {
	// sentinel is what the caller is told of a read, or of a write that certainly
	// did not happen.
	sentinel error
	// definite: the write certainly did not happen. Everything that is not is to
	// be resolved by reading back, or is store.ErrUncertain.
	definite bool
	// duplicate: an insert met a document of that _id.
	duplicate bool

	text  string // says what happened without the driver's words, which may hold values
	cause error
}

// Error implements error. It shows neither payload nor key value nor credential
// (D29).
func (f *failure) Error() string { return f.sentinel.Error() + ": " + f.text }

// Unwrap gives errors.Is the sentinel and the cause.
func (f *failure) Unwrap() []error { return []error{f.sentinel, f.cause} }

// translate is the one place where driver errors get their meaning. err is not nil.
//
// A failure is definite only if the server reported it for this very statement, or
// if it came before the command left (D26). A command that the server refused as a
// whole before it ran anything (it could not be parsed, or not authorized) left
// nothing behind either; all other errors of a whole command are ambiguous.
func translate(err error) *failure {
	f := &failure{sentinel: store.ErrUnavailable, cause: err, text: "the server could not be asked"}

	var selection topology.ServerSelectionError
	var queue topology.WaitQueueTimeoutError
	var pool driver.RetryablePoolError
	var connection topology.ConnectionError
	var handshake *auth.Error
	var marshal mongo.MarshalError
	var whole mongo.CommandError
	switch {
	case mongo.IsNetworkError(err):
		f.text = "the connection was lost"
	case errors.As(err, &handshake) && !errors.As(handshake.Unwrap(), &connection):
		f.sentinel, f.definite, f.text = store.ErrMisconfigured, true, "the credentials are refused"
	case errors.As(err, &connection):
		// Not one that a command was on, which is a network error: it was being made.
		f.definite, f.text = true, "no connection could be made"
	case errors.As(err, &selection):
		f.definite, f.text = true, "no server to write to"
	case errors.As(err, &queue):
		f.definite, f.text = true, "no connection was free"
	case errors.As(err, &pool):
		f.definite, f.text = true, "the connections are being renewed"
	case errors.Is(err, mongo.ErrClientDisconnected):
		f.sentinel, f.definite, f.text = store.ErrClosed, true, "the client is closed"
	case errors.As(err, &marshal):
		f.sentinel, f.definite, f.text = store.ErrInvalidArgument, true, "it cannot be encoded"
	case errors.As(err, &whole) && whole.Code != 0:
		f.ofWhole(int(whole.Code))
	case errors.As(err, new(mongo.WriteException)), errors.As(err, new(mongo.BulkWriteException)):
		f.ofStatements(err)
	case mongo.IsTimeout(err), errors.Is(err, context.Canceled):
		f.text = "the time was up"
	}
	return f
}

// ofWhole judges the error of a command that failed as a whole.
func (f *failure) ofWhole(code int) {
	f.text, f.sentinel = ofCode(code)
	f.duplicate = code == codeDuplicateKey // an upsert by findAndModify
	f.definite = f.duplicate || refusedWhole(code)
}

// ofStatements judges the write errors of a command with one statement. A bulk's
// are judged one by one with ofStatement. A write-concern error beside or instead
// of them says nothing about the statement: it may well have been applied.
func (f *failure) ofStatements(err error) {
	var one mongo.WriteException
	if errors.As(err, &one) && len(one.WriteErrors) == 1 && one.WriteConcernError == nil {
		*f = *ofStatement(one.WriteErrors[0], err)
		return
	}
	f.text = "the write is not confirmed"
}

// ofStatement judges the error that the server reported for one statement: it is
// definite, unless we do not know the code (D29).
func ofStatement(e mongo.WriteError, cause error) *failure {
	f := &failure{cause: cause}
	f.text, f.sentinel = ofCode(e.Code)
	f.duplicate = e.Code == codeDuplicateKey
	f.definite = f.duplicate || slices.Contains(knownCodes, e.Code)
	return f
}

// Codes of the server, by what they mean to a caller (D28).
const (
	codeDuplicateKey = 11000
	codeNamespace    = 26 // no such collection
)

var (
	codesInvalid       = []int{2, 9, 14, 40, 66, 72}
	codesFull          = []int{16500, 14031, 10334, 17419, 17420}
	codesUnsupported   = []int{20, 59, 115, 238, 263}
	codesMisconfigured = []int{13, 18, codeNamespace}
	codesPassing       = []int{50, 91, 112, 189, 251, 10107, 11600, 11602, 13435}
	knownCodes         = slices.Concat(codesInvalid, codesFull, codesUnsupported, codesMisconfigured, codesPassing)
)

func ofCode(code int) (text string, sentinel error) {
	text = "server error " + strconv.Itoa(code)
	switch {
	case slices.Contains(codesInvalid, code):
		return text, store.ErrInvalidArgument
	case slices.Contains(codesFull, code):
		return text, store.ErrBackpressure
	case slices.Contains(codesUnsupported, code):
		return text, store.ErrUnsupported
	case slices.Contains(codesMisconfigured, code):
		return text, store.ErrMisconfigured
	}
	return text, store.ErrUnavailable
}

// refusedWhole reports whether the code is one that the server gives before it runs
// any statement of a command.
func refusedWhole(code int) bool {
	return slices.Contains(codesInvalid, code) ||
		slices.Contains(codesUnsupported, code) ||
		slices.Contains(codesMisconfigured, code)
}

// CorruptError reports a document that this version of the program cannot make
// sense of. It matches store.ErrUnsupported: trying again is of no use, and other
// executions are not touched by it.
type CorruptError struct {
	ID    string
	Field string
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%v: the document is corrupt at field %q", store.ErrUnsupported, e.Field)
}

// Is matches store.ErrUnsupported.
func (e *CorruptError) Is(target error) bool { return target == store.ErrUnsupported }

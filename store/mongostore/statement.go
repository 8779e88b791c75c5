package mongostore

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// statement is one updateOne: what it looks for and what it changes.
type statement struct{ filter, update bson.Raw }

// reply is what a command of several statements came back with.
type reply struct {
	matched int64
	// failed has the statements that the server reported an error for. The others
	// of the command stand.
	failed map[int]*failure
	// whole is set when the command failed as a whole, or when its effect is not
	// confirmed: then it speaks about every statement that is not in failed.
	whole *failure
}

// of returns what failed about a statement, nil if only matched tells.
func (r *reply) of(i int) *failure {
	if f := r.failed[i]; f != nil {
		return f
	}
	return r.whole
}

// update sends statements in one command, a lone one as updateOne. Their order
// means nothing: no two of them are of one document.
//
// It looks at what matched and never at what was modified (D20): an update that
// changes nothing has happened.
func update(ctx context.Context, coll *mongo.Collection, statements []statement) reply {
	if len(statements) == 1 {
		res, err := coll.UpdateOne(ctx, statements[0].filter, statements[0].update)
		if err != nil {
			return replyOf(err)
		}
		return reply{matched: res.MatchedCount}
	}
	models := make([]mongo.WriteModel, len(statements))
	updates := make([]mongo.UpdateOneModel, len(statements))
	for i, st := range statements {
		updates[i].Filter, updates[i].Update = st.filter, st.update
		models[i] = &updates[i]
	}
	res, err := coll.BulkWrite(ctx, models, options.BulkWrite().SetOrdered(false))
	r := replyOf(err)
	if res != nil {
		r.matched = res.MatchedCount
	}
	return r
}

// replyOf takes the errors of a command apart, statement by statement: the driver's
// own helpers look at any item of a mixed bulk. A write-concern error beside them
// means that nothing is confirmed.
func replyOf(err error) reply {
	var one mongo.WriteException
	var bulk mongo.BulkWriteException
	switch {
	case err == nil:
		return reply{}
	case errors.As(err, &bulk):
		r := reply{failed: make(map[int]*failure, len(bulk.WriteErrors))}
		for _, e := range bulk.WriteErrors {
			r.failed[e.Index] = ofStatement(e.WriteError, err)
		}
		if bulk.WriteConcernError != nil {
			r.whole = translate(err)
		}
		return r
	case errors.As(err, &one) && len(one.WriteErrors) > 0:
		r := reply{failed: map[int]*failure{0: ofStatement(one.WriteErrors[0], err)}}
		if one.WriteConcernError != nil {
			r.whole = translate(err)
		}
		return r
	}
	return reply{whole: translate(err)}
}

// first is the error of a command of which every statement has to succeed: one that
// is not definite before those that are.
func (r *reply) first() error {
	if r.whole != nil {
		return r.whole
	}
	var err error
	for _, f := range r.failed {
		if !f.definite {
			return f
		}
		err = f
	}
	return err
}

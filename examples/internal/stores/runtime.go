package stores

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/durachart/durachart/actor"
)

// With runs a runtime while f works with it, and stops it when f returns: a
// process that comes, does something, and goes.
func With(ctx context.Context, cfg actor.Config, f func(ctx context.Context, rt *actor.Runtime) error) error {
	rt, err := actor.New(cfg)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	run, stop := context.WithCancel(ctx)
	group.Go(func() error { return rt.Run(run) })
	group.Go(func() error {
		defer stop() // Run drains, and returns
		return f(ctx, rt)
	})
	return group.Wait()
}

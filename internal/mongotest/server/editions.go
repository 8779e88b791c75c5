package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"time"
)

const (
	replicaSet  = "durachart"
	dockerImage = "mongo:8.0"
)

// edition is one way to run a server.
type edition struct {
	name string
	// command builds the process to start, and what else there is to clean up.
	command func(port int, dir string, opts Options) (*exec.Cmd, func())
	// initiate: the server has to be told that it is a replica set.
	initiate bool
}

// find returns the first edition that this machine can run. The order is that of
// trust: the real server first, the compatible one last.
func find(ctx context.Context, log io.Writer) (edition, error) {
	if path, err := exec.LookPath("mongod"); err == nil {
		return mongod(path), nil
	}
	if path, err := exec.LookPath("docker"); err == nil && daemonRuns(ctx, path) {
		return docker(path), nil
	}
	ed, err := secantus(ctx, log)
	if err != nil {
		return edition{}, fmt.Errorf("no mongod on the PATH, no Docker engine, and no SecantusDB: %w", err)
	}
	return ed, nil
}

func mongod(path string) edition {
	return edition{
		name:     "mongod",
		initiate: true,
		command: func(port int, dir string, opts Options) (*exec.Cmd, func()) {
			return exec.Command(path, mongodArgs(port, dir, opts)...), nil
		},
	}
}

func mongodArgs(port int, dir string, opts Options) []string {
	args := []string{"--port", strconv.Itoa(port), "--dbpath", dir}
	if !opts.Standalone {
		args = append(args, "--replSet", replicaSet)
	}
	if opts.Auth {
		args = append(args, "--auth")
	}
	return args
}

// docker runs the official image. A client without an engine does not count.
func docker(path string) edition {
	return edition{
		name:     "docker " + dockerImage,
		initiate: true,
		command: func(port int, dir string, opts Options) (*exec.Cmd, func()) {
			name := fmt.Sprintf("durachart-mongo-%d", port)
			// The port is the same inside and outside, so that the name of the set's
			// member holds on both sides.
			args := []string{
				"run", "--rm", "--name", name,
				"--publish", fmt.Sprintf("127.0.0.1:%d:%d", port, port),
				"--volume", dir + ":/data/db",
				dockerImage, "--bind_ip_all",
			}
			args = append(args, mongodArgs(port, "/data/db", opts)...)
			remove := func() { _ = exec.Command(path, "rm", "--force", "--volumes", name).Run() }
			return exec.Command(path, args...), remove
		},
	}
}

func daemonRuns(ctx context.Context, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return exec.CommandContext(ctx, path, "info").Run() == nil
}

var errNoBuild = errors.New("it could not be built")

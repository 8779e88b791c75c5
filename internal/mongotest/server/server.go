package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Options says which server a test needs. The zero value is a one-node replica
// set without authentication.
type Options struct {
	// Standalone asks for a server outside of a replica set.
	Standalone bool
	// Durable makes acknowledged writes survive a kill of the server. A mongod does
	// that by itself; SecantusDB needs a flag that costs speed.
	Durable bool
	// Auth makes the server ask for credentials.
	Auth bool
	// Dir keeps the data in a folder of the caller's, so that a second server can
	// open it. Default: a new folder that goes away with the server.
	Dir string
	// Port is the loopback port. Default: a free one.
	Port int
	// Log gets what the server prints, and what is built meanwhile. Default: nowhere.
	Log io.Writer
}

// Server is a running server.
type Server struct {
	// URI is a connection string without credentials.
	URI string
	// Edition names the program, for example "mongod" or "secantusd-rs".
	Edition string
	// Port is the loopback port.
	Port int

	cmd     *exec.Cmd
	done    chan struct{} // closed when the process has ended
	tempDir string        // removed by Stop; empty if the caller owns the folder
	cleanup func()        // what remains beside the process; may be nil
	stop    sync.Once
}

const startTimeout = 60 * time.Second

// Start finds an edition, starts it and waits until it answers as what was asked
// for. The caller stops it.
func Start(ctx context.Context, opts Options) (*Server, error) {
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	ed, err := find(ctx, opts.Log)
	if err != nil {
		return nil, err
	}
	// The port is free when it is chosen and may be taken when the server binds it.
	const tries = 3
	for try := 1; ; try++ {
		s, err := startOnce(ctx, ed, opts)
		if err == nil || opts.Port != 0 || try == tries || ctx.Err() != nil {
			return s, err
		}
	}
}

func startOnce(ctx context.Context, ed edition, opts Options) (*Server, error) {
	s := &Server{Edition: ed.name, Port: opts.Port, done: make(chan struct{})}
	if s.Port == 0 {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		s.Port = port
	}
	dir := opts.Dir
	if dir == "" {
		temp, err := os.MkdirTemp("", "durachart-mongo-")
		if err != nil {
			return nil, fmt.Errorf("make a folder for the server: %w", err)
		}
		s.tempDir, dir = temp, temp
	}
	s.URI = fmt.Sprintf("mongodb://127.0.0.1:%d/", s.Port)
	s.cmd, s.cleanup = ed.command(s.Port, dir, opts)
	s.cmd.Stdout, s.cmd.Stderr = opts.Log, opts.Log
	s.cmd.SysProcAttr = ownGroup()
	if err := s.cmd.Start(); err != nil {
		s.removeDir()
		return nil, fmt.Errorf("start %s: %w", ed.name, err)
	}
	go func() {
		defer close(s.done)
		_ = s.cmd.Wait() // the exit state is of no interest: it is killed in the end
	}()
	if err := s.ready(ctx, ed, opts); err != nil {
		s.Stop()
		return nil, fmt.Errorf("start %s: %w", ed.name, err)
	}
	return s, nil
}

// Stop ends the server and removes its folder. It is idempotent.
func (s *Server) Stop() {
	s.stop.Do(func() {
		s.signal(syscall.SIGTERM)
		select {
		case <-s.done:
		case <-time.After(10 * time.Second):
			s.signal(syscall.SIGKILL)
			<-s.done
		}
		if s.cleanup != nil {
			s.cleanup()
		}
		s.removeDir()
	})
}

// Kill ends the server as a crash would. Stop is still to be called.
func (s *Server) Kill() {
	s.signal(syscall.SIGKILL)
	<-s.done
}

func (s *Server) signal(sig syscall.Signal) {
	select {
	case <-s.done: // the process id may be another's by now
	default:
		_ = s.cmd.Process.Signal(sig)
	}
}

func (s *Server) removeDir() {
	if s.tempDir != "" {
		_ = os.RemoveAll(s.tempDir)
	}
}

// ready waits until the server answers and, for a replica set, until it is primary.
func (s *Server) ready(ctx context.Context, ed edition, opts Options) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	// A member that is not initiated yet is seen by a direct connection only.
	client, err := mongo.Connect(options.Client().ApplyURI(s.URI).SetDirect(true).
		SetServerSelectionTimeout(300 * time.Millisecond))
	if err != nil {
		return err
	}
	defer func() { _ = client.Disconnect(context.WithoutCancel(ctx)) }()
	initiated := opts.Standalone || !ed.initiate
	return s.poll(ctx, func(ctx context.Context) error {
		hello, err := hello(ctx, client)
		if err != nil {
			return err
		}
		if !initiated {
			initiated = initiate(ctx, client, s.Port) == nil
		}
		switch {
		case !hello.IsWritablePrimary:
			return errors.New("it is not primary yet")
		case opts.Standalone != (hello.SetName == ""):
			return fmt.Errorf("it is not what was asked for: set name %q", hello.SetName)
		}
		return nil
	})
}

// poll calls check until it is nil, the server has ended, or ctx is over.
func (s *Server) poll(ctx context.Context, check func(context.Context) error) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := check(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-s.done:
			return fmt.Errorf("it ended at once (%v): %w", s.cmd.ProcessState, err)
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}

type helloReply struct {
	IsWritablePrimary bool   `bson:"isWritablePrimary"`
	SetName           string `bson:"setName"`
}

func hello(ctx context.Context, client *mongo.Client) (helloReply, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	var reply helloReply
	err := client.Database("admin").RunCommand(ctx, bson.D{{Key: "hello", Value: 1}}).Decode(&reply)
	return reply, err
}

// initiate makes a one-node replica set of a server that was started for one. Its
// member is named by the port inside and outside of a container alike.
func initiate(ctx context.Context, client *mongo.Client, port int) error {
	config := bson.D{
		{Key: "_id", Value: replicaSet},
		{Key: "members", Value: bson.A{bson.D{
			{Key: "_id", Value: 0},
			{Key: "host", Value: fmt.Sprintf("127.0.0.1:%d", port)},
		}}},
	}
	err := client.Database("admin").RunCommand(ctx, bson.D{{Key: "replSetInitiate", Value: config}}).Err()
	if code := (mongo.CommandError{}); errors.As(err, &code) && code.Name == "AlreadyInitialized" {
		return nil
	}
	return err
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, fmt.Errorf("find a free port: %w", err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// cacheDir is where test tools that were built once are kept.
func cacheDir() (string, error) {
	base := os.Getenv("XDG_CACHE_HOME")
	if base == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find the cache folder: %w", err)
		}
		base = filepath.Join(home, ".cache")
	}
	return filepath.Join(base, "durachart"), nil
}

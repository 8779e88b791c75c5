package mongotest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"os"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// The variables that a run is steered with.
const (
	URIVariable     = "DURACHART_TEST_MONGO_URI"
	RequireVariable = "REQUIRE_MONGO"
)

const howToRun = "no MongoDB: run scripts/test-mongo -- go test ./... (or set " + URIVariable + ")"

// URI returns the connection string of the test server. Without a server it skips
// t, or fails it under REQUIRE_MONGO=1.
func URI(t testing.TB) string {
	t.Helper()
	uri := os.Getenv(URIVariable)
	if uri == "" {
		absent(t)
	}
	return uri
}

func absent(t testing.TB) {
	t.Helper()
	if os.Getenv(RequireVariable) == "1" {
		t.Fatal(howToRun)
	}
	t.Skip(howToRun)
}

// Connect returns a client of the test server that is closed with the test. The
// options are applied after the URI.
func Connect(t testing.TB, opts ...*options.ClientOptions) *mongo.Client {
	t.Helper()
	all := append([]*options.ClientOptions{options.Client().ApplyURI(URI(t))}, opts...)
	client, err := mongo.Connect(all...)
	if err != nil {
		t.Fatalf("connect to the test server: %v", err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_ = client.Disconnect(ctx) // a test may have closed it already
	})
	return client
}

// Database returns a name that no other test has, and drops the database of that
// name at the end of the test.
func Database(t testing.TB) string {
	t.Helper()
	uri := URI(t)
	random := make([]byte, 8)
	_, _ = rand.Read(random) // never fails
	name := "durachart_test_" + hex.EncodeToString(random)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		client, err := mongo.Connect(options.Client().ApplyURI(uri))
		if err != nil {
			t.Errorf("drop database: %v", err)
			return
		}
		defer func() { _ = client.Disconnect(ctx) }()
		if err := client.Database(name).Drop(ctx); err != nil {
			t.Errorf("drop database: %v", err)
		}
	})
	return name
}

// Server says what answers behind the URI, for the output of tests and benchmarks.
type Server struct {
	Version    string // as the server claims it
	Secantus   string // version of SecantusDB; empty on a MongoDB
	Standalone bool
}

func (s Server) String() string {
	kind := "replica set"
	if s.Standalone {
		kind = "standalone"
	}
	if s.Secantus != "" {
		return "SecantusDB " + s.Secantus + " (as MongoDB " + s.Version + "), " + kind
	}
	return "MongoDB " + s.Version + ", " + kind
}

// Describe asks the server what it is.
func Describe(t testing.TB, client *mongo.Client) Server {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	var build struct {
		Version  string `bson:"version"`
		Secantus string `bson:"secantusVersion"`
	}
	var hello struct {
		SetName string `bson:"setName"`
		Msg     string `bson:"msg"`
	}
	admin := client.Database("admin")
	if err := admin.RunCommand(ctx, bson.D{{Key: "buildInfo", Value: 1}}).Decode(&build); err != nil {
		t.Fatalf("ask the test server for its version: %v", err)
	}
	if err := admin.RunCommand(ctx, bson.D{{Key: "hello", Value: 1}}).Decode(&hello); err != nil {
		t.Fatalf("ask the test server for its kind: %v", err)
	}
	return Server{
		Version:    build.Version,
		Secantus:   build.Secantus,
		Standalone: hello.SetName == "" && hello.Msg != "isdbgrid",
	}
}

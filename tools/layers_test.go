package tools

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const product = "github.com/durachart/durachart/"

// An arrow is one import, written into a file of a module that looks like ours.
type arrow struct {
	file    string // where the import stands
	imports string // a path below the product's, or a full one
	rule    string // the list of .depguard.yml that must refuse it; empty: it is allowed
}

var arrows = []arrow{
	{"statechart/a.go", "execution", "statechart"},
	{"statechart/stm/a.go", "store", "statechart"},
	{"statechart/a.go", "math/rand/v2", "pure"},
	{"execution/a.go", "store", "execution"},
	{"execution/a.go", "actor", "execution"},
	{"execution/a.go", "context", "pure-execution"},
	{"execution/a.go", "log/slog", "pure"},
	{"store/a.go", "actor", "store"},
	{"store/memstore/a.go", "relay", "store"},
	{"store/storetest/a.go", "timer", "store"},
	{"store/memstore/a.go", "go.mongodb.org/mongo-driver/v2/mongo", "mongo-driver"},
	{"timer/a.go", "actor", "timer"},
	{"timer/a.go", "relay", "timer"},
	{"timer/a.go", "store/memstore", "concrete-stores"},
	{"relay/a.go", "timer", "relay"},
	{"relay/a.go", "actor", "relay"},
	{"actor/a.go", "bench", "actor"},
	{"actor/a.go", "store/mongostore", "concrete-stores"},
	{"actor/a.go", "go.mongodb.org/mongo-driver/v2/mongo", "mongo-driver"},
	{"internal/backoff/a.go", "store", "internal"},
	{"internal/lease/a.go", "actor", "lease"},
	{"internal/lease/a.go", "store/memstore", "concrete-stores"},
	{"actor/internal/gate/a.go", "bench", "actor"},
	{"relay/a.go", "github.com/asynkron/protoactor-go/actor", "protoactor"},
	{"cmd/durachart/a.go", "go.mongodb.org/mongo-driver/v2/mongo", "mongo-driver"},
	{"relay/a.go", "testing", "testing"},
	{"timer/a_test.go", "actor", "timer"},

	{"statechart/stm/a.go", "statechart", ""},
	{"execution/a.go", "statechart", ""},
	{"execution/a_test.go", "context", ""},
	{"store/a.go", "execution", ""},
	{"store/mongostore/a.go", "go.mongodb.org/mongo-driver/v2/mongo", ""},
	{"store/storetest/a.go", "testing", ""},
	{"timer/a.go", "store", ""},
	{"timer/a_test.go", "store/memstore", ""},
	{"relay/a.go", "internal/lease", ""},
	{"internal/lease/a.go", "store", ""},
	{"actor/a.go", "timer", ""},
	{"actor/internal/gate/a.go", "actor/internal/proto", ""},
	{"actor/a.go", "github.com/asynkron/protoactor-go/actor", ""},
	{"bench/a.go", "go.mongodb.org/mongo-driver/v2/mongo", ""},
	{"examples/order/a.go", "actor", ""},
}

// TestImportArrows runs `make layers` on a small copy of our module with one
// import in it, and wants the wrong ones refused by the rule that is meant for
// them and the right ones accepted.
func TestImportArrows(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	depguard := filepath.Join(t.TempDir(), "depguard")
	if out, err := exec.Command("go", "build", "-o", depguard, "github.com/OpenPeeDeeP/depguard/v2/cmd/depguard").CombinedOutput(); err != nil {
		t.Fatalf("build depguard: %v\n%s", err, out)
	}
	for _, a := range arrows {
		t.Run(a.file+" imports "+a.imports, func(t *testing.T) {
			t.Parallel()
			module := likeOurs(t, root, a)
			cmd := exec.Command("make", "-f", filepath.Join(root, "Makefile"), "layers", "TOOL=env PATH="+filepath.Dir(depguard)+":"+os.Getenv("PATH"))
			cmd.Dir = module
			out, err := cmd.CombinedOutput()
			switch refused := fmt.Sprintf("from list '%s'", a.rule); {
			case a.rule == "" && err != nil:
				t.Errorf("refused, should be allowed:\n%s", out)
			case a.rule != "" && err == nil:
				t.Errorf("allowed, rule %q should refuse it:\n%s", a.rule, out)
			case a.rule != "" && !strings.Contains(string(out), refused):
				t.Errorf("refused, but not %s:\n%s", refused, out)
			}
		})
	}
}

// TestCheckRunsLayers: the arrows are part of what a change must pass.
func TestCheckRunsLayers(t *testing.T) {
	out, err := exec.Command("make", "-C", "..", "-n", "check").CombinedOutput()
	if err != nil {
		t.Fatalf("make -n check: %v\n%s", err, out)
	}
	for _, tool := range []string{"depguard ./...", "staticcheck ./...", "misspell", "gofmt", "tidy -diff"} {
		if !strings.Contains(string(out), tool) {
			t.Errorf("make check does not run %s", tool)
		}
	}
}

// likeOurs writes a module of our name in which every package is empty but for
// the arrow, and returns its folder.
func likeOurs(t *testing.T, root string, a arrow) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	config, err := os.ReadFile(filepath.Join(root, ".depguard.yml"))
	if err != nil {
		t.Fatal(err)
	}
	write(".depguard.yml", string(config))

	path := a.imports
	switch first, _, _ := strings.Cut(a.imports, "/"); first {
	case "statechart", "execution", "store", "timer", "relay", "actor", "bench", "internal":
		path = product + a.imports
		write(a.imports+"/doc.go", "package "+filepath.Base(a.imports)+"\n")
	}
	var require, replace string
	for _, foreign := range []string{"go.mongodb.org/mongo-driver/v2", "github.com/asynkron/protoactor-go"} {
		version := "v0.0.0"
		if strings.HasSuffix(foreign, "/v2") {
			version = "v2.0.0"
		}
		if sub, ok := strings.CutPrefix(path, foreign+"/"); ok {
			write("foreign/go.mod", "module "+foreign+"\n")
			write("foreign/"+sub+"/doc.go", "package "+sub+"\n")
			require = fmt.Sprintf("require %s %s\n", foreign, version)
			replace = fmt.Sprintf("replace %s => ./foreign\n", foreign)
		}
	}
	write("go.mod", "module "+strings.TrimSuffix(product, "/")+"\n\ngo 1.26.0\n\n"+require+replace)
	write(a.file, fmt.Sprintf("package a\n\nimport _ %q\n", path))
	return dir
}

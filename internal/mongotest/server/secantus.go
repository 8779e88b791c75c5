package server

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// The pinned versions of SecantusDB. docs/test-servers.md says what was seen on
// each, and is to be read again when one of them changes.
const (
	secantusCrate  = "secantus-mdb"
	secantusRust   = "0.5.3-beta.196"
	secantusPython = "0.7.0b3"
)

// secantus returns the Rust edition from the cache folder, else builds it, else
// installs the Python edition beside it.
func secantus(ctx context.Context, log io.Writer) (edition, error) {
	cache, err := cacheDir()
	if err != nil {
		return edition{}, err
	}
	root := filepath.Join(cache, "secantus")
	binary := filepath.Join(root, "bin", "secantusd-rs")
	if isFile(binary) {
		return secantusEdition("secantusd-rs", binary), nil
	}
	rustErr := buildRust(ctx, root, log)
	if rustErr == nil && isFile(binary) {
		return secantusEdition("secantusd-rs", binary), nil
	}
	venv := filepath.Join(cache, "secantus-py")
	script := filepath.Join(venv, "bin", "secantusd-py")
	if !isFile(script) {
		if err := installPython(ctx, venv, log); err != nil {
			return edition{}, fmt.Errorf("%w; %w", rustErr, err)
		}
	}
	if !isFile(script) {
		return edition{}, fmt.Errorf("%w: %s is missing", errNoBuild, script)
	}
	return secantusEdition("secantusd-py", script), nil
}

func secantusEdition(name, path string) edition {
	return edition{
		name: name,
		command: func(port int, dir string, opts Options) (*exec.Cmd, func()) {
			args := []string{"--host", "127.0.0.1", "--port", strconv.Itoa(port), "--storage-path", dir}
			if opts.Standalone {
				args = append(args, "--standalone")
			}
			if opts.Auth {
				args = append(args, "--auth")
			}
			if opts.Durable && name == "secantusd-rs" {
				args = append(args, "--sync-on-commit")
			}
			cmd := exec.Command(path, args...)
			cmd.Dir = dir // it looks for a configuration file where it stands
			return cmd, nil
		},
	}
}

func buildRust(ctx context.Context, root string, log io.Writer) error {
	cargo, err := exec.LookPath("cargo")
	if err != nil {
		return fmt.Errorf("%w: no cargo on the PATH", errNoBuild)
	}
	_, _ = fmt.Fprintf(log, "building %s %s once, a few minutes; it needs libclang (apt-get install libclang-dev)\n", secantusCrate, secantusRust)
	return runLogged(ctx, log, cargo, "install", secantusCrate,
		"--version", secantusRust, "--ignore-rust-version", "--root", root)
}

func installPython(ctx context.Context, venv string, log io.Writer) error {
	python, err := exec.LookPath("python3")
	if err != nil {
		return fmt.Errorf("%w: no python3 on the PATH", errNoBuild)
	}
	if err := runLogged(ctx, log, python, "-m", "venv", venv); err != nil {
		return err
	}
	return runLogged(ctx, log, filepath.Join(venv, "bin", "pip"), "install", "--quiet", "SecantusDB=="+secantusPython)
}

func runLogged(ctx context.Context, log io.Writer, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s: %w", errNoBuild, filepath.Base(name), err)
	}
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

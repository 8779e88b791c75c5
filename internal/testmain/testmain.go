// Package testmain is the TestMain of packages that start goroutines: it runs the
// tests and fails if one is left at the end.
package testmain

import (
	"testing"

	"go.uber.org/goleak"
)

// Run runs the tests of a package and exits. Call it from TestMain.
func Run(m *testing.M) { goleak.VerifyTestMain(m) }

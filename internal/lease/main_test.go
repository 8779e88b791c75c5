package lease_test

import (
	"testing"

	"github.com/durachart/durachart/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }

package lease_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/durachart/durachart/internal/testmain"
)

func TestMain(m *testing.M) {
	if database := os.Getenv(databaseVariable); database != "" {
		if err := beChild(database); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	testmain.Run(m)
}

package stm_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/durachart/durachart/statechart/stm"
)

// The worked example of section 17 has no problems.
func TestWorkedExample(t *testing.T) {
	f, err := stm.Parse(os.DirFS("testdata"), "order.stm")
	require.NoError(t, err)
	assert.Empty(t, f.Report())
	require.Len(t, f.Charts, 2)
	assert.Equal(t, "order", f.Charts[0].Name())
	assert.Equal(t, "1", f.Chart("parcel").Version())
	assert.Nil(t, f.Chart("nope"))
	for _, c := range f.Charts {
		again, err := stm.ParseText("printed.stm", stm.Print(c))
		require.NoError(t, err, stm.Print(c))
		assert.True(t, c.Equal(again.Charts[0]), "%s\n%s", stm.Print(c), stm.Print(again.Charts[0]))
	}
}

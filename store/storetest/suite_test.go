package storetest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// specified is the list of cases in the specification, section 15.
const specified = `EX1 EX2 EX3 EX4 EX5 EX6 EX7 EX8 EX9 EX10 EX11 EX12 EX13 EX14 EX15 EX16 EX17 EX18 EX19 EX20 BA1 BA2 BA3 BA4 BA5
	IN1 IN2 IN3 IN4 IN5 IN6 IN7 IN8 IN9 IN10 OU1 OU2 OU3 OU4 OU5 OU6 OU7 OU8 OU9 OU10 SP1 SP2 SP3 TI1 TI2 TI3 TI4 TI5 TI6 TI7 TI8
	TR1 TR2 TR3 TR4 LI1 LI2 LI3 LI4 LI5 LI6 SH1 SH2 SH3 SH4 SH5 SH6 SH7 DL1 CT1 RE1 RE2 RE3 GE1 GE2 GE3 GE4 GE5 GE6 GE7`

// Section 15: the list is complete, in its order, and every case can run or says
// where it is.
func TestEveryCaseIsHere(t *testing.T) {
	var ids []string
	for _, c := range Cases() {
		ids = append(ids, c.ID)
		assert.NotEqual(t, c.driver, c.run != nil, c.ID)
		assert.NotEmpty(t, c.Says, c.ID)
		assert.NoError(t, c.options.Limits.Validate(), c.ID)
		if c.driver {
			assert.Regexp(t, regexp.MustCompile(`\(M\)$`), c.Says)
		}
	}
	assert.Equal(t, strings.Fields(specified), ids)
}

// A case that fails, fails now, panics or skips is told apart by Judge and does not
// fail the test that asks.
func TestJudgeTellsTheVerdict(t *testing.T) {
	cleaned := false
	verdict := func(misbehave func(tb testing.TB)) Verdict {
		return Judge(t, "EX1", func(tb testing.TB, o Options) Fixture {
			tb.Cleanup(func() { cleaned = true })
			misbehave(tb)
			tb.SkipNow()
			return Fixture{}
		})
	}
	require.Equal(t, Verdict{Skipped: true}, verdict(func(testing.TB) {}))
	assert.True(t, cleaned)
	v := verdict(func(tb testing.TB) { tb.Error("wrong") })
	assert.True(t, v.Failed)
	assert.Contains(t, v.Log, "wrong")
	v = verdict(func(tb testing.TB) { require.True(tb, false) })
	assert.True(t, v.Failed)
	assert.False(t, v.Skipped)
	v = verdict(func(testing.TB) { panic("broken") })
	assert.True(t, v.Failed)
	assert.Contains(t, v.Log, "broken")
	assert.True(t, Judge(t, "XX1", nil).Failed, "no such case")
}

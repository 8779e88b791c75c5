package statechart

// check runs the checks that look at the whole chart (S103).
func (c *compiler) check() {
}

package statechart

import (
	"fmt"

	"github.com/durachart/durachart/internal/jsonvalue"
)

// choice takes over a select with its branches (S12).
func (c *compiler) choice(d *ChoiceDecl, src *State, sc scope) *Choice {
	sc.pos = or(d.Pos, sc.pos)
	out := &Choice{Pos: d.Pos}
	switch {
	case d.Call != nil && d.Expr != nil:
		c.fail("selector_malformed", sc.pos, sc.state, "a choice has one selector, not a handler and an expression")
	case d.Call != nil:
		out.Call = c.call(d.Call, sc)
	case d.Expr != nil:
		out.Expr = c.expr(d.Expr, sc)
	default:
		c.fail("selector_malformed", sc.pos, sc.state, "the choice has branches but no selector")
	}
	if len(d.Branches) == 0 {
		c.fail("selector_malformed", sc.pos, sc.state, "the choice has no branch")
	}
	c.branches(out, d, src, sc)
	if d.Else != nil {
		out.Else = c.reach("selector_target_unresolved", *d.Else, src, sc)
	}
	if d.HasReturns {
		c.returns(out, d, sc)
	}
	return out
}

func (c *compiler) branches(out *Choice, d *ChoiceDecl, src *State, sc scope) {
	seen := make(map[string]bool)
	for _, b := range d.Branches {
		pos := or(b.Pos, sc.pos)
		value := c.literal(b.Value, "the value of a branch", pos, sc.state)
		text := choiceText(value)
		if seen[text] {
			c.fail("selector_malformed", pos, sc.state, "the choice has two branches for %q", text)
		}
		seen[text] = true
		target := c.reach("selector_target_unresolved", b.Target, src, scope{state: sc.state, where: sc.where, pos: pos})
		out.Branches = append(out.Branches, Branch{Value: value, Text: text, Target: target, Pos: b.Pos})
	}
}

// returns checks the branches against the values that the selector can give.
func (c *compiler) returns(out *Choice, d *ChoiceDecl, sc scope) {
	known := make(map[string]bool)
	branch := make(map[string]bool)
	for _, b := range out.Branches {
		branch[b.Text] = true
	}
	for _, v := range d.Returns {
		value := c.literal(v, "a value of returns", sc.pos, sc.state)
		text := choiceText(value)
		out.Returns = append(out.Returns, value)
		known[text] = true
		if !branch[text] && d.Else == nil {
			c.fail("selector_non_exhaustive", sc.pos, sc.state, "the selector can return %q, for which there is no branch and no else", text)
		}
	}
	for _, b := range out.Branches {
		if !known[b.Text] {
			c.fail("selector_phantom_branch", or(b.Pos, sc.pos), sc.state, "the selector never returns %q", b.Text)
		}
	}
}

// choiceText is the text form of a value, by which a branch is picked (S12).
func choiceText(v any) string {
	if text, ok := jsonvalue.Text(v); ok {
		return text
	}
	return fmt.Sprint(v)
}

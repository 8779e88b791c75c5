package statechart_test

import (
	"strconv"
	"strings"
	"testing"

	. "github.com/durachart/durachart/statechart"
)

func TestBadNames(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "of a state", want: "error bad_name $B", says: "starts with $",
			build: func(b *Builder) { reached(b, "$B") },
		},
		{
			name: "of an event", want: "error bad_name ", says: "empty part",
			build: func(b *Builder) { b.Event("a..b") },
		},
		{
			name: "in a trigger", want: "error bad_name A", says: "has one of the characters",
			build: func(b *Builder) { b.From("A").On("a|b") },
		},
		{
			name: "of a guard", want: "error bad_name A", says: "not reserved",
			build: func(b *Builder) { b.From("A").On("F").Where(Named("when")) },
		},
		{
			name: "of a handler", want: "error bad_name A", says: "joined by dots",
			build: func(b *Builder) { b.From("A").On("F").Do(Call("do it")) },
		},
		{
			name: "of a handler that is a keyword", want: "error bad_name A", says: "reserved word",
			build: func(b *Builder) { b.From("A").On("F").Do(Call("send")) },
		},
		{
			name: "of a delayed send", want: "error bad_name A", says: "delayed send",
			build: func(b *Builder) { b.From("A").On("F").Do(Cancel("a.b")) },
		},
		{
			name: "of a loop variable", want: "error bad_name B", says: "loop variable",
			build: func(b *Builder) {
				reached(b, "B").Resting().Invoke("c").Each("in", "list")
				b.Import(child("c"))
			},
		},
		{
			name: "in a bind", want: "error bad_name ", says: "bind must be a word",
			build: func(b *Builder) { b.Bind("a.b", "c").From("A").On("F").Do(Call("a.b")) },
		},
	})
}

func TestTooLarge(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "a name", want: "error too_large " + strings.Repeat("x", 129), says: "longer than 128 bytes",
			build: func(b *Builder) { reached(b, strings.Repeat("x", 129)) },
		},
		{
			name: "nesting", want: "error too_large " + strings.TrimPrefix(strings.Repeat(".S", 33), "."), says: "more than 32 deep",
			build: func(b *Builder) {
				inner := reached(b, "S")
				for range 32 {
					inner.Initial("S")
					inner = inner.State("S")
				}
			},
		},
		{
			name: "guards that double", want: "error too_large ", says: "more than 10000 times",
			build: func(b *Builder) {
				b.Guard("g0", Compare("flag", "==", true))
				for i := range 14 {
					g := Named("g" + strconv.Itoa(i))
					b.Guard("g"+strconv.Itoa(i+1), Or(Not(g), g))
				}
				b.From("A").On("F").Where(Named("g14"))
			},
		},
		{
			name: "the number of states", want: "error too_large ", says: "more than 10000 states",
			build: func(b *Builder) {
				b.From("A").To("S0").On("F")
				for i := range 9_998 { // with A, Z and the root 10,001
					name := "S" + strconv.Itoa(i)
					b.State(name).From("self").To("S" + strconv.Itoa(min(i+1, 9_997))).On("E")
				}
			},
		},
	})
}

func TestDuplicates(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "children", want: "error duplicate B", says: `two children called "B"`,
			build: func(b *Builder) {
				reached(b, "B")
				b.Final("B")
			},
		},
		{
			name: "hooks", want: "error duplicate B", says: `"on enter" twice`,
			build: func(b *Builder) { reached(b, "B").OnEnter(Call("f")).OnEnter(Call("g")) },
		},
		{
			name: "the version", want: "error duplicate ", says: `"version" twice`,
			build: func(b *Builder) { b.Version("1").Version("2") },
		},
		{
			name: "triggers", want: "error duplicate A", says: `"trigger" twice`,
			build: func(b *Builder) { b.From("A").On("F").Always() },
		},
		{
			name: "events", want: "error duplicate ", says: "declared twice",
			build: func(b *Builder) { b.Event("E") },
		},
		{
			name: "fields", want: "error duplicate ", says: `field "x" twice`,
			build: func(b *Builder) { b.Event("G", Required("x", Int), Optional("x", Int)) },
		},
		{
			name: "guards", want: "error duplicate ", says: "declared twice",
			build: func(b *Builder) {
				b.GuardWhen("g", "true").GuardWhen("g", "false").From("A").On("F").Where(Named("g"))
			},
		},
		{
			name: "names in a bind", want: "error duplicate ", says: "bound twice",
			build: func(b *Builder) { b.Bind("f", "x").Bind("f", "y").From("A").On("F").Do(Call("f")) },
		},
		{
			name: "inputs", want: "error duplicate A", says: `input "x"`,
			build: func(b *Builder) { b.From("A").On("F").Do(Call("f", "x", 1, "x", 2)) },
		},
		{
			name: "keys of a with", want: "error duplicate A", says: `key "x"`,
			build: func(b *Builder) { b.From("A").On("F").Do(Raise("F", Pick("x", "a"), Eval("x", "1"))) },
		},
	})
}

func TestUnused(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "guard", want: "warning unused ", says: `guard "g"`,
			build: func(b *Builder) { b.GuardWhen("g", "true") },
		},
		{
			name: "bind", want: "warning unused ", says: `bind "f"`,
			build: func(b *Builder) { b.Bind("f", "x") },
		},
	})
}

// What a builder call can get wrong and no text can say is a syntax finding too.
func TestSyntaxOfCalls(t *testing.T) {
	runMistakes(t, []mistake{
		{
			name: "an input without a value", want: "error syntax A", says: `input "x"`,
			build: func(b *Builder) { b.From("A").On("F").Do(Call("f", "x")) },
		},
		{
			name: "a value that is no literal", want: "error syntax A", says: "must be a text, a number",
			build: func(b *Builder) { b.From("A").On("F").Do(Call("f", "x", struct{}{})) },
		},
		{
			name: "a nil action", want: "error syntax A", says: "is nil",
			build: func(b *Builder) { b.From("A").On("F").Do(nil) },
		},
		{
			name: "a typed nil action", want: "error syntax A", says: "is nil",
			build: func(b *Builder) { b.From("A").On("F").Do((*SendAction)(nil)) },
		},
		{
			name: "an empty predicate", want: "error syntax A", says: "condition is empty",
			build: func(b *Builder) { b.From("A").On("F").Where(nil) },
		},
		{
			name: "an unknown operator", want: "error syntax A", says: `operator "~"`, hint: "==",
			build: func(b *Builder) { b.From("A").On("F").Where(Compare("flag", "~", 1)) },
		},
		{
			name: "an empty path", want: "error syntax A", says: "no path",
			build: func(b *Builder) { b.From("A").On("F").Do(Set("a..b", "1")) },
		},
		{
			name: "text that is not UTF-8", want: "error syntax A", says: "not UTF-8",
			build: func(b *Builder) { b.From("A").On("F").Do(Log("\xff")) },
		},
		{
			name: "targets and a select", want: "error syntax A", says: "not two of them",
			build: func(b *Builder) { b.From("A").On("F").To("Z").Select("f").Branch("a", "Z").Else("Z") },
		},
		{
			name: "a type of a field", want: "error syntax ", says: `no type "text"`,
			build: func(b *Builder) { b.Event("G", Required("x", "text")) },
		},
		{
			name: "a profile", want: "error syntax ", says: `no profile "uml"`,
			build: func(b *Builder) { b.Profile("uml") },
		},
	})
}

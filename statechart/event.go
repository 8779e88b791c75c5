package statechart

// EventDecl declares an event and the fields of its data (S21).
type EventDecl struct {
	Name   string
	Fields []Field
	Doc    string
	Pos    Pos
}

// Field is a declared field of an event. Make fields with [Required] and
// [Optional].
type Field struct {
	Name     string
	Type     FieldType
	Optional bool
	Pos      Pos
}

// FieldType is the type of a declared field.
type FieldType string

// The types. Float takes integers, Any everything.
const (
	String FieldType = "string"
	Int    FieldType = "int"
	Float  FieldType = "float"
	Bool   FieldType = "bool"
	Any    FieldType = "any"
)

// Required is a field that the data must have.
func Required(name string, t FieldType) Field { return Field{Name: name, Type: t} }

// Optional is a field that the data may lack.
func Optional(name string, t FieldType) Field { return Field{Name: name, Type: t, Optional: true} }

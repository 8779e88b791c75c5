package expr

import (
	"fmt"
	"reflect"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
)

// Event is the event that an expression sees. Data is an object of JSON values;
// nil means an empty one.
type Event struct {
	Name string
	Data map[string]any
	ID   string
}

// eventType makes event.nmae a compile error, which a map would not.
var eventType = types.NewObjectType("Event")

var eventFields = map[string]*types.FieldType{
	"name": {Type: types.StringType, IsSet: always, GetFrom: ofEvent(func(e *Event) any { return e.Name })},
	"data": {Type: jsonObject, IsSet: always, GetFrom: ofEvent(func(e *Event) any { return e.Data })},
	"id":   {Type: types.StringType, IsSet: always, GetFrom: ofEvent(func(e *Event) any { return e.ID })},
}

var jsonObject = cel.MapType(cel.StringType, cel.DynType)

func always(any) bool { return true }

func ofEvent(get func(*Event) any) ref.FieldGetter {
	return func(target any) (any, error) {
		e, ok := target.(*Event)
		if !ok {
			return nil, fmt.Errorf("no such field on %T", target)
		}
		return get(e), nil
	}
}

// provider adds the type Event to those of CEL. It cannot be constructed in an
// expression.
type provider struct{ types.Provider }

func (p provider) FindStructType(name string) (*types.Type, bool) {
	if name == eventType.TypeName() {
		return types.NewTypeTypeWithParam(eventType), true
	}
	return p.Provider.FindStructType(name)
}

func (p provider) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	if name == eventType.TypeName() {
		f, ok := eventFields[field]
		return f, ok
	}
	return p.Provider.FindStructFieldType(name, field)
}

func (p provider) FindStructFieldNames(name string) ([]string, bool) {
	if name == eventType.TypeName() {
		return []string{"data", "id", "name"}, true
	}
	return p.Provider.FindStructFieldNames(name)
}

func (p provider) NewValue(name string, fields map[string]ref.Val) ref.Val {
	if name == eventType.TypeName() {
		return types.NewErr("an event cannot be made")
	}
	return p.Provider.NewValue(name, fields)
}

// adapter lets the event as a whole be a value: it is stored as an object.
type adapter struct{ types.Adapter }

func (a adapter) NativeToValue(v any) ref.Val {
	if e, ok := v.(*Event); ok {
		return eventValue{e, a}
	}
	return a.Adapter.NativeToValue(v)
}

type eventValue struct {
	event *Event
	adapt types.Adapter
}

func (v eventValue) object() ref.Val {
	data := v.event.Data
	if data == nil {
		data = map[string]any{}
	}
	return v.adapt.NativeToValue(map[string]any{"name": v.event.Name, "data": data, "id": v.event.ID})
}

// Get implements traits.Indexer, for events whose type CEL has lost sight of, as
// in a mixed list.
func (v eventValue) Get(field ref.Val) ref.Val {
	return v.object().(traits.Indexer).Get(field)
}

// IsSet implements traits.FieldTester.
func (v eventValue) IsSet(field ref.Val) ref.Val {
	return v.object().(traits.Container).Contains(field)
}

func (v eventValue) ConvertToNative(t reflect.Type) (any, error) {
	return v.object().ConvertToNative(t)
}

func (v eventValue) ConvertToType(t ref.Type) ref.Val {
	if t == types.TypeType {
		return eventType
	}
	return types.NewErr("type conversion error from 'Event' to '%s'", t)
}

func (v eventValue) Equal(other ref.Val) ref.Val {
	o, ok := other.(eventValue)
	if !ok {
		return types.False
	}
	return v.object().Equal(o.object())
}

func (v eventValue) Type() ref.Type { return eventType }

func (v eventValue) Value() any { return v.event }

package jsonvalue

import (
	"maps"
	"strconv"
	"strings"
)

// Get returns what stands at path below v. Paths lead through objects only;
// whatever they do not reach is absent. The empty path is v itself.
func Get(v any, path []string) (any, bool) {
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, false
		}
		if v, ok = m[key]; !ok {
			return nil, false
		}
	}
	return v, true
}

// Set writes v at path below root, in place: missing objects on the way are made;
// anything else in the way, null included, is [ErrPath]; a v that is no value, or
// would stand too deep, has the error of [Check]. Then nothing is written (S66).
// root owns v afterwards.
func Set(root map[string]any, path []string, v any) error {
	if err := checkWay(root, path, v); err != nil {
		return err
	}
	m := root
	for _, key := range path[:len(path)-1] {
		child, ok := m[key].(map[string]any)
		if !ok {
			child = map[string]any{}
			m[key] = child
		}
		m = child
	}
	m[path[len(path)-1]] = v
	return nil
}

// With is [Set] on a copy: it returns an object that is like root but for path
// and shares with it all that is not on the way. root is unchanged.
func With(root map[string]any, path []string, v any) (map[string]any, error) {
	if err := checkWay(root, path, v); err != nil {
		return nil, err
	}
	return with(root, path, v), nil
}

func with(m map[string]any, path []string, v any) map[string]any {
	out := maps.Clone(m)
	if out == nil {
		out = map[string]any{}
	}
	if len(path) > 1 {
		child, _ := m[path[0]].(map[string]any)
		v = with(child, path[1:], v)
	}
	out[path[0]] = v
	return out
}

// checkWay reports what prevents writing v at path.
func checkWay(root map[string]any, path []string, v any) error {
	if len(path) == 0 {
		return invalid(ErrPath, "empty path")
	}
	if len(path) > MaxDepth {
		return invalid(ErrDepth, "")
	}
	if err := Check(v, len(path)); err != nil {
		return err
	}
	for i, key := range path {
		if strings.IndexByte(key, 0) >= 0 {
			return invalid(ErrKey, "")
		}
		if err := checkText(key); err != nil {
			return err
		}
		if i == len(path)-1 {
			break
		}
		v, found := root[key]
		if !found {
			root = nil
			continue
		}
		child, ok := v.(map[string]any)
		if !ok {
			return invalid(ErrPath, strconv.Quote(strings.Join(path[:i+1], "."))+" is "+TypeName(v))
		}
		root = child
	}
	return nil
}

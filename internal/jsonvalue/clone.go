package jsonvalue

// Clone returns a deep copy of v: changing one never changes the other.
func Clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return CloneObject(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = Clone(e)
		}
		return out
	}
	return v
}

// CloneObject is [Clone] for objects; nil becomes an empty one.
func CloneObject(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, e := range m {
		out[k] = Clone(e)
	}
	return out
}

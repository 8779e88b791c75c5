package jsonvalue

import "encoding/binary"

// maxCachedText is the longest text that is worth a look in the cache.
const maxCachedText = 32

// textCache remembers short texts that were decoded lately, so that keys, names
// and status words, which come again in every document, cost no allocation. It
// is direct-mapped: a collision replaces. Bounded by 256 texts of 32 bytes.
type textCache [256]cachedText

type cachedText struct {
	text  string
	boxed any // text as an interface value, made when first wanted as a value
}

// slot returns where b lives in the cache after making sure that it is there.
func (c *textCache) slot(b []byte) *cachedText {
	e := &c[textHash(b)]
	if e.text != string(b) {
		*e = cachedText{text: string(b)}
	}
	return e
}

func (c *textCache) key(b []byte) string {
	switch {
	case len(b) == 0:
		return ""
	case len(b) > maxCachedText:
		return string(b)
	}
	return c.slot(b).text
}

func (c *textCache) value(b []byte) any {
	if len(b) == 0 || len(b) > maxCachedText {
		return string(b)
	}
	e := c.slot(b)
	if e.boxed == nil {
		e.boxed = e.text
	}
	return e.boxed
}

// textHash mixes length, head and tail; b is not empty.
func textHash(b []byte) uint8 {
	var lo, hi uint64
	switch n := len(b); {
	case n >= 8:
		lo, hi = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	case n >= 4:
		lo, hi = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	default:
		lo, hi = uint64(b[0])|uint64(b[n/2])<<8, uint64(b[n-1])
	}
	h := (lo*0x9e3779b97f4a7c15 ^ hi) * 0xff51afd7ed558ccd
	return uint8((h ^ uint64(len(b))*0x1000001) >> 56)
}

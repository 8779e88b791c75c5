package execution

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxID is the length of a derived id in bytes.
const maxID = 255

// DerivedID joins parts with ":". What is longer than 255 bytes is replaced by
// "~" and 32 hex digits of its SHA-256 (S52).
func DerivedID(parts ...string) string {
	n := len(parts) - 1
	for _, p := range parts {
		n += len(p)
	}
	if n <= maxID {
		switch len(parts) { // one allocation each
		case 2:
			return parts[0] + ":" + parts[1]
		case 3:
			return parts[0] + ":" + parts[1] + ":" + parts[2]
		}
		return strings.Join(parts, ":")
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, ":")))
	return "~" + hex.EncodeToString(sum[:16])
}

package stores

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDatabaseInURI(t *testing.T) {
	for uri, want := range map[string]string{
		"mongodb://localhost":                     "",
		"mongodb://localhost:27017/?replicaSet=r": "",
		"mongodb://u:p@a:1,b:2/shop?w=majority":   "shop",
		"mongodb+srv://cluster.example/shop":      "shop",
		"nonsense":                                "",
	} {
		assert.Equal(t, want, databaseIn(uri), uri)
	}
}

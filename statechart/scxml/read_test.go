package scxml

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/durachart/durachart/statechart"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const suite = "../../../shared/conformance/stf"

// Every document of the published suite is read, with both profiles.
func TestReadPublishedSuite(t *testing.T) {
	fsys := os.DirFS(suite)
	files := 0
	require.NoError(t, fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".scxml" {
			return err
		}
		files++
		for _, profile := range []statechart.Profile{statechart.ProfileNone, statechart.ProfileSCXML} {
			_, err := Read(fsys, path, profile)
			var problems statechart.Problems
			if errors.As(err, &problems) {
				assert.Fail(t, "refused", "%s as %q:\n%s", path, profile, strings.ReplaceAll(err.Error(), "\n", "\n\t"))
			} else {
				assert.NoError(t, err, path)
			}
		}
		return nil
	}))
	assert.Equal(t, 57, files)
}

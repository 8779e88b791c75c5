package stm

import (
	"bytes"
	"io/fs"
	"time"
)

// textFS is a file system with one file.
type textFS struct{ name, text string }

func (t textFS) Open(name string) (fs.File, error) {
	if name != t.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &textFile{info: textInfo{t.name, int64(len(t.text))}, Reader: bytes.NewReader([]byte(t.text))}, nil
}

// ReadFile implements fs.ReadFileFS.
func (t textFS) ReadFile(name string) ([]byte, error) {
	if _, err := t.Open(name); err != nil {
		return nil, err
	}
	return []byte(t.text), nil
}

type textFile struct {
	info textInfo
	*bytes.Reader
}

func (f *textFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *textFile) Close() error               { return nil }

type textInfo struct {
	name string
	size int64
}

func (i textInfo) Name() string     { return i.name }
func (i textInfo) Size() int64      { return i.size }
func (textInfo) Mode() fs.FileMode  { return 0o444 }
func (textInfo) ModTime() time.Time { return time.Time{} }
func (textInfo) IsDir() bool        { return false }
func (textInfo) Sys() any           { return nil }

//go:build !unix

package server

import "syscall"

// ownGroup asks for nothing special.
func ownGroup() *syscall.SysProcAttr { return nil }

//go:build unix && !linux

package server

import "syscall"

// ownGroup keeps an interrupt typed at a terminal from the server, which Stop ends
// in its own time.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

package server

import "syscall"

// ownGroup keeps an interrupt typed at a terminal from the server, which Stop ends
// in its own time, and ends the server when the starting process is killed.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

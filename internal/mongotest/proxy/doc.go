// Package proxy stands between a driver and a MongoDB server and lets tests spoil
// single messages: a connection that is cut before the server has a command, a reply
// that is dropped after the server did what it was told, an answer that the server
// never gave.
//
// It understands OP_MSG, which is all that drivers speak after their greeting, and
// hands on everything else as it is. It does not understand compression or TLS.
package proxy

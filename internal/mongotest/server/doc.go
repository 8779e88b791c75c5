// Package server starts and stops MongoDB servers for tests.
//
// It takes what the machine has, in this order: a mongod on the PATH, Docker with
// the official image, and else SecantusDB, a compatible server that is a test tool
// only: it runs as a process of its own and is never linked or shipped. What it
// cannot find it builds once into the user's cache folder.
//
// A server gets a free loopback port and a folder that is thrown away with it.
// [Server.Stop] ends what [Start] started and nothing else; on Linux the server
// also ends when the process that started it is killed.
package server

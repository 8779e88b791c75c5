// Package mongotest gives a test a MongoDB database of its own, and counts the
// commands that a driver sends.
//
// The server is the one that DURACHART_TEST_MONGO_URI names; scripts/test-mongo
// sets it. Without it a test is skipped and says how to run it, and with
// REQUIRE_MONGO=1 the skip is a failure, so that green means that it ran.
package mongotest

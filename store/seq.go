package store

// MaxPerWrite is how many entries of one array one write can carry. It keeps
// [Seq] unambiguous by a wide margin and the record of many tiny entries bounded.
const MaxPerWrite = 16_384

// Seq is the sequence number of the i-th entry that the commit to version adds
// to an array (D7). It grows strictly per execution and array, with gaps, and
// needs no counter.
func Seq(version int64, i int) int64 { return version<<16 + int64(i) }

package mongostore

// The names of section 1 and 2 of the storage specification. They are stored, so
// they never change their meaning; text of users is never one of them (D5).
const (
	collExecutions  = "executions"
	collShards      = "shards"
	collWorkers     = "workers"
	collDeadLetters = "dead_letters"
	collCounters    = "counters"
	collMeta        = "meta"
)

// Fields of an execution.
const (
	fID                = "_id"
	fDefinitionID      = "definition_id"
	fDefinitionVersion = "definition_version"
	fFormat            = "format"
	fVersion           = "version"
	fCommitID          = "commit_id"
	fData              = "data"
	fStatus            = "status"
	fOutcome           = "outcome"
	fParentID          = "parent_id"
	fRootID            = "root_id"
	fLeaves            = "leaves"
	fEnteredAt         = "entered_at"
	fSpawnSeq          = "spawn_seq"
	fPriority          = "priority"
	fShard             = "shard"
	fInbox             = "inbox"
	fOutbox            = "outbox"
	fSpawns            = "spawns"
	fProcessed         = "processed"
	fTimers            = "timers"
	fNextFireAt        = "next_fire_at"
	fTrace             = "trace"
	fAttrs             = "attrs"
	fParked            = "parked"
	fWakeAt            = "wake_at"
	fCreatedAt         = "created_at"
	fUpdatedAt         = "updated_at"
	fEndedAt           = "ended_at"
	fExpiresAt         = "expires_at"
)

// Fields of the entries of its arrays, and of the other collections.
const (
	fSeq       = "seq"
	fKind      = "kind"
	fTargetID  = "target_id"
	fEntryID   = "id"
	fEvent     = "event"
	fReason    = "reason"
	fAt        = "at"
	fAttempts  = "attempts"
	fLastError = "last_error"
	fFrom      = "from"
	fChildID   = "child_id"
	fRootPath  = "root_path"
	fContext   = "context"
	fSite      = "site"
	fPath      = "path"
	fIndex     = "index"
	fStep      = "step"
	fEventID   = "event_id"
	fError     = "error"

	fOwner     = "owner"
	fFence     = "fence"
	fUntil     = "until"
	fName      = "name"
	fStartedAt = "started_at"

	fPut         = "put"
	fExecutionID = "execution_id"
	fSpawn       = "spawn"
)

// Names that projections give to what they compute.
const (
	fSeen      = "seen"
	fInboxLen  = "inbox_len"
	fOutboxLen = "outbox_len"
	fSpawnsLen = "spawns_len"
	fSize      = "size"
)

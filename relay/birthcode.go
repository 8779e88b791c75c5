package relay

import (
	"encoding/json"
	"fmt"

	"github.com/durachart/durachart/store"
)

// birthText is a Birth as the text in a dead letter; the names are those of the
// execution document.
type birthText struct {
	Seq               int64           `json:"seq"`
	ParentID          string          `json:"parent_id"`
	ChildID           string          `json:"child_id"`
	RootID            string          `json:"root_id"`
	RootPath          string          `json:"root_path"`
	DefinitionID      string          `json:"definition_id"`
	DefinitionVersion string          `json:"definition_version"`
	Priority          int             `json:"priority"`
	Site              siteText        `json:"site"`
	Context           json.RawMessage `json:"context"`
	Event             json.RawMessage `json:"event"`
}

type siteText struct {
	Path  string `json:"path"`
	Seq   int64  `json:"seq"`
	Index int64  `json:"index"`
}

// EncodeBirth returns the text that a dead letter keeps of a spawn
// (store.DeadLetter.Spawn), or nil if the spawn's own texts are not JSON, which no
// store lets in.
func EncodeBirth(b Birth) []byte {
	text, err := json.Marshal(birthText{
		Seq: b.Seq, ParentID: b.ParentID, ChildID: b.ChildID, RootID: b.RootID, RootPath: b.RootPath,
		DefinitionID: b.DefinitionID, DefinitionVersion: b.DefinitionVersion, Priority: b.Priority,
		Site:    siteText(b.Site),
		Context: json.RawMessage(b.Context), Event: json.RawMessage(b.Event),
	})
	if err != nil {
		return nil
	}
	return text
}

// DecodeBirth reads what EncodeBirth wrote, for a requeue. Attempts start anew.
func DecodeBirth(text []byte) (Birth, error) {
	var t birthText
	if err := json.Unmarshal(text, &t); err != nil {
		return Birth{}, fmt.Errorf("decode a spawn: %w", err)
	}
	return Birth{
		SpawnEntry: store.SpawnEntry{
			Spawn: store.Spawn{
				ChildID: t.ChildID, RootPath: t.RootPath,
				DefinitionID: t.DefinitionID, DefinitionVersion: t.DefinitionVersion,
				Site: store.Site(t.Site), Context: absent(t.Context), Event: absent(t.Event),
			},
			Seq: t.Seq, ParentID: t.ParentID,
		},
		RootID: t.RootID, Priority: t.Priority,
	}, nil
}

// absent turns JSON null, which stands for no text, back into none.
func absent(raw json.RawMessage) []byte {
	if string(raw) == "null" {
		return nil
	}
	return raw
}

// Reads examples into the declared types, refuses fields that no type has, and writes them again: nothing may be lost.
//
//	decode FILE...
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"contract/events"
)

func main() {
	granted := 0
	for _, file := range os.Args[1:] {
		text, err := os.ReadFile(file)
		must(file, err)
		var named struct {
			DetailType string `json:"detail-type"`
		}
		must(file, json.Unmarshal(text, &named))
		switch named.DetailType {
		case events.DetailTypeUserGranted:
			var event events.UserGranted
			read(file, text, &event)
			if event.Detail.Data.Role == nil || event.Detail.Data.Keys.GroupId == "" {
				fail(file, "a grant without its role or its key")
			}
			granted++
		case events.DetailTypeGroupCreated:
			read(file, text, new(events.GroupCreated))
		case events.DetailTypeGroupUpdated:
			read(file, text, new(events.GroupUpdated))
		case events.DetailTypeHierarchyDeleted:
			read(file, text, new(events.HierarchyDeleted))
		case events.DetailTypeUserRevoked:
			read(file, text, new(events.UserRevoked))
		case events.DetailTypeSnapshotEnded:
			var event events.SnapshotEnded
			read(file, text, &event)
			if event.Detail.Metadata.Snapshot.Complete == nil {
				fail(file, "the end of a snapshot does not say whether it is complete")
			}
		}
	}
	if granted == 0 {
		fail("the examples", "no grant among them")
	}
	fmt.Printf("Go: %d examples\n", len(os.Args)-1)
}

func read(file string, text []byte, into any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	must(file, decoder.Decode(into))
	again, err := json.Marshal(into)
	must(file, err)
	var before, after any
	must(file, json.Unmarshal(text, &before))
	must(file, json.Unmarshal(again, &after))
	// An empty list is left out.
	delete(before.(map[string]any), "resources")
	if !reflect.DeepEqual(before, after) {
		fail(file, fmt.Sprintf("read and written again it is another:\n%s\n%s", text, again))
	}
}

func must(file string, err error) {
	if err != nil {
		fail(file, err.Error())
	}
}

func fail(file, why string) {
	fmt.Fprintf(os.Stderr, "%s: %s\n", file, why)
	os.Exit(1)
}

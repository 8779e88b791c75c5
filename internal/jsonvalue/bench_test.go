package jsonvalue

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A snapshot of about 1 KB, as section 11 lays it out.
const snapshot = `{"active_path":"Preparing","cancel":null,"children":{"o-1:Preparing.Packing:0":{"finished":false,"key":"Preparing.Packing","outcome":null,"result":null,"root_path":"Preparing.Packing","status":"RUNNING","submachine":false},"o-1:Preparing.Payment:0":{"finished":true,"key":"Preparing.Payment","outcome":"success","result":{"paid":100},"root_path":"Preparing.Payment","status":"DONE","submachine":false}},"configuration":["Preparing"],"context":{"customer":"c-77","items":[{"price":12.5,"qty":2,"sku":"A-1"},{"price":3.0,"qty":1,"sku":"B-2"}],"total":100},"deferred":[],"definition_id":"order","definition_version":"1","entry_seq":2,"error":null,"format":1,"history":{},"id":"o-1","invoke_seq":{"Preparing":1},"outcome":null,"parent_id":null,"parent_site":null,"priority":0,"root_path":"","run":1,"sites":{"Preparing":{"cancelled":0,"failed":0,"kind":"regions","passed":1,"seq":0,"total":2}},"status":"RUNNING","steps":4,"timers":{"timeout:Preparing":{"at":1893463200000,"entry":2}},"version":5}`

func BenchmarkDecode(b *testing.B) {
	data := []byte(snapshot)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	v, err := Decode([]byte(snapshot))
	require.NoError(b, err)
	b.ReportAllocs()
	b.SetBytes(int64(len(snapshot)))
	var buf []byte
	for b.Loop() {
		if buf, err = Append(buf[:0], v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCanonicalFastPath(b *testing.B) {
	data := []byte(snapshot)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Canonical(data); err != nil {
			b.Fatal(err)
		}
	}
}

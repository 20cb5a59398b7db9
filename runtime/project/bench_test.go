package project

import (
	"archive/tar"
	"bytes"
	"fmt"
	"testing"
)

// BenchmarkCollectTar copies back 1,000 small files in 50 folders.
func BenchmarkCollectTar(b *testing.B) {
	var list []tar.Header
	for n := range 1000 {
		list = append(list, tar.Header{Typeflag: tar.TypeReg, Name: fmt.Sprintf("outputs/run/step-%d/part-%d", n/20, n)})
	}
	stream := archive(b, list...).Bytes()
	for b.Loop() {
		if got, err := CollectTar(b.Context(), bytes.NewReader(stream), b.TempDir()); err != nil || got.Files != len(list) {
			b.Fatal(got.Files, err)
		}
	}
}

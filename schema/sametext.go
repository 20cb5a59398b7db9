package schema

import (
	"bytes"
	"hash/maphash"
	"slices"
	"sync/atomic"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/source"
)

// sameText is a text that several projects contain, as copies of a template do, with its tree and what was found in it
// alone.
type sameText struct {
	stream *document.Stream
	first  atomic.Pointer[classified] // what the first file with it is
	facts  notes
}

// Only texts that are read twice are kept, and only short ones: longestSame bytes each, and mostSame together. Trees
// take about 15 times as much.
const (
	longestSame = 16 << 10
	mostSame    = 512 << 10
	// mostFiles is the number of files of a project for which each new one is compared with all others.
	mostFiles = 100
)

var sameTexts struct {
	read [4096]atomic.Uint32 // parts of the hashes of texts that were read lately
	kept [1024]atomic.Pointer[sameText]
	size atomic.Int64 // of those in kept, in bytes
}

var sameSeed = plain.Once[maphash.Seed]{Make: maphash.MakeSeed}

// parse is document.Parse for a file of the project. The stream shares its tree with that of a file of another project
// if their texts are the same; then there is also a sameText. Files of one project share none, because nodes identify
// what they define.
func (p *Project) parse(name string, text []byte) (*document.Stream, *sameText) {
	src := source.New(name, text)
	if len(text) > longestSame || len(p.Files) > mostFiles {
		return document.Parse(src), nil
	}
	hash := maphash.Bytes(sameSeed.Get(), text)
	place := &sameTexts.kept[hash%uint64(len(sameTexts.kept))]
	same := place.Load()
	switch {
	case same == nil:
	case bytes.Equal(same.stream.Source.Text, text) && p.lacks(same.stream.Root()):
		src.Text = same.stream.Source.Text
		return same.stream.For(src), same
	default:
		return document.Parse(src), nil
	}
	stream := document.Parse(src)
	mark, read := uint32(hash>>32), &sameTexts.read[hash%uint64(len(sameTexts.read))]
	if read.Swap(mark) != mark || sameTexts.size.Load() > mostSame {
		return stream, nil
	}
	if same = (&sameText{stream: stream}); !place.CompareAndSwap(nil, same) {
		return stream, nil
	}
	sameTexts.size.Add(int64(len(text)))
	return stream, same
}

// lacks reports whether no file of the project has a tree.
func (p *Project) lacks(root *document.Node) bool {
	return !slices.ContainsFunc(p.Files, func(f *File) bool { return f.Root() == root })
}

// classifyAs sets what the file is, which is determined once for files with the same name and text.
func (f *File) classifyAs(same *sameText) {
	if same != nil {
		f.notes.common = &same.facts
		if first := same.first.Load(); first != nil && first.rel == f.Rel {
			f.first = *first
			f.Kind, f.Dialect, f.V2 = first.kind, first.dialect, first.v2
			return
		}
	}
	f.Kind, f.Dialect = classify(f)
	f.first = classified{f.Rel, f.Kind, f.Dialect, f.V2}
	if same != nil {
		first := f.first
		same.first.CompareAndSwap(nil, &first)
	}
}

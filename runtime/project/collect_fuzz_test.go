package project

import (
	"archive/tar"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// FuzzCollectTar sends archives with arbitrary entries: each line of the script is one entry, "dNAME", "-NAME",
// "lNAME>TARGET" or "hNAME>TARGET", with the first letters as in ls. Every header is valid, so that each execution
// writes files, and "@" stands for the path of a folder outside the project. before says what outputs/ already
// contains; from 128 on, outputs itself is a link.
func FuzzCollectTar(f *testing.F) {
	for _, h := range hostile() {
		f.Add(scripted(h), uint8(0))
	}
	var all []string
	for _, h := range hostile() {
		all = append(all, scripted(h))
	}
	f.Add(strings.Join(all, "\n"), uint8(1))
	f.Add("-outputs/dir/x\nloutputs/a>b\n-outputs/a\nhoutputs/c>outputs/a", uint8(2))
	f.Add("loutputs/a>@/canary\n-outputs/a\nhoutputs/b>@/canary\n-@/new\nd@/new\nloutputs/up>..\n-outputs/up/train.py", uint8(3))
	for n := range outputsLinks {
		f.Add("doutputs/hooks\n-outputs/hooks/post-commit\n-outputs/config\nloutputs/a>config\nhoutputs/config>outputs/a\n-outputs/../.git/config", uint8(128+n))
		f.Add("-outputs/.amlfix-part\nloutputs/.amlfix-part>config\n-outputs/config", uint8(128+n))
	}
	g := newGround(f)
	f.Fuzz(func(t *testing.T, script string, before uint8) {
		g.collect(t, g.archive(script), before)
	})
}

// FuzzTarStream sends streams that need not be archives.
func FuzzTarStream(f *testing.F) {
	f.Add(archive(f, hostile()...).Bytes())
	f.Add([]byte("no archive"))
	g := newGround(f)
	f.Fuzz(func(t *testing.T, data []byte) { g.collect(t, data, 0) })
}

const entryTypes = "-dlhcpx"

var typeFlags = map[byte]byte{'-': tar.TypeReg, 'd': tar.TypeDir, 'l': tar.TypeSymlink, 'h': tar.TypeLink, 'c': tar.TypeChar, 'p': tar.TypeFifo, 'x': tar.TypeCont}

func scripted(h tar.Header) string {
	for letter, flag := range typeFlags {
		if flag == h.Typeflag {
			return strings.TrimSuffix(string(letter)+h.Name+">"+h.Linkname, ">")
		}
	}
	return "-" + h.Name
}

// outputsLinks are targets that a repository may give a link named outputs. "@" is outside.
var outputsLinks = []string{".git", ".git/hooks", "dir", ".", "..", "@", "@/canary", "@/new", "outputs", ".amlfix", "train.py", ".git/config"}

// ground is a reusable project in its own folder: creating and removing folders takes longer than what is tested.
type ground struct {
	outer, root string
	canaries    map[string]os.FileInfo
}

func newGround(f *testing.F) *ground {
	outer := f.TempDir()
	g := &ground{outer: outer, root: filepath.Join(outer, "project"), canaries: map[string]os.FileInfo{}}
	for _, name := range []string{"canary", "project/train.py", "project/.git/config", "project/.git/hooks/x", "project/.amlfix/x", "project/dir/x"} {
		path := filepath.Join(outer, filepath.FromSlash(name))
		testkit.OK(f, os.MkdirAll(filepath.Dir(path), 0o755))
		testkit.OK(f, os.WriteFile(path, []byte("source"), 0o644))
		info, err := os.Lstat(path)
		testkit.OK(f, err)
		g.canaries[path] = info
	}
	return g
}

func (g *ground) archive(script string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for n, line := range strings.Split(strings.ReplaceAll(script, "@", g.outer), "\n") {
		if line == "" || n > 20 {
			continue
		}
		flag, ok := typeFlags[line[0]]
		if !ok {
			flag = typeFlags[entryTypes[int(line[0])%len(entryTypes)]]
		}
		name, target, _ := strings.Cut(line[1:], ">")
		h := &tar.Header{Typeflag: flag, Name: name, Linkname: target, Mode: 0o4777}
		if flag == tar.TypeReg {
			h.Size = int64(len(name))
		}
		if w.WriteHeader(h) != nil {
			return b.Bytes() // for a name that no archive can contain, such as one with a NUL
		}
		if flag == tar.TypeReg {
			_, _ = w.Write([]byte(name))
		}
	}
	_ = w.Close()
	return b.Bytes()
}

// collect receives a stream, and checks that nothing outside outputs/ has changed.
func (g *ground) collect(t *testing.T, stream []byte, before uint8) {
	outputs := filepath.Join(g.root, OutputsDir)
	if before >= 128 {
		target := strings.ReplaceAll(outputsLinks[int(before-128)%len(outputsLinks)], "@", g.outer)
		testkit.OK(t, os.Symlink(filepath.FromSlash(target), outputs))
		before = 0
	}
	for _, there := range []struct{ name, target string }{{"link", "../train.py"}, {"up", ".."}, {"git", "../.git"}, {"canary", g.outer + "/canary"}} {
		if before%4 > 0 {
			_ = os.MkdirAll(filepath.Join(outputs, "dir"), 0o755)
			_ = os.Symlink(filepath.FromSlash(there.target), filepath.Join(outputs, there.name))
		}
		before >>= 1
	}
	_, _ = CollectTar(t.Context(), bytes.NewReader(stream), g.root)
	for path, was := range g.canaries {
		is, err := os.Lstat(path)
		if err != nil || !os.SameFile(was, is) || was.ModTime() != is.ModTime() || was.Size() != is.Size() || was.Mode() != is.Mode() {
			t.Fatalf("%s has changed: %v", path, err)
		}
	}
	for dir, most := range map[string]int{g.outer: 2, g.root: 5, filepath.Join(g.root, ".git"): 2, filepath.Join(g.root, ".git/hooks"): 1, filepath.Join(g.root, ".amlfix"): 1, filepath.Join(g.root, "dir"): 1} {
		list, err := os.ReadDir(dir)
		if err != nil || len(list) > most || len(list) == most && dir == g.root && !g.hasOutputs() {
			t.Fatalf("%s: %v, %v", dir, list, err)
		}
	}
	if g.hasOutputs() {
		testkit.OK(t, os.RemoveAll(outputs))
	}
}

func (g *ground) hasOutputs() bool {
	_, err := os.Lstat(filepath.Join(g.root, OutputsDir))
	return err == nil
}

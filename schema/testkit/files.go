package testkit

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// NoCorpus is the variable that, set to 1, lets continuous integration do without the corpora: the tests over them are
// skipped there, too.
const NoCorpus = "AMLFIX_NO_CORPUS"

// Corpus returns the folder of real, redacted configuration files beside the checkout, or a folder in it. It is no part
// of the repository: without it the test is skipped, and fails with CI=true unless NoCorpus is 1.
func Corpus(t testing.TB, below ...string) string {
	t.Helper()
	return shared(t, "corpus", below)
}

// CorpusV2 is Corpus for the files of Azure ML v2.
func CorpusV2(t testing.TB, below ...string) string {
	t.Helper()
	return shared(t, "corpus-v2", below)
}

func shared(t testing.TB, corpus string, below []string) string {
	t.Helper()
	dir := filepath.Join(append([]string{Root(t), "..", "shared", corpus}, below...)...)
	if _, err := os.Stat(dir); err == nil {
		return dir
	}
	why := "no real files at ../shared/" + corpus + ": they are not public, and CONTRIBUTING.md says what covers the same rules"
	if os.Getenv(NoCorpus) == "1" {
		t.Skip("SKIPPED: " + why)
	}
	Unavailable(t, why+"; "+NoCorpus+"=1 leaves these tests out")
	return ""
}

// Files returns the content of every configuration file below dir by its path; of files with the same content, the
// first.
func Files(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	files, seen := map[string][]byte{}, map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isConfig(path) {
			return err
		}
		text, err := os.ReadFile(path)
		if !seen[string(text)] {
			seen[string(text)] = true
			files[path] = text
		}
		return err
	})
	OK(t, err)
	return files
}

func isConfig(path string) bool {
	switch filepath.Ext(path) {
	case ".compute", ".runconfig", ".yml", ".yaml":
		return true
	}
	return false
}

// Variants returns text as other editors would have saved it, by a name for each: CRLF, the doubled carriage returns of
// SDK v1 on Windows, a byte order mark, no final newline, and a comment beyond ASCII on the first line.
func Variants(text []byte) map[string][]byte {
	lf := strings.NewReplacer("\r\r\n", "\n", "\r\n", "\n").Replace(string(text))
	const mark = "\xef\xbb\xbf"
	v := map[string][]byte{
		"as it is":         text,
		"CRLF":             []byte(strings.ReplaceAll(lf, "\n", "\r\n")),
		"CRCRLF":           []byte(strings.ReplaceAll(lf, "\n", "\r\r\n")),
		"byte order mark":  append([]byte(mark), bytes.TrimPrefix(text, []byte(mark))...),
		"no final newline": bytes.TrimRight(text, "\r\n"),
	}
	if !bytes.HasPrefix(text, []byte(mark)) {
		v["beyond ASCII"] = append([]byte("# größer als α → 日本\n"), text...)
	}
	return v
}

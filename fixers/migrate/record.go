package migrate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/disk"
)

const (
	// byAmlfix is part of the first lines of every MIGRATION.md.
	byAmlfix = "\n\nWritten by amlfix."
	// titleWords are part of its first line, before the name of the format.
	titleWords = ": migration to "
	// recordHead is the beginning of the record at the end of MIGRATION.md.
	recordHead = "\n## Written files\n\nThe next migration into this folder replaces the files that you have not edited, and keeps the others.\n\n| file | SHA-256 |\n|---|---|\n"
)

// record returns the end of MIGRATION.md: the files that were written, with digests of their contents. The digest of
// the report covers the text before the record.
func record(files []File, report []byte) []byte {
	var b strings.Builder
	b.WriteString(recordHead)
	for _, f := range append([]File{{account.Report, report}}, files...) {
		if !strings.ContainsAny(f.Path, "`|\n\r") { // such a file will count as edited
			fmt.Fprintf(&b, "| `%s` | `%s` |\n", f.Path, sum(f.Text))
		}
	}
	return []byte(b.String())
}

// sum returns the digest of a text, independent of the line ends that git gives it.
func sum(text []byte) string {
	s := sha256.Sum256(unix(text))
	return hex.EncodeToString(s[:])
}

// unix converts a text to the line ends that amlfix writes.
func unix(text []byte) []byte { return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) }

// readRecord splits a MIGRATION.md into the report and the digests of the files written with it; ok is false for other
// files.
func readRecord(text []byte) (report []byte, sums map[string]string, ok bool) {
	text = unix(text)
	at := bytes.LastIndex(text, []byte(recordHead))
	if at < 0 || !isReport(text) {
		return nil, nil, false
	}
	sums = map[string]string{}
	for line := range strings.Lines(string(text[at+len(recordHead):])) {
		name, digest, found := strings.Cut(strings.TrimSpace(line), "` | `")
		name, opened := strings.CutPrefix(name, "| `")
		if digest, closed := strings.CutSuffix(digest, "` |"); found && opened && closed && filepath.IsLocal(filepath.FromSlash(name)) {
			sums[name] = digest
		}
	}
	return text[:at], sums, true
}

// mostTitle is the number of bytes that contain the title of MIGRATION.md and the sentence after it.
const mostTitle = 500

// isReport reports whether a text begins as MIGRATION.md does.
func isReport(text []byte) bool {
	return bytes.HasPrefix(text, []byte("# ")) && bytes.Contains(text[:min(len(text), mostTitle)], []byte(byAmlfix))
}

// writtenIn keeps what Written says of folders.
type writtenIn map[string]bool

// has reports whether a migration wrote a file's folder, or one above it up to top.
func (w writtenIn) has(f *schema.File, top string) bool {
	dir := filepath.Dir(f.Path)
	if _, known := w[dir]; !known {
		w[dir] = Written(dir, top)
	}
	return w[dir]
}

// Written reports whether a migration wrote a folder, or one above it up to top, so that nothing in it is a source of
// another migration.
func Written(dir, top string) bool {
	for ; ; dir = filepath.Dir(dir) {
		if text, _, err := disk.ReadUpTo(filepath.Join(dir, account.Report), 2*mostTitle); err == nil && isReport(unix(text)) {
			return true
		}
		if dir == top || dir == filepath.Dir(dir) {
			return false
		}
	}
}

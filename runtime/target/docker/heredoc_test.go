package docker

import "testing"

// TestHereDocument checks when the instruction that an engine does not know is taken for a line of a here-document.
func TestHereDocument(t *testing.T) {
	const unknown = "dockerfile parse error on line 3: unknown instruction: ECHO"
	for text, want := range map[string]bool{
		"FROM a\nRUN <<END\necho\nEND\n":            true,
		"FROM a\nrun python3 <<-'END'\necho\nEND\n": true,
		"FROM a\nCOPY <<\"END\" /a\necho\nEND\n":    true,
		"RUN a && \\\n  cat <<END\necho\nEND\n":     true,
		"FROM a\n# RUN <<END\necho\n":               false,
		"FROM a\nRUN echo $((1 << 3))\necho\n":      false,
		"FROM a\nRUN cat <<<END\necho\n":            false,
		"FROM a\n<<<<<<< HEAD\necho\n":              false,
		"FROM a\nENV A=1\necho\nRUN <<END\nx\nEND":  false,
	} {
		if hereDocument(unknown, []byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
	if hereDocument("line 3: COPY requires at least two arguments", []byte("RUN <<END\n\nCOPY\n")) {
		t.Error("another error")
	}
}

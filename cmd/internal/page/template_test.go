package page

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestTemplate compares pages with the output of html/template, which escapes values according to their context.
func TestTemplate(t *testing.T) {
	page := template.Must(template.New("page").Parse(strings.ReplaceAll(markup, "{{.Styles}}", styles)))
	runs := []Run{onGPU(t), failed(t)}
	for _, text := range append(hostile, "", strings.Join(hostile, "+")) {
		runs = append(runs, everywhere(t, text))
	}
	sum := sha256.Sum256([]byte(styles))
	for _, r := range runs {
		v := view{Hash: base64.StdEncoding.EncodeToString(sum[:])}
		v.fill(r)
		var want strings.Builder
		testkit.OK(t, page.Execute(&want, v))
		if got := written(t, r); got != want.String() {
			testkit.Same(t, strings.Split(want.String(), "\n"), strings.Split(got, "\n"))
		}
	}
}

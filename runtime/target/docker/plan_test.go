package docker

import (
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

func TestGoneAdvice(t *testing.T) {
	for image, want := range map[string]bool{"microsoft/mmlspark:plus-0.9.9": true, "docker.io/microsoft/mmlspark": true, "mcr.microsoft.com/azureml/base:1": false, "a b": false} {
		if got := goneAdvice(image); (got != "") != want || want && !strings.Contains(got, "`\""+image+"\": ") {
			t.Errorf("%s: %s", image, got)
		}
	}
}

func TestVolumeName(t *testing.T) {
	for dir, want := range map[string]string{"/a/digits": "amlfix-share-digits", "/a/My Project ä": "amlfix-share-My_Project__", "": "amlfix-share-."} {
		testkit.Same(t, want, volumeName(dir), "%q", dir)
	}
}

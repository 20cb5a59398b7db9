package docker

import (
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"2g": 2 << 30, "512M": 512 << 20, "64kb": 64 << 10, "1024": 1024, "1.5g": 3 << 29, "\t1 g ": 1 << 30,
		"": 0, "g": 0, "-1g": 0, "0": 0, "1e30g": 0, "NaN": 0, "1gg": 0} {
		if got, ok := parseSize(text); got != want || ok != (want > 0) {
			t.Errorf("%q: %d, %v", text, got, ok)
		}
	}
}

func TestGoneAdvice(t *testing.T) {
	for image, want := range map[string]bool{"microsoft/mmlspark:plus-0.9.9": true, "docker.io/microsoft/mmlspark": true, "mcr.microsoft.com/azureml/base:1": false, "a b": false} {
		if got := goneAdvice(image); (got != "") != want || want && !strings.Contains(got, "`\""+image+"\": ") {
			t.Errorf("%s: %s", image, got)
		}
	}
}

func TestVolumeName(t *testing.T) {
	for dir, want := range map[string]string{"/a/digits": "amlfix-share-digits", "/a/My Project ä": "amlfix-share-My_Project__", "": "amlfix-share-."} {
		if got := volumeName(dir); got != want {
			t.Errorf("%q: %q", dir, got)
		}
	}
}

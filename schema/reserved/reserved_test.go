package reserved

import "testing"

func TestIs(t *testing.T) {
	for _, name := range []string{".git", ".GIT", ".Git", ".git.", ".git ", ".git. .", ".git::$INDEX_ALLOCATION", ".git:x", "GIT~1", "git~12", ".g\u200cit", "\ufeff.git",
		".amlfix", ".AMLFIX", "AMLFIX~1", ".amlfix...", ".AmlFix::$DATA", ".g\u034fit", ".git\ufe0f", ".am\u3164lfix", ".g\U000e0100it"} {
		if !Is(name) || !In("outputs/"+name+"/hooks") || !In(`outputs\`+name) {
			t.Errorf("%q is let through", name)
		}
	}
	for _, name := range []string{"", ".", "..", "git", "amlfix", ".gitignore", ".gitattributes", ".github", ".amlfix.yaml", ".amlfixrc", "model~1.bin", "git~", "git~x", "x.git", "git~1.bin", "~1"} {
		if Is(name) || In("outputs/"+name+"/x") {
			t.Errorf("%q is refused", name)
		}
	}
}

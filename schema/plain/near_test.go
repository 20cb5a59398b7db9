package plain

import "testing"

func TestNearestFile(t *testing.T) {
	names := []string{".amlignore", ".config", "Makefile", "job.json", "job.yml", "train.py", "train_model.py"}
	for name, want := range map[string]string{
		"job.ym": "job.yml", "job": "job.yml", "job.jso": "job.json", "jbo.yml": "job.yml", "Train.py": "train.py", "train": "train.py", "trian.py": "train.py",
		"makefile": "Makefile", "trian": "", "evaluate.py": "", ".yml": "", "": "", ".git": "", ".cofnig": ".config",
	} {
		if got := NearestFile(name, names); got != want {
			t.Errorf("%s: %q instead of %q", name, got, want)
		}
	}
}

func TestNearest(t *testing.T) {
	commands := []string{"check", "run", "attach", "targets", "rules", "explain", "completion"}
	for word, want := range map[string]string{
		"explian": "explain", "chekc": "check", "target": "targets", "atach": "attach", "rulse": "rules",
		"TARGETS": "targets", "Run": "run",
		"ru": "", "r": "", "": "", "project": "", "src": "", "--aply": "",
	} {
		if got := Nearest(word, commands); got != want {
			t.Errorf("%q: %q instead of %q", word, got, want)
		}
	}
	if got := Nearest("--aply", []string{"--diff", "--apply"}) + Nearest("--foo", []string{"--now"}); got != "--apply" {
		t.Errorf("%q", got)
	}
}

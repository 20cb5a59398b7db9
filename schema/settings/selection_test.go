package settings_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/settings"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestSelection(t *testing.T) {
	type list = []string
	for _, tt := range []struct{ selected, ignored, want list }{
		{nil, nil, ids},
		{list{"gpu"}, nil, list{"gpu/base-image", "gpu/framework"}},
		{list{"gpu", "yaml/syntax"}, nil, list{"gpu/base-image", "gpu/framework", "yaml/syntax"}},
		{nil, list{"gpu", "image/*"}, list{"yaml/syntax", "wheel/license"}},
		{list{"*/*i*e*"}, nil, list{"gpu/base-image", "wheel/license"}},
		{list{"gpu/{base-image,framework}"}, list{"gpu/framework"}, list{"gpu/base-image"}},
		{list{"*"}, list{"{yaml,w*}", "i*e"}, list{"gpu/base-image", "gpu/framework"}}, // without a slash: groups
		{list{"gpu/framework"}, list{"gpu"}, list{"gpu/framework"}},                    // the rule's name has precedence
		{list{"gpu"}, list{"gpu"}, nil},
	} {
		s, err := settings.NewSelection(tt.selected, tt.ignored, ids)
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
		}
		var got list
		for _, id := range ids {
			if s.Counts(id) {
				got = append(got, id)
			}
		}
		testkit.Same(t, tt.want, got, "--select %v --ignore %v", tt.selected, tt.ignored)
	}
}

func TestSelectionOfNothing(t *testing.T) {
	for name, want := range map[string]string{
		"gpu/framwork": `unknown rule or group "gpu/framwork": did you mean gpu/framework?`,
		"framework":    `unknown rule or group "framework": did you mean gpu/framework?`,
		"gpi":          `unknown rule or group "gpi": did you mean gpu?`,
		"ALL":          `unknown rule or group "ALL": did you mean '*'?`,
		"nonsense":     `unknown rule or group "nonsense"; amlfix rules lists all`,
		"cpu/*":        `no rule matches "cpu/*"; amlfix rules lists all`,
		"gpu/[":        `unknown rule or group "gpu/["; amlfix rules lists all`,
		"":             `the name of a rule or group is missing; amlfix rules lists all`,
	} {
		for _, names := range [][2][]string{{{"gpu", name}, nil}, {nil, {name}}} {
			if _, err := settings.NewSelection(names[0], names[1], ids); err == nil || err.Error() != want {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}

// TestPatternsOfRules checks that lists of rules in .amlfix.yaml accept the same patterns as the command line.
func TestPatternsOfRules(t *testing.T) {
	file := parse("select: ['gpu/*', yaml/syntax]\nignore: ['*/framework', 'cpu/*']\npaths: [{match: [a], ignore: ['*']}]\n")
	var got []string
	for _, f := range settings.Check(file, ids, nil) {
		got = append(got, f.Message)
	}
	testkit.Same(t, []string{`no rule matches "cpu/*"; amlfix rules lists all`}, got)
	s := settings.Read(file)
	for id, want := range map[string]bool{"gpu/base-image": true, "gpu/framework": false, "yaml/syntax": true, "image/removed": false} {
		if _, counts := s.Verdict(id, "x", settings.Never); counts != want {
			t.Errorf("%s counts: %v", id, counts)
		}
	}
}

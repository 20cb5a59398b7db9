package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

// reportSupport reports an image that still runs but gets no new builds, or whose base system is no longer maintained.
// For SDK v1, whose own support has ended, that is only an info.
func reportSupport(p *Pass, t *schema.Target) {
	image, ok := imageOf(t)
	if !ok || image.Removed {
		return
	}
	severity, what := lacksSupport(image, p.Project.AsOf())
	if len(what) == 0 {
		return
	}
	if t.Dialect != schema.V2 {
		severity = finding.Info
	}
	if len(what) > 1 && strings.Contains(image.Successor, image.OS) && catalog.PhaseOf(image.Retired, p.Project.AsOf()) == catalog.Ending {
		what = what[:1] // the successor has that system, too
	}
	advice := cmp.Or(image.Successor, "a later image")
	if image.OS == "" && image.Successor == "" {
		advice = "another"
	}
	p.reportAs(severity, t.Image.Location(strings.Join(what, ", and ")+": use "+advice), renewed(t, image))
}

// renewed returns the fix that takes the successor of a CPU image from which the job uses no more than the system: its
// Python and packages are those of its conda file. Tags of one image are none of the other, except for latest.
func renewed(t *schema.Target, image catalog.Image) *finding.Fix {
	next := strings.Replace(t.Image.Text, image.Repo, image.Successor, 1)
	if tag := strings.TrimPrefix(next, image.Successor); tag != "" && tag != ":latest" || image.Successor == "" ||
		strings.Contains(next, "cuda") || !slices.Contains(t.Image.Keys(), "conda_file") {
		return nil
	}
	return t.Image.Fix(finding.Text(next), finding.Unsafe, "use "+next)
}

// frozenOn returns how certain it is that an image gets no new builds on the day asOf.
func frozenOn(image catalog.Image, asOf string) catalog.Phase {
	if image.Status != "deprecated" && image.Status != "replaced" {
		return catalog.Lasting
	}
	return catalog.PhaseOf(image.Since, asOf)
}

// lacksSupport says what support an image lacks on the day asOf, or will lack within a year. It is an info if a later
// image replaced it, or if only the base system of a supported image ends: the end of the image itself has not been
// announced.
func lacksSupport(image catalog.Image, asOf string) (severity finding.Severity, what []string) {
	severity = finding.Info
	frozen, system := frozenOn(image, asOf), catalog.PhaseOf(image.Retired, asOf)
	switch {
	case frozen >= catalog.Ended:
		what = append(what, "this image has not been rebuilt since "+image.Since)
	case frozen == catalog.Ending:
		what = append(what, "this image will no longer be rebuilt from "+image.Since+" on")
	}
	if frozen > catalog.Lasting && image.Status == "deprecated" {
		severity = finding.Warning
	}
	whose := "its"
	if len(what) == 0 {
		whose = "the image's"
	}
	switch {
	case system >= catalog.Ended:
		severity = finding.Warning
		what = append(what, fmt.Sprintf("%s operating system, %s, has been out of standard support since %s", whose, image.OS, image.Retired))
	case system == catalog.Ending:
		what = append(what, fmt.Sprintf("standard support for %s operating system, %s, ends in %s", whose, image.OS, image.Retired))
	}
	return severity, what
}

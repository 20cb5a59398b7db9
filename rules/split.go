package rules

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/requirement"
)

// split returns the fix for a conda file that jobs on CPU and on GPU targets
// share: the GPU jobs get a file of their own. One that fits is used; otherwise
// a copy with every swap is written beside the shared file, under the name that
// people already use for it. The changes of several files belong together. When
// there is no fix, the reason says what a person can do.
func split(project *schema.Project, e *schema.Environment) (fix *finding.Fix, reason string) {
	const byHand = "give the GPU run configuration a conda file of its own"
	if e.File.Kind != schema.CondaFile {
		return nil, byHand
	}
	swaps := gpuTexts(e)
	title, rel := "", fitting(project, e, swaps)
	var changes []finding.Change
	if rel != "" {
		title = "use " + rel + " for the GPU target"
	} else {
		ext := path.Ext(e.File.Rel)
		rel = strings.TrimSuffix(e.File.Rel, ext) + "_gpu" + ext
		if project.Exists(rel) {
			return nil, rel + " exists but lists other packages: make it fit and name it in the GPU run configuration"
		}
		title = "write " + rel + " for the GPU target"
		copied := finding.Change{Op: finding.CopyFile, File: strings.TrimSuffix(e.File.Path, filepath.Ext(e.File.Path)) + "_gpu" + ext, From: e.File.Path}
		for i, pkg := range e.Packages {
			if text, ok := swaps[i]; ok {
				copied.Changes = append(copied.Changes, rewrite(copied.File, pkg, text))
			}
		}
		changes = append(changes, copied)
	}
	for _, job := range e.UsedBy(gpuContainer) {
		change, ok := job.CondaPath.Set(finding.Text(reference(job, rel)))
		if !ok {
			return nil, byHand
		}
		changes = append(changes, change)
	}
	return &finding.Fix{Title: title, Applicability: finding.Safe, Changes: changes}, ""
}

// reference returns how a job writes the path of a file beside its own conda
// file: with the folder as it is written now.
func reference(job *schema.Job, rel string) string {
	if !job.CondaPath.Explicit {
		return rel
	}
	folder, _ := path.Split(strings.ReplaceAll(job.CondaPath.Text, `\`, "/"))
	return folder + path.Base(rel)
}

// gpuTexts returns the new texts of the packages that a GPU job wants replaced,
// by their index in the environment.
func gpuTexts(e *schema.Environment) map[int]string {
	texts := map[int]string{}
	for i, pkg := range e.Packages {
		if s, ok := gpuSwap(e, pkg); ok && s.text != "" {
			texts[i] = s.text
		}
		if wheel, ok := knownWheel(pkg); ok && wheel.Flavour == catalog.FlavourCPU {
			if gpu, ok := catalog.WheelVariant(wheel, catalog.FlavourGPU, catalog.PlatformLinux); ok {
				texts[i] = replaceURL(pkg.Requirement, gpu)
			}
		}
	}
	return texts
}

// fitting returns the path of a conda file beside e, with "gpu" in its name and
// no job on a CPU target, whose requirements are those of e after the swaps.
func fitting(project *schema.Project, e *schema.Environment, swaps map[int]string) string {
	want := requirements(e, swaps)
	for _, other := range project.Environments {
		if other == e || other.File.Kind != schema.CondaFile || other.File.Dir() != e.File.Dir() ||
			!strings.Contains(strings.ToLower(path.Base(other.File.Rel)), "gpu") ||
			len(other.UsedBy(func(t *schema.Target) bool { return !t.GPU() })) > 0 {
			continue
		}
		if slices.Equal(want, requirements(other, nil)) {
			return other.File.Rel
		}
	}
	return ""
}

// requirements returns the sorted requirements of an environment, with some
// texts replaced, in one spelling each.
func requirements(e *schema.Environment, replaced map[int]string) []string {
	list := make([]string, 0, len(e.Packages))
	for i, pkg := range e.Packages {
		text := pkg.Node.Text()
		if to, ok := replaced[i]; ok {
			text = to
		}
		if pkg.Manager == requirement.Pip {
			text = "pip " + text
		}
		list = append(list, strings.ToLower(strings.ReplaceAll(text, " ", "")))
	}
	slices.Sort(list)
	return list
}

package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
)

// validate checks every file against the schema of its format. The rules schema/* report the findings with their own
// ids through fromSchema.
func validate(project *schema.Project) (all []finding.Finding) {
	sdk := condaOfSDK(project)
	for _, f := range project.Files {
		found := schema.Note(f, noteSchema, validateOne)
		if sdk[f] {
			found = format.ReadBySDK(found)
		}
		all = append(all, found...)
	}
	for _, e := range project.V2Environments { // a conda file may be written into the environment, or into a job
		if conda := e.CondaPath.Node; conda != nil && conda.Kind == document.Mapping && !e.File.Broken() && len(e.File.Stream.Documents) == 1 {
			all = append(all, validateInside(e.File, conda)...)
		}
	}
	return all
}

// condaOfSDK returns the conda files that run configurations of SDK v1 name.
func condaOfSDK(project *schema.Project) (files map[*schema.File]bool) {
	for _, e := range project.Environments {
		if e.File.Kind == schema.CondaFile && slices.ContainsFunc(e.Jobs, func(j *schema.Job) bool { return j.Dialect == schema.SDKv1 }) {
			if files == nil {
				files = map[*schema.File]bool{}
			}
			files[e.File] = true
		}
	}
	return files
}

// validateInside checks a conda file that is written into another file.
func validateInside(f *schema.File, conda *document.Node) []finding.Finding {
	list := format.Validate(format.Conda, f.Source, conda)
	for _, found := range list {
		if found.Fix == nil {
			continue
		}
		for i := range found.Fix.Changes {
			if c := &found.Fix.Changes[i]; c.Op != finding.SpliceText {
				c.Pointer = conda.Pointer() + c.Pointer // they are those of the conda file
			}
		}
	}
	return list
}

func validateOne(f *schema.File) []finding.Finding {
	kind, ok := FormatOf(f)
	switch {
	case !ok || f.Broken():
		return nil
	case f.V2 != "" && len(f.Stream.Documents) > 1:
		return validateEach(f)
	}
	return withoutPasted(f, format.Validate(kind, f.Source, f.Root()))
}

// withoutPasted drops what is found in a second file that was pasted into one: its keys belong to another format.
func withoutPasted(f *schema.File, all []finding.Finding) []finding.Finding {
	for _, problem := range f.Stream.Problems {
		if problem.Pasted {
			return slices.DeleteFunc(all, func(found finding.Finding) bool { return found.Span.Start >= problem.Span.Start })
		}
	}
	return all
}

// validateEach checks each v2 document in a file with several against its own schema. There are no fixes, because the
// Azure ML client does not read such a file.
func validateEach(f *schema.File) (all []finding.Finding) {
	for _, root := range f.Stream.Documents {
		if kind := schema.V2KindOf(root); kind != "" {
			all = append(all, format.Validate(format.Kind("v2-"+kind), f.Source, root)...)
		}
	}
	for i := range all {
		all[i].Fix = nil
	}
	return all
}

// FormatOf returns the format that a file is checked against, or false if it has none.
func FormatOf(f *schema.File) (format.Kind, bool) {
	switch {
	case f.Kind == schema.Compute:
		return format.Compute, true
	case f.Kind == schema.RunConfig && f.Dialect == schema.SDKv1:
		return format.SDKRunConfig, true
	case f.Kind == schema.RunConfig:
		return format.WorkbenchRunConfig, true
	case f.Kind == schema.EnvironmentFile:
		return format.SDKEnvironment, true
	case f.Kind == schema.CondaFile:
		return format.Conda, true
	case f.Kind == schema.SparkFile:
		return format.Spark, true
	case f.V2 != "":
		return format.Kind("v2-" + f.V2), true
	case f.Kind == schema.Settings:
		return format.Settings, true
	}
	return "", false
}

// fromSchema reports the schema findings that have the rule's id.
func fromSchema(p *Pass) {
	for _, f := range p.shared.schema {
		if f.Rule == p.rule.ID {
			p.reportAs(f.Severity, f.Location, f.Fix, f.Related...)
		}
	}
}

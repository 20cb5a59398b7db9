package rules

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/template"
)

// v2Path is a local path in an Azure ML v2 file. The Azure ML client checks it when it reads the file.
type v2Path struct {
	schema.Field
	// key is the key that it belongs to; local is what it leads to: "file", "folder" or "any"; file is the format of
	// the file, or "" for any.
	key, local, file string
}

// v2Asset is a field that names an asset of a workspace or a registry, as in azureml:NAME:VERSION. asset is its kind in
// the plural, as in environments.
type v2Asset struct {
	schema.Field
	asset string
}

// v2References returns the paths and the assets in v2 files, at the places where their schemas expect them: in jobs, in
// pipelines' children, in components and deployments.
func v2References(project *schema.Project) (paths []v2Path, assets []v2Asset) {
	for _, f := range project.Files {
		kind, ok := FormatOf(f)
		if f.V2 == "" || !ok || f.Broken() {
			continue
		}
		format.Walk(kind, f.Root(), func(key, n *document.Node, place *format.Place) {
			if key != nil && n.IsString() && strings.HasPrefix(n.Value, "azureml:") {
				if asset := place.Asset(); asset != "" && !template.In(n.Value) {
					assets = append(assets, v2Asset{schema.FieldAt(f, n.Parent, key.Value), asset})
				}
				if !pathOnly(key, n, place) {
					return
				}
			}
			if key != nil && key.Value == "additional_includes" && n.IsSequence() && f.V2 != "flow" {
				for _, item := range n.Items() {
					if item.IsString() {
						field := schema.Field{Text: item.Value, Explicit: true, Node: item, File: f}
						paths = append(paths, v2Path{Field: field, key: key.Value, local: "any"})
					}
				}
			}
			local, unless := place.Local()
			if local == "" || key == nil || !n.IsPyYAMLText() || v2Address.Get().MatchString(n.Value) && !pathOnly(key, n, place) || unless != "" && n.Parent.Get(unless) != nil {
				return
			}
			paths = append(paths, v2Path{Field: schema.FieldAt(f, n.Parent, key.Value), key: key.Value, local: local, file: place.Leads()})
		})
	}
	return paths, assets
}

// v2Address matches what is not a path: an address, a reference to a workspace or a registry, or a repository.
var v2Address = plain.Regexp{Text: `(?i)^(azureml:|git\+|[a-z][a-z0-9+.-]+://)`}

// pathOnly reports whether the client takes an address at a place for a path: of a conda file and an import any, of a
// component or a job all but references to them, of code and of a build folder all but those that it can read.
func pathOnly(key, n *document.Node, place *format.Place) bool {
	at := v2Path{Field: schema.Field{Node: n}, key: key.Value, file: place.Leads()}
	address := strings.ToLower(n.Value)
	begins := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(address, prefix) })
	}
	_, nameless := place.Local()
	switch {
	case isConda(at), at.key == "import_data", nameless != "": // that of a deployment's model without a name
		return true
	case isBuild(at):
		return !begins("http")
	case isComponent(at), at.key == "create_job":
		return !strings.HasPrefix(n.Value, "azureml:") // which is case-sensitive
	}
	return key.Value == "code" && !begins("git+", "http", "ftp") && !strings.HasPrefix(n.Value, "azureml:")
}

// v2Missing reports the v2 paths that pick selects and that do not exist.
func v2Missing(p *Pass, what string, pick func(v2Path) bool) {
	for _, at := range p.shared.paths {
		if p.full(at.File.Source) {
			continue // the disk is asked about each path
		}
		if pick(at) && at.key == "environment" && template.ByHand(at.Text) {
			p.reportAs(finding.Error, at.Location(fmt.Sprintf("%q is a placeholder, which Azure ML rejects: write azureml:NAME:VERSION, or the path of an environment file", shortName(at.Text))), nil)
			continue
		}
		if pick(at) && at.key == "environment" && image(at.Text) && !exists(p, at) {
			named := "{image: %s}"
			if at.Node.Style == document.DoubleQuoted {
				named = `{"image": %s}` // as JSON needs it
			}
			fix := finding.NewFix(finding.Unsafe, "name it as the image of an environment", finding.Splice(at.File.Source, at.Node.Span, fmt.Sprintf(named, at.File.Source.Slice(at.Node.Span))))
			p.reportAs(finding.Error, at.Location("Azure ML takes this for the path of a file and rejects it: for a Docker image, write environment: {image: …}"), fix)
			continue
		}
		if right := unprefixed(at); pick(at) && right != "" && !exists(p, at) && withExtension(p, at) == "" {
			without := "lacks azureml:"
			if strings.EqualFold(at.Text, right) {
				without = "has azureml: in capitals"
			}
			p.reportAs(finding.Error, at.Location(fmt.Sprintf("%q %s, so Azure ML takes it for a path and rejects this file: write %s", shortName(at.Text), without, shown(right))),
				at.Fix(finding.Text(right), finding.Unsafe, "write "+shown(right)))
			continue
		}
		if pick(at) && at.key == "component" && noReference(at.Text) {
			p.reportAs(finding.Error, at.Location(fmt.Sprintf("%q is not a component, so Azure ML rejects this file: write azureml:NAME:VERSION, or the path of its file", shortName(at.Text))), nil)
			continue
		}
		if pick(at) && !template.In(at.Text) && !v2Elsewhere(p, at, what) {
			notThere(p, at, what, "Azure ML rejects this file")
		}
	}
}

// image reports whether a text names a Docker image with its registry or its tag, rather than a file.
func image(text string) bool {
	host, _, ok := strings.Cut(text, "/")
	return ok && !strings.ContainsAny(text, `\ $`) && !strings.Contains(text, "://") && !strings.Contains(host, ":") &&
		!strings.Contains(text, "environments/") && !slices.Contains([]string{".yml", ".yaml", ".json"}, path.Ext(text)) &&
		(strings.HasSuffix(host, ".com") || strings.HasSuffix(host, ".io") || strings.Contains(path.Base(text), ":"))
}

// backslashes says why a path should not have any.
func backslashes(text string) string {
	return fmt.Sprintf("only Windows separates folders with \\, so Azure ML finds nothing when this file is used elsewhere: write %q", shown(schema.Slashes(text)))
}

// unprefixedName matches a name with a version or a label, as references have them after "azureml:".
var unprefixedName = plain.Regexp{Text: `^[A-Za-z0-9][A-Za-z0-9_.-]*(:[0-9][A-Za-z0-9_.-]*|@[A-Za-z]+)$`}

// unprefixed returns the reference that a text is without "azureml:", or with this misspelt: a name with a version or,
// where no path leads anywhere, without one. It returns "" if the text may be meant as a path.
func unprefixed(at v2Path) string {
	const prefix = "azureml:"
	named, versioned := at.key == "environment" || at.key == "component", unprefixedName.Get().MatchString(at.Text)
	right, misspelt := misspeltPrefix(at.Text)
	switch {
	case !named && at.key != "create_job" && !isComponent(at):
	case len(at.Text) > len(prefix) && strings.EqualFold(at.Text[:len(prefix)], prefix) && namesAsset(at.Text[len(prefix):]):
		return prefix + at.Text[len(prefix):]
	case misspelt && !versioned && namesAsset(strings.TrimPrefix(right, prefix)):
		return right
	case !named:
	case versioned:
		return prefix + at.Text
	case namesAsset(at.Text):
		return prefix + at.Text + "@latest"
	}
	return ""
}

// namesAsset reports whether a text can follow "azureml:": a registry's address, or a name that is not that of a file.
func namesAsset(text string) bool {
	return strings.HasPrefix(text, "//") || unprefixedName.Get().MatchString(text) ||
		unprefixedName.Get().MatchString(text+"@latest") && !slices.Contains([]string{".yml", ".yaml", ".json"}, strings.ToLower(path.Ext(text)))
}

// withExtension returns the path of a YAML file with the extension that it lacks if the file is there then.
func withExtension(p *Pass, at v2Path) string {
	for _, ext := range []string{".yml", ".yaml"} {
		if rel, ok := at.Path(); ok && at.file != "" && p.Project.Exists(rel+ext) {
			return at.Text + ext
		}
	}
	return ""
}

func exists(p *Pass, at v2Path) bool {
	rel, ok := at.Path()
	return ok && p.Project.Exists(rel)
}

// noReference reports whether a text has the colon of a reference, but neither the word before it nor a path.
func noReference(text string) bool {
	first, _, _ := strings.Cut(text, "/")
	return strings.Contains(first, ":") && !strings.HasPrefix(text, "file:") && !schema.HasDrive(text) && !v2Address.Get().MatchString(text) && !template.In(text) && !strings.Contains(text, "$")
}

// misspeltPrefix returns a reference with its misspelt "azureml:" corrected; ok is false if it is not misspelt.
func misspeltPrefix(text string) (right string, ok bool) {
	const word = "azureml"
	i := strings.IndexAny(text, ": ")
	if i <= 0 || !isAlphanumeric(rune(text[0])) || strings.HasPrefix(text[i:], "://") || strings.EqualFold(text[:i], "azure") {
		return "", false
	}
	if d := plain.DistanceWithin(strings.ToLower(text[:i]), word, 2); d > 2 || text[:i] == word && text[i] == ':' {
		return "", false
	}
	return word + ":" + strings.TrimLeft(text[i+1:], " "), true
}

// notThere reports a path that does not exist, or only on Windows, and suggests the one that fits if there is one. so
// says what happens.
func notThere(p *Pass, at v2Path, what, so string) {
	rel, ok := at.Path()
	if ok && at.local == "file" && p.Project.Folder(rel) {
		p.reportAs(finding.Error, at.Location(fmt.Sprintf("%q is a folder, so %s: write the path of a file", shown(at.Text), so)), nil)
		return
	}
	if !ok || p.Project.Exists(rel) {
		if right := schema.Slashes(at.Text); ok && strings.Contains(at.Text, `\`) {
			p.reportAs(finding.Warning, at.Location(backslashes(at.Text)), at.Fix(finding.Text(right), finding.Safe, fmt.Sprintf("write %q", shown(right))))
		}
		return
	}
	other := cmp.Or(withExtension(p, at), miscounted(p, at))
	if other == "" && p.ignored(rel) {
		p.reportAs(finding.Warning, at.Location(fmt.Sprintf("the %s %q does not exist, and .gitignore leaves it out of the repository: make it before this file is used", what, shown(at.Text))), nil)
		return
	}
	if other == "" {
		p.reportAs(finding.Error, at.Location(fmt.Sprintf(
			"the %s %q does not exist, so %s: correct the path, which is relative to the folder of this file", what, shown(at.Text), so)), nil)
		return
	}
	fix := at.Fix(finding.Text(other), finding.Unsafe, fmt.Sprintf("write %q", shown(other)))
	p.reportAs(finding.Error, at.Location(fmt.Sprintf(
		"the %s %q does not exist, so %s: paths are relative to its folder; did you mean %q?", what, shortName(at.Text), so, shortName(other))), fix)
}

// ignored reports whether git leaves out a path that does not exist, so that a program probably makes it. After many
// paths, it returns false: each is compared with every pattern.
func (p *Pass) ignored(rel string) bool {
	const most = 100
	p.shared.missing++
	return p.shared.missing <= most && p.Project.GitIgnores(rel)
}

// miscounted returns the only path that may be meant instead of one that does not exist: the same path from a folder
// further up, such as the root, or from one level less, or the only component or conda file with a similar name next to
// it; "" if there is none, or several.
func miscounted(p *Pass, at v2Path) (found string) {
	dir, text := at.File.Dir(), path.Clean(schema.Slashes(strings.TrimPrefix(at.Text, "file:")))
	var rels []string
	for up := dir; !path.IsAbs(up) && !strings.HasPrefix(up, ".."); up = path.Dir(up) {
		rels = append(rels, path.Join(up, text))
		if up == "." {
			break
		}
	}
	if rest, ok := strings.CutPrefix(text, "../"); ok {
		rels = append(rels, path.Join(dir, rest))
	}
	for _, rel := range rels {
		if strings.HasPrefix(rel, "..") || !p.Project.Exists(rel) || at.local != "any" && p.Project.Folder(rel) != (at.local == "folder") {
			continue
		}
		other := plain.Rel(dir, rel)
		switch above := strings.Trim(other, "./") == ""; {
		case above && strings.HasPrefix(at.Text, "./"): // a folder beside the file is meant, not one that it is in
		case found == "" || found == other:
			found = other
		default:
			return ""
		}
	}
	conda := isConda(at)
	if found != "" || !conda && !isComponent(at) {
		return found
	}
	folder := path.Join(dir, path.Dir(text))
	var names []string
	if conda {
		names = p.Project.Below(folder, path.Ext(text))
	} else {
		names = p.componentsIn(folder)
	}
	if own := path.Base(at.File.Rel); slices.Contains(names, own) {
		names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == own })
	}
	if near := p.nearest(path.Base(text), names); len(near) == 1 {
		return path.Join(path.Dir(text), near[0])
	}
	return ""
}

// componentsIn returns the names of the files in a folder that may be components.
func (p *Pass) componentsIn(folder string) []string {
	if p.shared.components == nil {
		p.shared.components = map[string][]string{}
		for _, f := range p.Project.Files {
			if f.V2 == "component" || f.V2 == "job" {
				p.shared.components[f.Dir()] = append(p.shared.components[f.Dir()], path.Base(f.Rel))
			}
		}
	}
	return p.shared.components[folder]
}

// shown returns a text, shortened if it is too long for a message. Like the next two, it is not copied to its callers.
//
//go:noinline
func shown(text string) string { return plain.Cut(text, 80) }

// shortName is like shown, for messages with two names.
//
//go:noinline
func shortName(text string) string { return plain.Cut(text, 40) }

// brief is like shown, for messages with more names.
//
//go:noinline
func brief(text string) string { return plain.Cut(text, 21) }

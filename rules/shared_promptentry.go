package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// flexEntry matches the entry of a Python flow: a module, and a name that it defines.
var flexEntry = plain.Regexp{Text: `^([A-Za-z_][\w.]*):([A-Za-z_]\w*)$`}

// flexDefinition matches the beginning of a top-level function or class.
var flexDefinition = plain.Regexp{Text: `(?m)^(?:async[ \t]+def|def|class)[ \t]+([A-Za-z_]\w*)`}

// flowEntries reports flows whose entry is in a missing module. Because the module may be installed, it reports only
// those whose entry is defined in another file next to the flow, or whose package is in the flow's folder.
func flowEntries(p *Pass) {
	for _, f := range p.shared.v2 {
		root := f.Root().Resolve()
		entry := schema.FieldAt(f, root, "entry")
		if f.V2 != "flow" || len(f.Stream.Documents) != 1 || !entry.Node.IsString() || unsureEntry(root) {
			continue
		}
		parts := flexEntry.Get().FindStringSubmatch(strings.TrimSpace(entry.Text))
		if parts == nil || flexModule(p, f.Dir(), parts[1]) {
			continue
		}
		module, name := parts[1], parts[2]
		if other := definedIn(p, f.Dir(), module, name); other != "" {
			fix := entry.Fix(finding.Text(other+":"+name), finding.Unsafe, fmt.Sprintf("write %q", shown(other+":"+name)))
			p.reportAs(finding.Error, entry.Location(fmt.Sprintf("the flow has no module %q, so prompt flow cannot run it: did you mean %q?", shortName(module), shortName(other+":"+name))), fix)
		} else if own := ownPackage(p, f.Dir(), module); own != "" {
			p.reportAs(finding.Error, entry.Location(fmt.Sprintf("the package %q next to the flow has no module %q, so prompt flow cannot run it: correct the entry", shortName(own), shortName(module))), nil)
		}
	}
}

// unsureEntry reports whether a flow's modules come from elsewhere, or are not Python.
func unsureEntry(root *document.Node) bool {
	language := root.Get("language").Text()
	return root.Merges() || language != "" && !strings.EqualFold(language, "python") || root.Get("code") != nil || !root.Get("additional_includes").IsNull()
}

// flexModule reports whether a module, or a package of that name, is in a folder.
func flexModule(p *Pass, folder, module string) bool {
	at := path.Join(folder, strings.ReplaceAll(module, ".", "/"))
	return p.Project.Exists(at+".py") || p.Project.Exists(at) || slices.ContainsFunc(p.Project.Below(path.Dir(at), ""), func(name string) bool {
		return strings.HasPrefix(name, path.Base(at)+".") // compiled
	})
}

// definedIn returns the module in a folder that defines a name, or "" if none does. If several do, it returns the one
// whose name is similar to module. A module with dots is more likely an installed one.
func definedIn(p *Pass, folder, module, name string) string {
	const most = 50 // files next to a flow
	files := filesIn(p, folder, ".py")
	if strings.Contains(module, ".") || len(files) > most {
		return ""
	}
	var found []string
	for _, file := range files {
		code, ok := p.Project.Code(path.Join(folder, file))
		if ok && slices.ContainsFunc(flexDefinition.Get().FindAllSubmatch(code.Text, -1), func(m [][]byte) bool { return string(m[1]) == name }) {
			found = append(found, strings.TrimSuffix(file, ".py"))
		}
	}
	if len(found) > 1 {
		found = p.nearest(module, found)
	}
	if len(found) == 1 {
		return found[0]
	}
	return ""
}

// ownPackage returns the package in a folder that a module would be part of, or "" if there is none or it loads modules
// from elsewhere.
func ownPackage(p *Pass, folder, module string) string {
	first, _, dotted := strings.Cut(module, ".")
	code, ok := p.Project.Code(path.Join(folder, first, "__init__.py"))
	if !dotted || !ok || strings.Contains(string(code.Text), "__path__") {
		return ""
	}
	return first
}

package rules

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
)

// flexEntry matches what a flow in Python begins with: a module, and what it defines.
var flexEntry = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z_][\w.]*):([A-Za-z_]\w*)$`) })

// flexDefinition matches the beginning of a function or class at the top of a module.
var flexDefinition = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:async[ \t]+def|def|class)[ \t]+([A-Za-z_]\w*)`)
})

// flowEntries reports flows whose entry is in a module that is not there. It may be
// that of an installed package, so a file beside the flow has to define the entry, or
// the package has to be in the flow's folder.
func flowEntries(p *Pass) {
	for _, f := range p.Project.Files {
		root := f.Root().Resolve()
		entry := schema.FieldAt(f, root, "entry")
		if f.V2 != "flow" || f.Broken() || len(f.Stream.Documents) != 1 || !entry.Node.IsString() || unsureEntry(root) {
			continue
		}
		parts := flexEntry().FindStringSubmatch(strings.TrimSpace(entry.Text))
		if parts == nil || flexModule(p, f.Dir(), parts[1]) {
			continue
		}
		module, name := parts[1], parts[2]
		if other := definedIn(p, f.Dir(), module, name); other != "" {
			var fix *finding.Fix
			if change, ok := entry.Set(finding.Text(other + ":" + name)); ok {
				fix = &finding.Fix{Title: fmt.Sprintf("write %q", shown(other+":"+name)), Applicability: finding.Unsafe, Changes: []finding.Change{change}}
			}
			p.reportAs(finding.Error, entry.Location(fmt.Sprintf("the flow has no module %q, so prompt flow cannot run it: did you mean %q?", shortName(module), shortName(other+":"+name))), fix)
		} else if own := ownPackage(p, f.Dir(), module); own != "" {
			p.reportAs(finding.Error, entry.Location(fmt.Sprintf("the package %q next to the flow has no module %q, so prompt flow cannot run it: correct the entry", shortName(own), shortName(module))), nil)
		}
	}
}

// unsureEntry reports a flow whose modules come from elsewhere, or are none of Python.
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

// definedIn returns the module in a folder that defines a name, the one of nearly the
// name of module where several do; "" when there is none. A module with dots is more
// likely an installed one.
func definedIn(p *Pass, folder, module, name string) string {
	const most = 50 // files beside a flow
	files := filesIn(p, folder, ".py")
	if strings.Contains(module, ".") || len(files) > most {
		return ""
	}
	var found []string
	for _, file := range files {
		code, ok := p.Project.Code(path.Join(folder, file))
		if ok && slices.ContainsFunc(flexDefinition().FindAllSubmatch(code.Text, -1), func(m [][]byte) bool { return string(m[1]) == name }) {
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

// ownPackage returns the package in a folder that a module would be part of; "" where
// there is none, or where it takes modules from elsewhere.
func ownPackage(p *Pass, folder, module string) string {
	first, _, dotted := strings.Cut(module, ".")
	code, ok := p.Project.Code(path.Join(folder, first, "__init__.py"))
	if !dotted || !ok || strings.Contains(string(code.Text), "__path__") {
		return ""
	}
	return first
}

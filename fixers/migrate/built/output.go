package built

import (
	"cmp"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// output reads an OutputFileDatasetConfig in the arguments of a job, and reports whether it is one: the argument
// becomes the name that run configurations use for it.
func (b *builder) output(th *Thing, item *document.Node, t []python.Token) bool {
	out, ok := b.port(t)
	if !ok || out.from.class != "OutputFileDatasetConfig" || out.from.method != "" || strings.Contains(out.name, ".") {
		return false
	}
	n, c := mapping(t), out.from.call
	if to := b.argument(c, "destination", 1); to != nil {
		items, _ := b.items(to)
		if len(items) == 0 || len(items) > 2 {
			return false
		}
		store := b.datastore(b.eval(items[0], 0))
		if store == nil {
			return false
		}
		put(n, "outputLocation.dataPath.datastoreName", store)
		if len(items) == 2 {
			at := b.eval(items[1], 0).text()
			if at == nil {
				return false
			}
			put(n, "outputLocation.dataPath.relativePath", clone(at))
		}
	}
	for _, s := range out.steps {
		switch {
		case s.call == nil:
			return false
		case s.name == "as_upload":
			b.take(n, "additionalOptions.uploadOptions.overwrite", *s.call, "overwrite", 0)
		case s.name == "register_on_complete":
			b.take(n, "additionalOptions.registrationOptions.name", *s.call, "name", 0)
		case s.name != "as_mount":
			return false
		}
	}
	put(n, "mechanism", scalar("!!str", cmp.Or(out.mode, "mount"), t))
	put(th.Root, "outputData."+out.name, n)
	item.SetTag("!!str")
	item.Value = "DatasetOutputConfig:" + out.name
	return true
}

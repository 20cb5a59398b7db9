package built

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/python"
)

// references reads the data references that a program gives to a run configuration, of which arguments contain the
// names.
func (b *builder) references(th *Thing, o *object) {
	if o.name == "" || b.lost[o.name] {
		return
	}
	for _, s := range b.during(b.attrs[o.name], o.name, place(o)) {
		if strings.TrimPrefix(s.path, "run_config.") != "data_references" {
			continue
		}
		b.read[s.tokens[0].At] = true
		n := b.node(value{tokens: s.tokens})
		items, literal := b.pairs(b.written(s.tokens), 0)
		switch key := b.eval(s.key, 0).text(); {
		case b.mayNotRun(s.at, place(o)), s.key != nil && (key == nil || strings.Contains(key.Value, ".")):
		case s.key != nil:
			put(th.Root, "dataReferences."+key.Value, b.mounted(s.tokens))
			continue
		case literal && b.eval(s.tokens, 0).literal.IsMapping(): // it is not changed in the meantime
			n = mapping(s.tokens)
			for _, item := range items {
				add(n, item.key, b.mounted(item.value))
			}
			b.whole[n] = true
		}
		put(th.Root, "dataReferences", n)
	}
}

// referenceKeys are the keys of a data reference in a run configuration, in the order of the parameters of
// DataReferenceConfiguration in azureml-core 1.62.
var referenceKeys = [...]string{"dataStoreName", "mode", "pathOnDataStore", "pathOnCompute", "overwrite"}

// mounted reads a data reference, or its configuration. One of which anything is computed, or set by another name than
// the SDK's, is not known.
func (b *builder) mounted(t []python.Token) *document.Node {
	n, o := mapping(t), b.eval(t, 0).object
	if o != nil && o.base == nil && o.class == "DataReferenceConfiguration" {
		for place, name := range []string{"datastore_name", "mode", "path_on_datastore", "path_on_compute", "overwrite"} {
			b.take(n, referenceKeys[place], o.call, name, place)
		}
		b.attributes(n, o.name, place(o), nil)
	} else if in, store, at := b.stored(t); store != nil {
		put(n, "dataStoreName", store)
		if at.Value != "" {
			put(n, "pathOnDataStore", at)
		}
		how, machine := scalar("!!str", cmp.Or(in.mode, "mount"), t), value{}
		if in.from.class == "DataReference" {
			if mode := b.arg(in.from.call, "mode", 3); in.mode == "" && !mode.absent() {
				how = b.node(value{tokens: mode.tokens})
			}
			machine = b.arg(in.from.call, "path_on_compute", 4)
		}
		_, steps := steady(o)
		for _, s := range steps {
			if s.call != nil && (s.name == "as_download" || s.name == "as_upload") {
				machine = b.arg(*s.call, "path_on_compute", 0)
			}
		}
		put(n, "mode", how)
		b.put(n, "pathOnCompute", machine)
	}
	unread := func(e document.Entry) bool {
		return !slices.Contains(referenceKeys[:], e.Key.Value) && e.Key.Value != "overwrite"+NotLiteral
	}
	if n.Get("dataStoreName") == nil || slices.ContainsFunc(n.Entries(), unread) {
		n = mapping(t)
		add(n, key("value"+NotLiteral, n), b.node(value{tokens: t}))
	}
	return n
}

// replaces reports whether a reference that the program sets counts for one of the same name in a job's arguments,
// which may be just the text of it.
func (b *builder) replaces(set *document.Node, th *Thing, text bool) bool {
	return !b.passed[set] && (text || set.Span.Start > place(th.object))
}

// alike reports whether two references are to the same data.
func alike(x, y *document.Node) bool {
	return slices.EqualFunc(x.Entries(), y.Entries(), func(x, y document.Entry) bool {
		return x.Key.Value == y.Key.Value && x.Value.Tag() == y.Value.Tag() && x.Value.Value == y.Value.Value
	})
}

// naming returns the name of a compute target, a datastore or a data reference in an expression that ends with the
// attribute for it, or "".
func (p *program) naming(o *object) string {
	end := len(o.steps) - 1
	last, of := o.steps[end], value{object: chained(o.base, o.steps[:end]), tokens: o.tokens}
	switch {
	case last.call != nil || last.index != nil:
	case last.name == "data_reference_name":
		return p.referenceName(of.object)
	case last.name == "name":
		if store := p.datastore(of); store != nil {
			return store.Value
		}
		return p.computeName(of)
	}
	return ""
}

// referenceName returns the name that SDK v1 gave to a reference to data on a datastore, or "". It made one up for a
// path without a name; here, that of the variable stands for it.
func (p *program) referenceName(o *object) string {
	for ; o != nil; o = o.base {
		c, parameter, place := o.call, "", 2 // of the path
		if o.base == nil && o.class == "DataReference" {
			parameter = "path_on_datastore"
		}
		for _, s := range o.steps {
			if s.name == "path" && s.call != nil {
				c, parameter, place = *s.call, "path", 0
			}
		}
		if parameter != "" {
			name := p.arg(c, "data_reference_name", 1)
			if at := p.arg(c, parameter, place); name.absent() && !at.absent() {
				return o.name
			} else if name.text() != nil {
				return name.text().Value
			} else if !name.absent() {
				return ""
			}
			if place == 2 {
				o = &object{base: p.arg(c, "datastore", 0).object}
			}
		} else if store := p.datastore(value{object: o, tokens: o.tokens}); store != nil {
			return store.Value
		}
	}
	return ""
}

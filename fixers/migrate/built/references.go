package built

import (
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

// mounted reads a data reference, or its configuration.
func (b *builder) mounted(t []python.Token) *document.Node {
	n := mapping(t)
	if o := b.eval(t, 0).object; o != nil && o.base == nil && o.class == "DataReferenceConfiguration" {
		for place, name := range []string{"datastore_name", "mode", "path_on_datastore", "path_on_compute", "overwrite"} {
			b.take(n, []string{"dataStoreName", "mode", "pathOnDataStore", "pathOnCompute", "overwrite"}[place], o.call, name, place)
		}
		b.attributes(n, o.name, place(o), nil)
		return n
	}
	in, store, at := b.stored(t)
	if store == nil {
		add(n, key("value"+NotLiteral, n), b.node(value{tokens: t}))
		return n
	}
	put(n, "dataStoreName", store)
	if at.Value != "" {
		put(n, "pathOnDataStore", at)
	}
	if in.mode == "" {
		in.mode = "mount"
	}
	put(n, "mode", scalar("!!str", in.mode, t))
	return n
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
		c, known, place := o.call, o.base == nil && o.class == "DataReference", 2
		for _, s := range o.steps {
			if s.name == "path" && s.call != nil {
				c, known, place = *s.call, true, 0
			}
		}
		if known {
			name := p.arg(c, "data_reference_name", 1)
			if at := p.arg(c, map[int]string{0: "path", 2: "path_on_datastore"}[place], place); name.absent() && !at.absent() {
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

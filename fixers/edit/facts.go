package edit

import "github.com/amlfix/amlfix/schema/document"

// facts are what is known of the documents of a stream without a search.
type facts struct {
	keys    map[*document.Node]*document.Node  // the key of an entry's value
	index   map[*document.Node]int             // a value's or item's index in what holds it
	slots   map[*document.Node]map[string]slot // a mapping's scalar keys
	merges  map[*document.Node]bool            // the mappings with a merge key
	aliases map[*document.Node]int             // how many aliases stand for a node
}

// slot is where a key is in its mapping, and how often it occurs.
type slot struct{ first, count int }

// known returns the facts, which it gathers at the first call.
func (ed *Editor) known() *facts {
	if ed.facts != nil {
		return ed.facts
	}
	f := &facts{keys: map[*document.Node]*document.Node{}, index: map[*document.Node]int{}, slots: map[*document.Node]map[string]slot{},
		merges: map[*document.Node]bool{}, aliases: map[*document.Node]int{}}
	for _, root := range ed.stream.Documents {
		walk(root, f.add)
	}
	ed.facts = f
	return f
}

func (f *facts) add(n *document.Node) {
	if n.Kind == document.Alias {
		f.aliases[n.Target()]++
	}
	for i, item := range n.Items {
		f.index[item] = i
	}
	if n.Kind != document.Mapping {
		return
	}
	slots := make(map[string]slot, len(n.Entries))
	f.slots[n] = slots
	for i, e := range n.Entries {
		f.keys[e.Value], f.index[e.Value] = e.Key, i
		if e.Key.Tag == "!!merge" {
			f.merges[n] = true
		}
		if e.Key.Kind != document.Scalar {
			continue
		}
		s, ok := slots[e.Key.Value]
		if !ok {
			s.first = i
		}
		s.count++
		slots[e.Key.Value] = s
	}
}

// walk calls visit for n and all nodes below it, keys included, in file order.
func walk(n *document.Node, visit func(*document.Node)) {
	visit(n)
	for _, entry := range n.Entries {
		walk(entry.Key, visit)
		walk(entry.Value, visit)
	}
	for _, item := range n.Items {
		walk(item, visit)
	}
}

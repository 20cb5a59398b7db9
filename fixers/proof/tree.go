package proof

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/amlfix/amlfix/schema/document"
)

// decode returns the documents of a text as yaml.v3 reads them, without comments.
func decode(text []byte) (roots []*yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cannot be read: %v", r)
		}
	}()
	for decoder := yaml.NewDecoder(bytes.NewReader(document.Shorten(text))); ; {
		root := new(yaml.Node)
		if err := decoder.Decode(root); errors.Is(err, io.EOF) {
			return roots, nil
		} else if err != nil {
			return nil, err
		}
		if len(root.Content) > 0 {
			roots = append(roots, root.Content[0])
		}
	}
}

// tree is what is known of the documents of a text without a search.
type tree struct {
	aliased map[*yaml.Node]bool  // the nodes that aliases stand for
	keys    map[*yaml.Node]*keys // those of the mappings that somebody asked for
}

// keys are those of one mapping.
type keys struct {
	slots   map[string]int // scalar keys → index of the value, -1 for keys that are twice
	merging bool           // one of them is a merge key
}

// newTree returns the tree of documents; simple says that they have no aliases.
func newTree(roots []*yaml.Node, simple bool) *tree {
	t := &tree{aliased: map[*yaml.Node]bool{}, keys: map[*yaml.Node]*keys{}}
	for _, root := range roots {
		if !simple {
			t.add(root)
		}
	}
	return t
}

// add records what the aliases in a node stand for.
func (t *tree) add(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		t.aliased[n.Alias] = true
	}
	for _, child := range n.Content {
		t.add(child)
	}
}

// keysOf returns the keys of a mapping.
func (t *tree) keysOf(n *yaml.Node) *keys {
	if t.keys[n] != nil {
		return t.keys[n]
	}
	k := &keys{slots: make(map[string]int, len(n.Content)/2)}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		k.merging = k.merging || key.ShortTag() == "!!merge"
		if key.Kind != yaml.ScalarNode {
			continue
		}
		if _, twice := k.slots[key.Value]; twice {
			k.slots[key.Value] = -1
		} else {
			k.slots[key.Value] = i + 1
		}
	}
	t.keys[n] = k
	return k
}

// follow finds the node at a JSON pointer, or says why no change may be made there: a duplicate key is ambiguous, and
// what an alias stands for, or anything inside it, would change elsewhere too.
func (t *tree) follow(root *yaml.Node, pointer string) (at target, reason string) {
	at = target{node: root}
	tokens := strings.Split(pointer, "/")
	if tokens[0] != "" {
		return at, fmt.Sprintf("%q is not a pointer", pointer)
	}
	shared := t.aliased[root]
	for _, token := range tokens[1:] {
		n := at.node
		index := t.childIndex(n, strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~"))
		if index < 0 {
			return at, fmt.Sprintf("there is nothing at %q, or more than one thing", pointer)
		}
		at = target{node: n.Content[index], parent: n, index: index, path: append(at.path, index)}
		if n.Kind == yaml.MappingNode {
			at.key = n.Content[index-1]
		}
		shared = shared || t.aliased[at.node]
	}
	if shared {
		return at, fmt.Sprintf("what is at %q is shared through an alias", pointer)
	}
	return at, ""
}

// childIndex returns the index in Content of the child that a pointer's token names, -1 when there is none or more than
// one.
func (t *tree) childIndex(n *yaml.Node, token string) int {
	switch n.Kind {
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Content) {
			return i
		}
	case yaml.MappingNode:
		if i, ok := t.keysOf(n).slots[token]; ok {
			return i
		}
	default: // pointers lead through these two alone
	}
	return -1
}

// merges reports whether a mapping inherits key through a merge key.
func (t *tree) merges(mapping *yaml.Node, key string) bool {
	if mapping.Kind != yaml.MappingNode || !t.keysOf(mapping).merging {
		return false
	}
	var has func(n *yaml.Node, depth int) bool
	has = func(n *yaml.Node, depth int) bool {
		if n == nil || depth > 10 {
			return depth > 10
		}
		switch n.Kind {
		case yaml.AliasNode:
			return has(n.Alias, depth+1)
		case yaml.SequenceNode:
			for _, item := range n.Content {
				if has(item, depth+1) {
					return true
				}
			}
		case yaml.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				if n.Content[i].Value == key || n.Content[i].ShortTag() == "!!merge" && has(n.Content[i+1], depth+1) {
					return true
				}
			}
		default: // it has no keys
		}
		return false
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].ShortTag() == "!!merge" && has(mapping.Content[i+1], 0) {
			return true
		}
	}
	return false
}

package document

import "slices"

// tag is a short tag. Nearly all nodes have one of these few, so that a byte is enough for a node.
type tag uint8

const (
	noTag tag = iota
	tagString
	tagInt
	tagBool
	tagNull
	tagFloat
	tagMapping
	tagSequence
	tagMerge
	tagTime
	otherTag // see rare
)

var tags = [...]string{"", "!!str", "!!int", "!!bool", "!!null", "!!float", "!!map", "!!seq", "!!merge", "!!timestamp"}

// Tag returns the resolved short tag as yaml.v3 sees it: "!!str", "!!int", "!!bool", "!!null", "!!float",
// "!!timestamp", "!!map", "!!seq", "!!merge", …; "" for a nil node.
func (n *Node) Tag() string {
	if n == nil {
		return ""
	}
	if n.tag == otherTag {
		return n.rare.tag
	}
	return tags[n.tag]
}

func tagOf(name string) tag {
	if i := slices.Index(tags[:], name); i >= 0 {
		return tag(i) //nolint:gosec // there are few
	}
	return otherTag
}

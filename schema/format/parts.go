package format

import "bytes"

// definitionText returns the text of a definition with all its parts, or nil if the bundle has none with that name.
func definitionText(name string) []byte { return whole(nil, index.Get().definitions[name]) }

// whole appends a text with the parts that it names as {"$": N}.
func whole(to, text []byte) []byte {
	for {
		before, after, found := bytes.Cut(text, []byte(`{"$": `))
		to = append(to, before...)
		if !found {
			return to
		}
		number, rest, _ := bytes.Cut(after, []byte("}"))
		to, text = whole(to, index.Get().parts[string(number)]), rest
	}
}

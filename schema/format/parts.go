package format

import "strings"

// definitionText returns the text of a definition with all its parts, or nil if the bundle has none with that name.
func definitionText(name string) []byte { return whole(nil, index.Get().definitions[name]) }

// whole appends a text with the parts that it names as {"$": N}.
func whole(to []byte, text string) []byte {
	for {
		before, after, found := strings.Cut(text, `{"$": `)
		to = append(to, before...)
		if !found {
			return to
		}
		number, rest, _ := strings.Cut(after, "}")
		to, text = whole(to, index.Get().parts[number]), rest
	}
}

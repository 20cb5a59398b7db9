package archtest

import (
	"regexp"
	"slices"
	"strings"
)

// Drawing is what docs/architecture.md draws of the house.
type Drawing struct {
	// Folders are those that are named, from the top, without a slash at the end.
	Folders []string
	// Below lists, in order, what each area may import by the arrows.
	Below map[string][]string
}

var (
	namedFolder = regexp.MustCompile(`([a-z0-9]+)/`)
	arrows      = regexp.MustCompile("`([a-z]+(?: → [a-z]+)+)`")
)

// ReadDrawing reads the document: the first block of code has a line for each
// folder, with a slash at its end, and may name folders in it the same way; the
// sentence after it has the arrows.
func ReadDrawing(document string) Drawing {
	d := Drawing{Below: map[string][]string{}}
	parts := strings.SplitN(document, "```", 3)
	if len(parts) < 3 {
		return d
	}
	for line := range strings.Lines(parts[1]) {
		folder, about, found := strings.Cut(line, "/ ")
		if !found {
			continue
		}
		d.Folders = append(d.Folders, folder)
		for _, m := range namedFolder.FindAllStringSubmatch(about, -1) {
			d.Folders = append(d.Folders, folder+"/"+m[1])
		}
	}
	sentence, _, _ := strings.Cut(strings.TrimSpace(parts[2]), "\n\n")
	for _, m := range arrows.FindAllStringSubmatch(sentence, -1) {
		areas := strings.Split(m[1], " → ")
		for i, from := range areas {
			for _, to := range areas[i+1:] {
				if !slices.Contains(d.Below[from], to) {
					d.Below[from] = append(d.Below[from], to)
				}
			}
		}
	}
	for _, list := range d.Below {
		slices.Sort(list)
	}
	return d
}

// Missing returns the packages, by their paths from the top, that are not drawn:
// neither named nor inside a named folder that is more than an area. What is
// internal to an area is its own affair, but for cmd, where all is.
func (d Drawing) Missing(packages []string) (list []string) {
	for _, p := range packages {
		drawn := slices.ContainsFunc(d.Folders, func(folder string) bool {
			part := strings.Contains(folder, "/") && folder != "cmd/internal"
			return p == folder || part && strings.HasPrefix(p, folder+"/")
		})
		if !drawn && !strings.Contains(strings.TrimPrefix(p, "cmd/internal"), "/internal/") {
			list = append(list, p)
		}
	}
	return list
}

package migrate

import (
	"path"
	"strings"
)

// outline is a text whose lines enclose others by their indentation. It reads every line once, in order.
type outline struct {
	lines []string

	read    int         // how many lines are in what follows
	heads   []int       // the lines around the next one, from the outside in; empty ones are around nothing
	items   []int       // the same for lines that begin with a dash
	changes map[int]int // the last "cd" for each indentation
	folders map[int]string
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// above reads the lines before the i-th.
func (o *outline) above(i int) {
	if o.changes == nil {
		o.changes, o.folders = map[int]int{}, map[int]string{}
	}
	for ; o.read < i; o.read++ {
		text := strings.TrimSpace(o.lines[o.read])
		if text == "" {
			continue
		}
		o.heads = append(o.around(o.heads, o.read), o.read)
		switch {
		case strings.HasPrefix(text, "- "):
			o.items = append(o.around(o.items, o.read), o.read)
		case strings.HasPrefix(text, "cd "):
			o.changes[indent(o.lines[o.read])] = o.read
		}
	}
}

// around returns those of the heads that are further left than the i-th line.
func (o *outline) around(heads []int, i int) []int {
	for len(heads) > 0 && indent(o.lines[heads[len(heads)-1]]) >= indent(o.lines[i]) {
		heads = heads[:len(heads)-1]
	}
	return heads
}

// continued returns what the lines after the i-th add to it, up to the next command: those after a continuation
// character, those that begin with an option, and those that YAML folds into it. It sets i to the last of them.
func (o *outline) continued(i *int) string {
	const longest = 50 // lines of a command
	var b strings.Builder
	folded := o.isFolded(*i)
	for end := min(*i+longest, len(o.lines)); *i+1 < end; {
		line := strings.TrimRight(o.lines[*i], " \t\r")
		next := strings.TrimSpace(o.lines[*i+1])
		sign := strings.HasSuffix(line, `\`) || strings.HasSuffix(line, " `") || strings.HasSuffix(line, " ^")
		_, _, other := submits(next)
		if other || strings.Contains(next, "az ml ") || !sign && !strings.HasPrefix(next, "--") && (!folded || next == "" || indent(o.lines[*i+1]) < indent(line)) {
			break
		}
		*i++
		for _, end := range []string{`\`, " `", " ^"} {
			next = strings.TrimSuffix(next, end)
		}
		b.WriteString(" " + next)
	}
	return b.String()
}

// isFolded reports whether a line is in a folded YAML scalar such as "run: >".
func (o *outline) isFolded(i int) bool {
	o.above(i)
	heads := o.around(o.heads, i)
	if len(heads) == 0 {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(strings.TrimRight(o.lines[heads[len(heads)-1]], " \t\r"), "-+"), ": >")
}

// workingFolder returns the folder in which a line of a CI file runs, as set by its step or by an earlier "cd"; "" for
// the initial one.
func (o *outline) workingFolder(file string, i int, variables map[string]string) string {
	if before, _, ok := strings.Cut(o.lines[i], "az ml"); ok && strings.Contains(before, "cd ") {
		return changed(before, variables)
	}
	if ext := path.Ext(file); ext != ".yml" && ext != ".yaml" {
		return ""
	}
	o.above(i)
	step, folder := 0, ""
	if items := o.around(o.items, i); len(items) > 0 { // the step begins with "- " further left
		step = items[len(items)-1]
	}
	if at, ok := o.changes[indent(o.lines[i])]; ok && at >= step {
		folder = changed(strings.TrimSpace(o.lines[at]), variables)
	}
	if i == 0 {
		return folder
	}
	if _, ok := o.folders[step]; !ok {
		o.folders[step] = stepFolder(o.lines[step:], variables)
	}
	return path.Join(o.folders[step], folder)
}

// changed returns the folder of the last "cd FOLDER" on a line.
func changed(line string, variables map[string]string) string {
	_, rest, _ := strings.Cut(line[strings.LastIndex(line, "cd "):], " ")
	if words := commandWords(rest, variables); len(words) == 1 {
		return strings.ReplaceAll(words[0], `\`, "/")
	}
	return ""
}

// stepFolder returns the working folder of the CI step that begins at the first of lines.
func stepFolder(lines []string, variables map[string]string) string {
	first := indent(lines[0])
	for k, line := range lines {
		text := strings.TrimSpace(line)
		if k > 0 && text != "" && indent(line) <= first {
			break
		}
		key, value, _ := strings.Cut(strings.TrimPrefix(text, "- "), ":")
		if words := commandWords(value, variables); (key == "workingDirectory" || key == "working-directory") && len(words) == 1 {
			return words[0]
		}
	}
	return ""
}

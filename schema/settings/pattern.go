package settings

import (
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// match reports whether a valid pattern matches a path. The matcher is never given braces: it tries their alternatives
// at each place where a star may end, again for each of the other braces, which takes years for a few of them.
func match(pattern, rel string) bool {
	if !strings.Contains(pattern, "{") {
		return matches(pattern, rel)
	}
	all, ok := alternatives(pattern)
	return ok && doublestar.ValidatePattern(pattern) && slices.ContainsFunc(all, func(p string) bool { return matches(p, rel) })
}

func matches(pattern, rel string) bool {
	ok, err := doublestar.Match(pattern, rel)
	return ok && err == nil
}

// files returns the valid patterns without braces that match the same files as a list, and what is in folders that the
// list matches: each file is compared with all of them.
func files(list []string) (all []string) {
	for _, p := range list {
		p = strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
		if p == "" || !doublestar.ValidatePattern(p+"/**") { // `a\` alone is not
			continue
		}
		whole, _ := alternatives(p)
		for _, p := range whole {
			if strings.HasSuffix(p, "*") || strings.HasSuffix(p, "/") {
				all = append(all, p) // unlike this one, "a*/**" does not match "a"
			}
			all = append(all, p+"/**")
		}
	}
	return all
}

// alternatives returns the patterns without braces that a pattern stands for; ok is false if it is too long, or there
// are too many.
func alternatives(pattern string) (all []string, ok bool) {
	const longest, most = 1 << 10, 100
	type partly struct {
		text string
		at   int // up to which there are no braces
	}
	for todo := []partly{{pattern, 0}}; len(todo) > 0; {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		ends := braces(p.text, p.at)
		if ends == nil {
			all = append(all, p.text)
			continue
		}
		if len(pattern) > longest || len(all)+len(todo)+len(ends) > most {
			return nil, false
		}
		before, after := p.text[:ends[0]], p.text[ends[len(ends)-1]+1:]
		for i := len(ends) - 1; i > 0; i-- {
			todo = append(todo, partly{before + p.text[ends[i-1]+1:ends[i]] + after, ends[0]})
		}
	}
	return all, true
}

// braces returns the offsets of the first braces of a pattern and of the commas between them, or nil.
func braces(pattern string, at int) (ends []int) {
	depth := 0
	for i := at; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[': // commas and braces in it are only characters
			for i++; i < len(pattern) && pattern[i] != ']'; i++ {
				if pattern[i] == '\\' {
					i++
				}
			}
		case '{':
			if depth++; depth == 1 {
				ends = []int{i}
			}
		case ',':
			if depth == 1 {
				ends = append(ends, i)
			}
		case '}':
			if depth--; depth == 0 {
				return append(ends, i)
			}
		}
	}
	return nil
}

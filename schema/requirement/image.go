package requirement

import "strings"

// Image is a parsed container image reference, as written.
type Image struct {
	Registry string // host with port; empty if the reference has none and means Docker Hub
	Repo     string // path on the registry, such as "microsoft/mmlspark" or "azureml/base"
	Tag      string // empty when absent
	Digest   string // algorithm and hash, such as "sha256:…"; empty when absent
}

// Name returns the repository with its registry, without tag and digest, in normal form:
// "mcr.microsoft.com/azureml/base", "microsoft/mmlspark". Docker Hub's host names and its "library/" are omitted, and
// hosts are in lower case.
func (m Image) Name() string {
	host := strings.ToLower(m.Registry)
	switch host {
	case "", "docker.io", "index.docker.io", "registry-1.docker.io":
		if rest, ok := strings.CutPrefix(m.Repo, "library/"); ok && !strings.Contains(rest, "/") {
			return rest
		}
		return m.Repo
	}
	return host + "/" + m.Repo
}

// Written returns the repository with its registry as the author wrote them, without tag and digest.
func (m Image) Written() string {
	if m.Registry != "" {
		return m.Registry + "/" + m.Repo
	}
	return m.Repo
}

// String returns the reference as text.
func (m Image) String() string {
	var b strings.Builder
	if m.Registry != "" {
		b.WriteString(m.Registry + "/")
	}
	b.WriteString(m.Repo)
	if m.Tag != "" {
		b.WriteString(":" + m.Tag)
	}
	if m.Digest != "" {
		b.WriteString("@" + m.Digest)
	}
	return b.String()
}

// ParseImage parses an image reference as Docker does. It does not accept spaces, not even at the ends. The error is a
// *ParseError; for stray spaces and doubled colons, its span is what to remove.
func ParseImage(s string) (Image, error) { return parsed(s, parseImage, &images) }

func parseImage(s string) (Image, error) {
	p := imageParser{s: s, end: len(s)}
	if err := p.parse(); err != nil {
		return p.m, err
	}
	return p.m, nil
}

type imageParser struct {
	s   string
	end int
	m   Image
}

func (p *imageParser) parse() error {
	if err := p.checkText(); err != nil {
		return err
	}
	if i := strings.IndexByte(p.s, '@'); i >= 0 {
		if err := p.digest(i + 1); err != nil {
			return err
		}
		p.end = i
	}
	start, err := p.registry()
	if err != nil {
		return err
	}
	repoEnd := p.end
	if i := strings.IndexByte(p.s[start:p.end], ':'); i >= 0 {
		repoEnd = start + i
		if err := p.tag(repoEnd + 1); err != nil {
			return err
		}
	}
	return p.repo(start, repoEnd)
}

// registry sets the part before the first slash as the registry if it is a host: with a dot or a port, or "localhost".
// It returns the start of the path.
func (p *imageParser) registry() (int, error) {
	slash := strings.IndexByte(p.s[:p.end], '/')
	if slash < 0 || !strings.ContainsAny(p.s[:slash], ".:") && p.s[:slash] != "localhost" {
		return 0, nil
	}
	host := slash
	if i := strings.IndexByte(p.s[:slash], ':'); i >= 0 {
		host = i
		if j := skip(p.s, i+1, slash, isDigit); j < slash || j == i+1 {
			return 0, failAt(p.s[:p.end], j, "expected the number of a port, found "+describe(p.s[:p.end], j)+": a tag comes last, after the repository")
		}
	}
	for at := 0; at <= host; {
		next := host
		if i := strings.IndexByte(p.s[at:host], '.'); i >= 0 {
			next = at + i
		}
		j := skip(p.s, at, next, func(c byte) bool { return isAlnum(c) || c == '-' })
		switch {
		case j == at || j < next:
		case p.s[at] == '-':
			j = at
		case p.s[j-1] == '-':
			j--
		default:
			at = next + 1
			continue
		}
		return 0, failAt(p.s[:p.end], j, "this is not the name of a registry host")
	}
	p.m.Registry = p.s[:slash]
	return slash + 1, nil
}

// repo checks path components: lowercase letters and digits, separated by ".", "_", "__" or hyphens.
func (p *imageParser) repo(start, end int) error {
	if start == end {
		return failAt(p.s, start, "the name of the repository is missing")
	}
	for i, separated := start, true; i <= end; {
		if i == end || p.s[i] == '/' {
			if separated {
				return failAt(p.s[:p.end], i, "a part of the repository name is missing or ends in a separator")
			}
			separated = true
			i++
			continue
		}
		if j := skip(p.s, i, end, func(c byte) bool { return 'a' <= c && c <= 'z' || isDigit(c) }); j > i {
			i, separated = j, false
			continue
		}
		if separated {
			return p.badRepo(i)
		}
		n := separatorEnd(p.s, i, end)
		if n == i {
			return p.badRepo(i)
		}
		i, separated = n, true
	}
	if end-start > 255 {
		return failSpan(start, end, "the name of the repository is longer than 255 characters")
	}
	p.m.Repo = p.s[start:end]
	return nil
}

func separatorEnd(s string, i, end int) int {
	switch s[i] {
	case '.':
		return i + 1
	case '_':
		if i+1 < end && s[i+1] == '_' {
			return i + 2
		}
		return i + 1
	case '-':
		return skip(s, i, end, func(c byte) bool { return c == '-' })
	}
	return i
}

func (p *imageParser) tag(start int) error {
	j := skip(p.s, start, p.end, isNameByte)
	switch {
	case start == p.end:
		return failAt(p.s[:p.end], start, "the tag after ':' is missing")
	case j < p.end && p.s[j] == ':':
		return failAt(p.s, j, "one colon separates the repository from its tag, a second one cannot follow")
	case j < p.end && p.s[j] == '/':
		return failAt(p.s, j, "a slash is not allowed in a tag: the tag comes last, after the repository")
	case j < p.end:
		return failAt(p.s, j, describe(p.s, j)+" is not allowed in a tag")
	case p.s[start] == '.' || p.s[start] == '-':
		return failAt(p.s, start, "a tag begins with a letter, a digit or an underscore")
	case j-start > 128:
		return failSpan(start, j, "a tag is at most 128 characters long")
	}
	p.m.Tag = p.s[start:j]
	return nil
}

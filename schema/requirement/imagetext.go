package requirement

import "strings"

// checkText reports common mistakes: spaces, doubled colons, a URL instead of a reference.
func (p *imageParser) checkText() error {
	s := p.s
	start, end := trim(s, 0, len(s))
	switch {
	case start == end:
		return failSpan(0, len(s), "no image is given")
	case end < len(s):
		return failSpan(end, len(s), "a space at the end of the image name")
	case start > 0:
		return failSpan(0, start, "a space at the beginning of the image name")
	}
	if i := strings.Index(s, "://"); i >= 0 {
		return failSpan(0, i+3, "an image has no scheme: begin with the registry's host")
	}
	if i := strings.Index(s, "::"); i >= 0 {
		j := skip(s, i+1, len(s), func(c byte) bool { return c == ':' })
		return failSpan(i+1, j, "too many colons in a row: one colon separates the repository from its tag")
	}
	for i := range len(s) {
		if isSpace(s[i]) {
			j := skipSpaces(s, i, len(s))
			return failSpan(i, j, "a space inside the image name")
		}
	}
	return nil
}

// badRepo returns the error about the character at i of a repository name.
func (p *imageParser) badRepo(i int) error {
	if i < p.end && 'A' <= p.s[i] && p.s[i] <= 'Z' {
		return failAt(p.s, i, "the name of a repository must be lowercase")
	}
	return failAt(p.s[:p.end], i, describe(p.s[:p.end], i)+" is not allowed in the name of a repository")
}

// digest checks algorithm:hash at start.
func (p *imageParser) digest(start int) error {
	colon := strings.IndexByte(p.s[start:], ':')
	if colon <= 0 {
		return failAt(p.s, start, "a digest is an algorithm, a colon and a hash, as in sha256:…")
	}
	hash := start + colon + 1
	j := start
	if isAlpha(p.s[start]) {
		j = skip(p.s, start, hash-1, func(c byte) bool { return isNameByte(c) || c == '+' })
	}
	if j < hash-1 {
		return failAt(p.s, j, "this is not a digest algorithm")
	}
	j = skip(p.s, hash, len(p.s), isHex)
	if j < len(p.s) {
		return failAt(p.s, j, describe(p.s, j)+" is not allowed in a digest")
	}
	if n := j - hash; n < 32 || p.s[start:hash] == "sha256:" && n != 64 {
		return failSpan(hash, j, "the hash of the digest has the wrong length")
	}
	p.m.Digest = p.s[start:]
	return nil
}

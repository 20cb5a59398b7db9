package requirement

import (
	"strconv"
	"strings"
)

// Version is a version as PEP 440 defines it. The zero Version is "0". Use Compare or Equal, because Versions cannot be
// compared with ==.
type Version struct {
	epoch   uint64
	release []uint64
	pre     phase
	preN    uint64
	post    uint64 // one more than the number; 0 means no post-release
	dev     uint64 // one more than the number; 0 means no development release
	local   []segment
}

// phase is the kind of a pre-release.
type phase byte

const (
	final phase = iota
	alpha
	beta
	candidate
)

// segment is one part of a local version: text if that is not empty, or else a number.
type segment struct {
	number uint64
	text   string
}

// maxDigits is the maximum number of digits of a number in a version, so that it and its successor fit in 63 bits (2^63
// has 19 digits).
const maxDigits = 18

// ParseVersion parses a version in any spelling that PEP 440 normalises: case, a leading "v", "alpha" for "a", "1.0-1"
// for "1.0.post1". It rejects numbers with more than 18 digits. The error is a *ParseError.
func ParseVersion(s string) (Version, error) {
	start, end := trim(s, 0, len(s))
	p := versionParser{s: s, i: start, end: end}
	err := p.parse()
	return p.v, err
}

type versionParser struct {
	s      string
	i, end int
	v      Version
}

func (p *versionParser) parse() error {
	if p.i < p.end && p.s[p.i]|0x20 == 'v' {
		p.i++
	}
	if err := p.numbers(); err != nil {
		return err
	}
	for _, part := range [...]func() error{p.preRelease, p.postRelease, p.devRelease, p.localVersion} {
		if err := part(); err != nil {
			return err
		}
	}
	if p.i < p.end {
		return failAt(p.s[:p.end], p.i, describe(p.s[:p.end], p.i)+" is not allowed in a version")
	}
	return nil
}

// numbers reads the epoch and the release.
func (p *versionParser) numbers() error {
	n, err := p.number()
	if err != nil {
		return err
	}
	if p.i < p.end && p.s[p.i] == '!' {
		p.v.epoch = n
		p.i++
		if n, err = p.number(); err != nil {
			return err
		}
	}
	p.v.release = append(make([]uint64, 0, 4), n)
	for p.i+1 < p.end && p.s[p.i] == '.' && isDigit(p.s[p.i+1]) {
		p.i++
		if n, err = p.number(); err != nil {
			return err
		}
		p.v.release = append(p.v.release, n)
	}
	return nil
}

func (p *versionParser) number() (uint64, error) {
	j := skip(p.s, p.i, p.end, isDigit)
	if j == p.i {
		return 0, failAt(p.s[:p.end], p.i, "expected a number in the version, found "+describe(p.s[:p.end], p.i))
	}
	n, err := strconv.ParseUint(p.s[p.i:j], 10, 64)
	if err != nil || len(strings.TrimLeft(p.s[p.i:j], "0")) > maxDigits {
		return 0, failSpan(p.i, j, "a number in the version is too large")
	}
	p.i = j
	return n, nil
}

func (p *versionParser) preRelease() error {
	n, word, ok, err := p.suffix("alpha", "beta", "preview", "pre", "rc", "a", "b", "c")
	if !ok || err != nil {
		return err
	}
	p.v.preN = n
	switch word {
	case "alpha", "a":
		p.v.pre = alpha
	case "beta", "b":
		p.v.pre = beta
	default:
		p.v.pre = candidate
	}
	return nil
}

func (p *versionParser) postRelease() error {
	if p.i+1 < p.end && p.s[p.i] == '-' && isDigit(p.s[p.i+1]) {
		p.i++
		n, err := p.number()
		p.v.post = n + 1
		return err
	}
	n, _, ok, err := p.suffix("post", "rev", "r")
	if ok {
		p.v.post = n + 1
	}
	return err
}

func (p *versionParser) devRelease() error {
	n, _, ok, err := p.suffix("dev")
	if ok {
		p.v.dev = n + 1
	}
	return err
}

// suffix parses [separator] word [separator] [number], with the first word that matches. A missing number counts as 0.
func (p *versionParser) suffix(words ...string) (n uint64, word string, ok bool, err error) {
	start := p.separator(p.i)
	for _, w := range words {
		j := start + len(w)
		if j > p.end || !strings.EqualFold(p.s[start:j], w) {
			continue
		}
		p.i = p.separator(j)
		if p.i < p.end && isDigit(p.s[p.i]) {
			n, err = p.number()
		}
		return n, w, true, err
	}
	return 0, "", false, nil
}

func (p *versionParser) separator(i int) int {
	if i < p.end && (p.s[i] == '.' || p.s[i] == '-' || p.s[i] == '_') {
		return i + 1
	}
	return i
}

func (p *versionParser) localVersion() error {
	if p.i == p.end || p.s[p.i] != '+' {
		return nil
	}
	for first := true; first || p.separator(p.i) > p.i; first = false {
		p.i++
		j := skip(p.s, p.i, p.end, isAlnum)
		if j == p.i {
			return failAt(p.s[:p.end], p.i, "expected a letter or digit in the local version, found "+describe(p.s[:p.end], p.i))
		}
		s := segment{text: strings.ToLower(p.s[p.i:j])}
		if skip(p.s, p.i, j, isDigit) == j {
			n, err := p.number()
			if err != nil {
				return err
			}
			s = segment{number: n}
		}
		p.v.local = append(p.v.local, s)
		p.i = j
	}
	return nil
}

package requirement

import "strings"

// Constraint is the set of versions that a requirement allows. The zero Constraint allows none. A Constraint knows the order of versions,
// not which ones were ever published.
type Constraint struct {
	set    set
	exact  []Version // versions named by == or by conda's "1.2"
	prefix []Version // versions named by ==1.2.* or by conda's =1.2
}

// maxClauses is how many clauses, separated by "," or "|", one constraint has at
// most: each may double the work. Real ones have up to three.
const maxClauses = 64

// ParseConstraint reads the version part of a requirement in its manager's grammar. The empty text allows everything.
//
// Pip follows PEP 440: "<2.1" leaves out 2.1rc1, "==1.4" takes in 1.4+cpu. That pip skips pre-releases unless asked for one is not modelled.
// Conda has "=1.2" and "1.2.*" for any 1.2, "1.2" and "==1.2" for that one version, and "<2.1" takes in 2.1rc1; "," binds tighter than "|".
// Conda compares any text; here its versions must follow PEP 440. The two orders agree on plain numbers, and on pre- and post-releases of the
// same numbers; conda alone puts 1.0a0 before 1.0.dev0, 1.0+x before 1.0, and tells 1.0rc1 from 1rc1.
//
// An error, a *ParseError, says what cannot be judged: pip's "=1.0" and ">1.18.*", conda's regular expressions and versions such as 1.0.2k.
func ParseConstraint(m Manager, s string) (Constraint, error) {
	start, end := trim(s, 0, len(s))
	if start == end {
		return Constraint{set: everything}, nil
	}
	if m == Conda {
		return condaConstraint(s, start, end)
	}
	return pipConstraint(s, start, end)
}

// Allows reports whether v is in the set.
func (c Constraint) Allows(v Version) bool { return c.set.contains(v) }

// Overlaps reports whether some allowed version lies in the range. A constraint without conditions overlaps everything. Parse both with the
// same manager: "<2.1" is not the same set to pip and to conda.
func (c Constraint) Overlaps(within Constraint) bool { return len(c.set.intersect(within.set)) > 0 }

// Within reports whether all allowed versions lie in the range. It is true for a constraint that allows nothing.
func (c Constraint) Within(outer Constraint) bool {
	return len(c.set.intersect(outer.set.complement())) == 0
}

// Empty reports that no version is allowed, as in "==1.0,==2.0".
func (c Constraint) Empty() bool { return len(c.set) == 0 }

// Pin returns the version that the constraint names: 1.4.0 for "==1.4.0" (and conda's "1.4.0"), 1.4 for "==1.4.*" (and conda's "=1.4").
// There is none when the constraint allows nothing, offers alternatives ("1.2|1.3"), or only bounds the version. Of several pins the
// narrowest counts.
func (c Constraint) Pin() (Version, bool) {
	if c.Empty() {
		return Version{}, false
	}
	if len(c.exact) > 0 {
		return c.exact[0], true
	}
	var pin Version
	for _, v := range c.prefix {
		if len(v.release) > len(pin.release) {
			pin = v
		}
	}
	return pin, len(c.prefix) > 0
}

// Exact reports that Pin is a whole version, not a prefix.
func (c Constraint) Exact() bool { return !c.Empty() && len(c.exact) > 0 }

// meet narrows c by another condition that must hold as well.
func (c Constraint) meet(d Constraint) Constraint {
	return Constraint{c.set.intersect(d.set), append(c.exact, d.exact...), append(c.prefix, d.prefix...)}
}

// prefixOf takes ".*" off a version pattern.
func prefixOf(pattern string) (string, bool) { return strings.CutSuffix(pattern, ".*") }

// versionAt parses s[start:end] and reports errors as positions in s.
func versionAt(s string, start, end int) (Version, error) {
	p := versionParser{s: s, i: start, end: end}
	err := p.parse()
	return p.v, err
}

// nextSibling is the release after all that begin with the numbers of v: 1.5 for 1.4.
func nextSibling(v Version) Version {
	next := Version{epoch: v.epoch, release: v.Release()}
	next.release[len(next.release)-1]++
	return next
}

// family is all versions whose release begins with the numbers of v.
func family(v Version) set {
	return between(beforeAll(Version{epoch: v.epoch, release: v.release}), beforeAll(nextSibling(v)))
}

// parent drops the last number of the release: ~=1.4.2 stays within 1.4.
func parent(v Version) Version {
	return Version{epoch: v.epoch, release: v.release[:len(v.release)-1]}
}

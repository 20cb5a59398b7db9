package requirement

// Constraint is the set of versions that a requirement allows. The zero Constraint allows none. A Constraint is about
// the order of versions, not about which ones were published.
type Constraint struct {
	set    set
	exact  []Version // versions named by == or by conda's "1.2"
	prefix []Version // versions named by ==1.2.* or by conda's =1.2
}

// maxClauses is the maximum number of clauses, separated by "," or "|", in a constraint: each may double the work. Real
// ones have up to three.
const maxClauses = 64

// ParseConstraint parses the version part of a requirement in its manager's grammar. Empty text allows everything.
//
// Pip follows PEP 440: "<2.1" excludes 2.1rc1, and "==1.4" includes 1.4+cpu. That pip skips pre-releases unless they
// are requested is not modelled. In conda, "=1.2" and "1.2.*" mean any 1.2, "1.2" and "==1.2" mean that one version,
// and "<2.1" includes 2.1rc1; "," binds tighter than "|". Conda can compare any text, but here its versions must follow
// PEP 440. The two orders agree on plain numbers, and on pre- and post-releases of the same numbers; only conda orders
// 1.0a0 before 1.0.dev0 and 1.0+x before 1.0, and distinguishes 1.0rc1 from 1rc1.
//
// The error is a *ParseError. It is also returned for what is valid but cannot be evaluated, such as conda's regular
// expressions and versions like 1.0.2k, and for what pip rejects, such as "=1.0" and ">1.18.*".
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

// Overlaps reports whether any allowed version is also allowed by within. A constraint without conditions overlaps
// everything except the empty set. Parse both with the same manager: "<2.1" is a different set in pip and in conda.
func (c Constraint) Overlaps(within Constraint) bool { return len(c.set.intersect(within.set)) > 0 }

// Within reports whether outer allows all allowed versions. It is true for a constraint that allows nothing.
func (c Constraint) Within(outer Constraint) bool {
	return len(c.set.intersect(outer.set.complement())) == 0
}

// Empty reports whether no version is allowed, as in "==1.0,==2.0".
func (c Constraint) Empty() bool { return len(c.set) == 0 }

// Pin returns the version that the constraint names: 1.4.0 for "==1.4.0" (and conda's "1.4.0"), 1.4 for "==1.4.*" (and
// conda's "=1.4"). The result is false if the constraint allows nothing, has alternatives ("1.2|1.3"), or only bounds
// the version. If there are several pins, it returns the narrowest.
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

// Exact reports whether Pin is a whole version, not a prefix.
func (c Constraint) Exact() bool { return !c.Empty() && len(c.exact) > 0 }

// meet returns the intersection of c and d.
func (c Constraint) meet(d Constraint) Constraint {
	return Constraint{c.set.intersect(d.set), append(c.exact, d.exact...), append(c.prefix, d.prefix...)}
}

// versionAt parses s[start:end] and reports errors as positions in s.
func versionAt(s string, start, end int) (Version, error) {
	p := versionParser{s: s, i: start, end: end}
	err := p.parse()
	return p.v, err
}

// family returns the set of all versions whose release begins with the numbers of v.
func family(v Version) set {
	next := Version{epoch: v.epoch, release: v.Release()}
	next.release[len(next.release)-1]++ // the first release after all of them: 1.5 for 1.4
	return between(beforeAll(Version{epoch: v.epoch, release: v.release}), beforeAll(next))
}

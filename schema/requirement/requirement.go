package requirement

import "strings"

// Part is the half-open byte range [Start, End) of one part of a parsed string. Start equals End if the part is absent.
type Part struct{ Start, End int }

// Empty reports whether the part is absent.
func (p Part) Empty() bool { return p.Start == p.End }

// Manager is the package manager that reads a requirement.
type Manager uint8

// The package managers of a conda file.
const (
	Pip   Manager = iota // items of the nested pip list, in the grammar of a requirements file
	Conda                // items of dependencies, in the grammar of a conda match specification
)

// String returns the manager's command: "pip" or "conda".
func (m Manager) String() string {
	if m == Conda {
		return "conda"
	}
	return "pip"
}

// Parse reads an item of the manager's list: see ParsePip and ParseConda.
func (m Manager) Parse(s string) (Requirement, error) {
	if m == Conda {
		return ParseConda(s)
	}
	return ParsePip(s)
}

// Kind says what a requirement refers to.
type Kind uint8

// The kinds of requirement.
const (
	Package Kind = iota // a name, resolved by the package manager
	URL                 // a direct URL, with or without a name
	Path                // a file or folder, as seen where the environment is built
	Option              // a pip option such as --extra-index-url
)

// String returns the English word for the kind.
func (k Kind) String() string {
	return [...]string{"package", "url", "path", "option"}[k]
}

// Requirement is one parsed list item. Text fields are as written unless stated otherwise, and each XPart covers
// exactly field X in Raw, so that an edit can replace a single part. After an error, the fields have what was parsed
// before it.
type Requirement struct {
	Manager Manager
	Kind    Kind
	// SingleEquals marks a pip item such as "x=1.0", which pip rejects: "==" was meant. Constraint is then "=1.0".
	SingleEquals bool

	Raw string
	// Name is the package's name as written: before the version, before "@", or after "#egg=". It is empty for a bare
	// URL or path, even of a wheel: see Wheel for its name.
	Name string
	// Key is Name in normal form: PEP 503 (lower case, runs of "-_." as one "-") for pip, lower case for conda.
	Key        string
	Constraint string // versions, with operators, as in "==1.4.0", "=3.5.2", "3.5.*", ">=1.2, <2"
	Build      string // conda build string or glob

	NamePart       Part
	ConstraintPart Part
	BuildPart      Part

	// Details is what few items of a list of thousands have. It is never nil, may be shared and must not be changed.
	*Details
}

// Details are the fields of a Requirement beside name, versions and build.
type Details struct {
	Channel string // conda channel, with its subdirectory or URL if given
	Marker  string // PEP 508 environment marker, after ";"
	Wheel   *Wheel // set if URL or Path ends in a wheel file name; its parts are positions in Raw

	// Option is the option of kind Option, or the -e or --editable before a URL or Path.
	Option      string
	OptionValue string   // without quotes; empty for a switch, and for an option without its value
	Extras      []string // pip extras, without spaces; nil if there are no brackets
	URL         string   // with query and fragment; may contain secrets
	Path        string   // the file or folder
	Fragment    string   // what follows "#" in URL
	// Flags are unparsed pip options that follow on the same line, such as "--hash=sha256:…".
	Flags string
	// Digest is the hash that conda verifies, as "md5=…" or "sha256=…". Pip's hashes are in Flags and Fragment; see
	// Hashed.
	Digest string

	ExtrasPart      Part // with the brackets
	ChannelPart     Part
	URLPart         Part
	PathPart        Part
	OptionValuePart Part
}

// none are the details of a requirement that has none.
var none Details

// Named returns the requirement for any version of a package; key is name in normal form.
func Named(name, key string) Requirement {
	return Requirement{Raw: name, Name: name, Key: key, Details: &none}
}

// Versions returns the set of versions that the requirement allows, which is all versions if none is given. The error
// says why the versions cannot be evaluated; callers should then report nothing.
func (r *Requirement) Versions() (Constraint, error) {
	text := r.Constraint
	if r.Manager == Conda && r.Build != "" && !r.inBrackets(r.ConstraintPart) && !r.inBrackets(r.BuildPart) {
		// Before a build string, conda reads "=1.2" as exactly 1.2.
		if rest, ok := strings.CutPrefix(text, "="); ok && !strings.ContainsAny(rest, "=,|") {
			text = strings.TrimLeft(rest, spaces)
		}
	}
	return ParseConstraint(r.Manager, text)
}

// Pin returns the version that the requirement names; see Constraint.Pin.
func (r *Requirement) Pin() (Version, bool) {
	if v, ok := r.plainPin(); ok {
		return v, true
	}
	versions, err := r.Versions()
	if err != nil {
		return Version{}, false
	}
	return versions.Pin()
}

// plainPin returns the version of "==1.2" and of conda's "=1.2", as most items have it, without working out which
// versions that allows.
func (r *Requirement) plainPin() (Version, bool) {
	text, ok := strings.CutPrefix(r.Constraint, "==")
	if !ok && r.Manager == Conda {
		text, ok = strings.CutPrefix(text, "=")
	}
	if !ok || strings.Trim(text, "0123456789.") != "" {
		return Version{}, false
	}
	v, err := versionAt(text, 0, len(text))
	return v, err == nil
}

// inBrackets reports whether a part of a conda requirement was given as name[key=value].
func (r *Requirement) inBrackets(p Part) bool {
	open := strings.IndexByte(r.Raw, '[')
	return r.Manager == Conda && open >= 0 && p.Start > open
}

// cut returns the text of a part and the part itself.
func cut(s string, start, end int) (string, Part) { return s[start:end], Part{start, end} }

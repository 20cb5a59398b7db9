package requirement

import (
	"strconv"
	"strings"
)

// Flavour is what the build string of a conda package says about GPUs.
type Flavour struct {
	// Kind is CPU or GPU, or UnknownFlavour if the build string does not say.
	Kind FlavourKind
	// CUDA is the version that the build was made for, such as "11.2" or "12"; empty if the build string does not say.
	CUDA string
}

// FlavourKind distinguishes the builds of a package.
type FlavourKind int

// The kinds of build.
const (
	UnknownFlavour FlavourKind = iota
	CPU
	GPU
)

// Flavour parses the build string of a conda requirement: gpu_py35hd9c640d_0, mkl_py36…, eigen_…, cpu_py38…,
// cuda118py310…, py3.7_cuda10.1_cudnn7…, py38_cu113, and globs of those. "mkl" and "eigen" mean CPU only for packages
// that also have GPU builds, which the caller has to know.
func (r *Requirement) Flavour() Flavour {
	if r.Manager != Conda || r.Build == "" {
		return Flavour{}
	}
	return buildFlavour(strings.ToLower(r.Build))
}

func buildFlavour(build string) Flavour {
	if strings.HasPrefix(build, "^") && strings.ContainsAny(build, "|?!") {
		return Flavour{} // a regular expression, which may exclude what it names
	}
	if cuda, ok := cudaIn(build); ok {
		if strings.HasPrefix(cuda, "0") { // "cuda0.0" is how builds without CUDA were named
			return Flavour{Kind: CPU}
		}
		return Flavour{Kind: GPU, CUDA: cuda}
	}
	before, _, ok := strings.Cut(build, "gpu")
	switch {
	case ok && !strings.HasSuffix(strings.TrimRight(before, "_-."), "no"):
		return Flavour{Kind: GPU}
	case ok, strings.Contains(build, "cpu"), strings.Contains(build, "mkl"), strings.Contains(build, "eigen"):
		return Flavour{Kind: CPU}
	}
	return Flavour{}
}

// cudaIn returns the version after "cuda" or "cu", which may be empty; ok is false if there is neither.
func cudaIn(build string) (version string, ok bool) {
	if _, rest, found := strings.Cut(build, "cuda"); found {
		digits := leadingVersion(rest)
		if digits == "" && len(rest) > 2 && rest[0] == '_' {
			// "cuda_11_py38" has a version, "cuda_0" the number of the build
			if digits = leadingVersion(rest[1:]); len(digits) < 2 || len(digits) > 3 {
				digits = ""
			}
		}
		return dottedCUDA(digits), true
	}
	for word := range strings.FieldsFuncSeq(build, func(r rune) bool { return r == '_' || r == '*' }) {
		if digits, found := strings.CutPrefix(word, "cu"); found && len(digits) > 1 && leadingVersion(digits) == digits {
			return dottedCUDA(digits), true
		}
	}
	return "", false
}

// leadingVersion returns the digits and dots at the beginning of s.
func leadingVersion(s string) string {
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '.') {
		n++
	}
	return strings.TrimRight(s[:n], ".")
}

// dottedCUDA converts 112 to 11.2, 92 to 9.2, and 9.0.176 to 9.0, and leaves 11 unchanged.
func dottedCUDA(digits string) string {
	if parts := strings.SplitN(digits, ".", 3); len(parts) > 1 {
		return parts[0] + "." + parts[1]
	}
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil:
		return ""
	case n >= 60 && len(digits) == 2, len(digits) == 3:
		return digits[:len(digits)-1] + "." + digits[len(digits)-1:]
	}
	return digits
}

// ChannelName returns the name of a conda requirement's channel without URL and subdirectory: "conda-forge" for
// "conda-forge/linux-64" and for "https://conda.anaconda.org/conda-forge". The parts of conda's own channel (main,
// free, anaconda, …) are all "defaults". It is empty if no channel is given.
func (r *Requirement) ChannelName() string { return ChannelName(r.Channel) }

// ChannelName returns the name of a channel as written in a conda file; see Requirement.ChannelName.
func ChannelName(channel string) string {
	name := strings.ToLower(strings.TrimSpace(channel))
	if i := schemeEnd(name, 0, len(name)); i > 0 {
		_, name, _ = strings.Cut(strings.TrimPrefix(name[i:], "//"), "/")
	}
	name = strings.Trim(name, "/")
	if parts := strings.Split(name, "/"); len(parts) > 1 {
		if last := parts[len(parts)-1]; last == "noarch" || strings.HasPrefix(last, "linux-") || strings.HasPrefix(last, "win-") || strings.HasPrefix(last, "osx-") {
			name = strings.Join(parts[:len(parts)-1], "/")
		}
	}
	switch strings.TrimPrefix(name, "pkgs/") {
	case "main", "free", "pro", "r", "msys2", "anaconda", "defaults":
		return "defaults"
	}
	return name
}

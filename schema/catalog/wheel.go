package catalog

// The flavours in which CNTK wheels were published: a path segment of the URL, not part of the file name.
const (
	FlavourCPU     = "CPU-Only"
	FlavourGPU     = "GPU"
	Flavour1BitSGD = "GPU-1bit-SGD"
)

// The platforms for which CNTK wheels were published.
const (
	PlatformLinux   = "linux_x86_64"
	PlatformWindows = "win_amd64"
)

// Wheel is one CNTK wheel on cntk.ai.
type Wheel struct {
	Flavour string
	// Dist is the distribution in the file name: cntk, or cntk_gpu for the GPU flavour from 2.5.
	Dist, Version, PythonTag, ABITag, Platform string
	URL                                        string
	// Published is false for a wheel that ParseCNTKURL parsed but the vendor's tables do not list.
	Published bool
	// Superseded wheels were listed for a short time under a name that another wheel later took over.
	Superseded bool
	Origin
}

// wheelKey identifies a wheel; the ABI follows from the Python tag and the platform (cp27mu on Linux, cp27m on
// Windows).
type wheelKey struct{ flavour, version, python, platform string }

var (
	wheelRows  = load("wheels", parseWheel)
	wheelByURL = index(wheelRows, func(w Wheel) string {
		key, _ := urlKey(w.URL)
		return key
	})
	wheelByKey = index(currentWheels, func(w Wheel) wheelKey {
		return wheelKey{w.Flavour, w.Version, w.PythonTag, w.Platform}
	})
)

func parseWheel(r record) Wheel {
	w := Wheel{
		Flavour: r.text("flavour"), Dist: r.text("dist"), Version: r.text("version"), PythonTag: r.text("python_tag"),
		ABITag: r.text("abi_tag"), Platform: r.text("platform"), Published: true, Superseded: r.yes("superseded"),
		Origin: r.origin(),
	}
	w.URL = "https://cntk.ai/PythonWheel/" + w.Flavour + "/" +
		w.Dist + "-" + w.Version + "-" + w.PythonTag + "-" + w.ABITag + "-" + w.Platform + ".whl"
	return w
}

// currentWheels returns all wheels but the superseded ones, so that no variant leads to one.
func currentWheels() []Wheel {
	var current []Wheel
	for _, w := range wheelRows() {
		if !w.Superseded {
			current = append(current, w)
		}
	}
	return current
}

// LookupWheel returns the published wheel at a URL. The scheme (http or https), the host's case, the query and the
// fragment do not matter. The host may no longer serve the file.
func LookupWheel(url string) (Wheel, bool) {
	key, ok := urlKey(url)
	if !ok {
		return Wheel{}, false
	}
	w, ok := wheelByURL()[key]
	return w, ok
}

// WheelVariant returns the published wheel with the same version and Python but the given flavour and platform. The
// distribution name and the ABI tag change accordingly: cntk to cntk_gpu from 2.5, cp27m to cp27mu on Linux.
func WheelVariant(w Wheel, flavour, platform string) (Wheel, bool) {
	v, ok := wheelByKey()[wheelKey{flavour, w.Version, w.PythonTag, platform}]
	return v, ok
}

// WheelForPython returns the published wheel with the same flavour, version and platform for another Python tag, such
// as cp35.
func WheelForPython(w Wheel, pythonTag string) (Wheel, bool) {
	v, ok := wheelByKey()[wheelKey{w.Flavour, w.Version, pythonTag, w.Platform}]
	return v, ok
}

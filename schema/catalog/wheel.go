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
// Windows). No variant leads to a superseded wheel.
type wheelKey struct {
	flavour, version, python, platform string
	superseded                         bool
}

var (
	wheelRows = &table[Wheel]{name: "wheels", finish: func(_ record, w *Wheel) {
		w.Published = true
		w.URL = "https://cntk.ai/PythonWheel/" + w.Flavour + "/" +
			w.Dist + "-" + w.Version + "-" + w.PythonTag + "-" + w.ABITag + "-" + w.Platform + ".whl"
	}}
	wheelByURL = &index[string, Wheel]{rows: wheelRows, key: func(w Wheel) string {
		key, _ := urlKey(w.URL)
		return key
	}}
	wheelByKey = &index[wheelKey, Wheel]{rows: wheelRows, key: func(w Wheel) wheelKey {
		return wheelKey{w.Flavour, w.Version, w.PythonTag, w.Platform, w.Superseded}
	}}
)

// LookupWheel returns the published wheel at a URL. The scheme (http or https), the host's case, its www, the query and
// the fragment do not matter. The host may no longer serve the file.
func LookupWheel(url string) (Wheel, bool) {
	key, ok := urlKey(url)
	if !ok {
		return Wheel{}, false
	}
	return wheelByURL.find(key)
}

// WheelVariant returns the published wheel with the same version and Python but the given flavour and platform. The
// distribution name and the ABI tag change accordingly: cntk to cntk_gpu from 2.5, cp27m to cp27mu on Linux.
func WheelVariant(w Wheel, flavour, platform string) (Wheel, bool) {
	return wheelByKey.find(wheelKey{flavour, w.Version, w.PythonTag, platform, false})
}

// WheelForPython returns the published wheel with the same flavour, version and platform for another Python tag, such
// as cp35.
func WheelForPython(w Wheel, pythonTag string) (Wheel, bool) {
	return wheelByKey.find(wheelKey{w.Flavour, w.Version, pythonTag, w.Platform, false})
}

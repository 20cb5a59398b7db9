package catalog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/testkit"
)

const wheelBase = "https://cntk.ai/PythonWheel/"

func TestLookupWheel(t *testing.T) {
	const url = wheelBase + "CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl"
	want := Wheel{
		Flavour: FlavourCPU, Dist: "cntk", Version: "2.1", PythonTag: "cp35", ABITag: "cp35m", Platform: PlatformLinux,
		URL: url, Published: true,
		Origin: Origin{Source: "cognitive-toolkit-docs Setup-Linux-Python.md, git history", Seen: "2026-11-20", Certainty: Sourced},
	}
	for _, spelling := range []string{
		url, strings.Replace(url, "https", "HTTP", 1), strings.Replace(url, "cntk.ai", "www.CNTK.ai", 1), url + "?x=1", url + "#egg=cntk",
		url + "#a?b", url + "?a#b",
	} {
		got, ok := LookupWheel(spelling)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("LookupWheel(%s) = %v (-want +got):\n%s", spelling, ok, diff)
		}
	}
	for _, other := range []string{
		"", "cntk", "://", "https://", "https:///PythonWheel", strings.ToLower(url), "ftp" + strings.TrimPrefix(url, "https"), url + "/",
		"https://user@cntk.ai" + strings.TrimPrefix(url, "https://cntk.ai"), strings.Replace(url, "2.1", "2.1.1", 1),
		strings.Replace(url, "cntk.ai", "example.com", 1), strings.Replace(url, "cntk.ai", "cntk.ai.example.com", 1),
		"https://store.example.com/cntk/cntk-2.1-cp35-cp35m-linux_x86_64.whl",
	} {
		if w, ok := LookupWheel(other); ok {
			t.Errorf("LookupWheel(%q) = %+v, want nothing", other, w)
		}
	}
}

func TestWheelVariant(t *testing.T) {
	tests := []struct{ from, flavour, platform, want string }{
		{"CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl", FlavourGPU, PlatformLinux, "GPU/cntk-2.1-cp35-cp35m-linux_x86_64.whl"},
		{"CPU-Only/cntk-2.2-cp35-cp35m-win_amd64.whl", FlavourGPU, PlatformLinux, "GPU/cntk-2.2-cp35-cp35m-linux_x86_64.whl"},
		{"CPU-Only/cntk-2.4-cp36-cp36m-linux_x86_64.whl", Flavour1BitSGD, PlatformLinux, "GPU-1bit-SGD/cntk-2.4-cp36-cp36m-linux_x86_64.whl"},
		{"CPU-Only/cntk-2.5-cp35-cp35m-linux_x86_64.whl", FlavourGPU, PlatformLinux, "GPU/cntk_gpu-2.5-cp35-cp35m-linux_x86_64.whl"},
		{"CPU-Only/cntk-2.7.post1-cp35-cp35m-linux_x86_64.whl", FlavourGPU, PlatformLinux, "GPU/cntk_gpu-2.7.post1-cp35-cp35m-linux_x86_64.whl"},
		{"GPU/cntk_gpu-2.5.1-cp35-cp35m-win_amd64.whl", FlavourGPU, PlatformLinux, "GPU/cntk_gpu-2.5.1-cp35-cp35m-linux_x86_64.whl"},
		{"GPU/cntk_gpu-2.6-cp27-cp27m-win_amd64.whl", FlavourCPU, PlatformLinux, "CPU-Only/cntk-2.6-cp27-cp27mu-linux_x86_64.whl"},
		{"CPU-Only/cntk-2.0-cp27-cp27mu-linux_x86_64.whl", FlavourCPU, PlatformWindows, "CPU-Only/cntk-2.0-cp27-cp27m-win_amd64.whl"},
		{"GPU/cntk-2.5-cp35-cp35m-linux_x86_64.whl", FlavourGPU, PlatformLinux, "GPU/cntk_gpu-2.5-cp35-cp35m-linux_x86_64.whl"},
		{"CPU-Only/cntk-2.5-cp35-cp35m-linux_x86_64.whl", Flavour1BitSGD, PlatformLinux, ""},
		{"CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl", "gpu", PlatformLinux, ""},
		{"CPU-Only/cntk-2.1-cp35-cp35m-linux_x86_64.whl", FlavourGPU, "macosx", ""},
		{"CPU-Only/cntk-2.8-cp35-cp35m-linux_x86_64.whl", FlavourGPU, PlatformLinux, ""},
	}
	for _, test := range tests {
		w, ok := ParseCNTKURL(wheelBase + test.from)
		if !ok {
			t.Errorf("ParseCNTKURL(%s) failed", test.from)
		}
		got, _ := WheelVariant(w, test.flavour, test.platform)
		testkit.Same(t, test.want, strings.TrimPrefix(got.URL, wheelBase), "%s to %s on %s", test.from, test.flavour, test.platform)
	}
}

func TestWheelForPython(t *testing.T) {
	tests := []struct{ from, tag, want string }{
		{"GPU/cntk-2.3-cp36-cp36m-linux_x86_64.whl", "cp35", "GPU/cntk-2.3-cp35-cp35m-linux_x86_64.whl"},
		{"GPU/cntk-2.3-cp36-cp36m-linux_x86_64.whl", "cp27", "GPU/cntk-2.3-cp27-cp27mu-linux_x86_64.whl"},
		{"GPU/cntk_gpu-2.7-cp36-cp36m-linux_x86_64.whl", "cp34", ""},
		{"GPU/cntk_gpu-2.7-cp36-cp36m-linux_x86_64.whl", "cp37", ""},
	}
	for _, test := range tests {
		w, _ := LookupWheel(wheelBase + test.from)
		got, _ := WheelForPython(w, test.tag)
		testkit.Same(t, test.want, strings.TrimPrefix(got.URL, wheelBase), "%s for %s", test.from, test.tag)
	}
}

// TestEveryWheel checks that each wheel is found by its URL, and that going to another flavour, platform or Python and
// back leads to the same wheel (or, from a superseded one, to its successor).
func TestEveryWheel(t *testing.T) {
	if n := len(wheelRows.all()); n != 264 {
		t.Errorf("%d wheels, want 264", n)
	}
	superseded := 0
	for _, w := range wheelRows.all() {
		if got, ok := LookupWheel(w.URL); !ok || got != w {
			t.Errorf("LookupWheel(%s) = %+v, %v", w.URL, got, ok)
		}
		self, ok := WheelVariant(w, w.Flavour, w.Platform)
		if w.Superseded {
			superseded++
		}
		if !ok || (self == w) == w.Superseded || self.Superseded {
			t.Errorf("%s stands for %s", w.URL, self.URL)
		}
		for _, flavour := range []string{FlavourCPU, FlavourGPU, Flavour1BitSGD} {
			for _, platform := range []string{PlatformLinux, PlatformWindows} {
				v, ok := WheelVariant(w, flavour, platform)
				if !ok && flavour != Flavour1BitSGD {
					t.Errorf("%s has no %s wheel on %s", w.URL, flavour, platform)
				}
				if !ok {
					continue
				}
				if back, _ := WheelVariant(v, w.Flavour, w.Platform); back != self {
					t.Errorf("%s: by %s back to %s", w.URL, v.URL, back.URL)
				}
			}
		}
		for _, tag := range []string{"cp27", "cp34", "cp35", "cp36"} {
			if v, ok := WheelForPython(w, tag); ok {
				if back, _ := WheelForPython(v, w.PythonTag); back != self {
					t.Errorf("%s: by %s back to %s", w.URL, v.URL, back.URL)
				}
			}
		}
	}
	if superseded != 6 {
		t.Errorf("%d superseded wheels, want the 6 of GPU/cntk-2.5", superseded)
	}
}

func TestParseCNTKURL(t *testing.T) {
	const url = wheelBase + "GPU/cntk-2.8-cp37-cp37m-linux_x86_64.whl"
	want := Wheel{
		Flavour: FlavourGPU, Dist: "cntk", Version: "2.8", PythonTag: "cp37", ABITag: "cp37m", Platform: PlatformLinux, URL: url,
	}
	got, ok := ParseCNTKURL("http://CNTK.ai/PythonWheel/GPU/cntk-2.8-cp37-cp37m-linux_x86_64.whl?x#y")
	if diff := cmp.Diff(want, got); !ok || diff != "" {
		t.Errorf("ParseCNTKURL = %v (-want +got):\n%s", ok, diff)
	}
	if w, ok := ParseCNTKURL(wheelBase + "GPU/cntk-2.2-cp35-cp35m-linux_x86_64.whl"); !ok || !w.Published {
		t.Errorf("a published wheel gives %+v, %v", w, ok)
	}
	for _, bad := range []string{
		"", wheelBase, wheelBase + "GPU/", wheelBase + "gpu/cntk-2.8-cp37-cp37m-linux_x86_64.whl",
		wheelBase + "GPU/cntk-2.8-cp37-linux_x86_64.whl", wheelBase + "GPU/cntk-2.8-cp37-cp37m-linux_x86_64.zip",
		wheelBase + "GPU/cntk--cp37-cp37m-linux_x86_64.whl", wheelBase + "GPU/x/cntk-2.8-cp37-cp37m-linux_x86_64.whl",
		wheelBase + "GPU/cntk-2.8 -cp37-cp37m-linux_x86_64.whl", strings.Replace(url, "cntk.ai", "example.com", 1),
	} {
		if w, ok := ParseCNTKURL(bad); ok {
			t.Errorf("ParseCNTKURL(%q) = %+v, want nothing", bad, w)
		}
	}
}

func FuzzWheelURL(f *testing.F) {
	f.Add(wheelBase + "GPU/cntk-2.2-cp35-cp35m-linux_x86_64.whl#egg")
	f.Add("HTTPS://cntk.ai/PythonWheel/CPU-Only/cntk-9-cp35-cp35m-win_amd64.whl")
	f.Add("://?#")
	f.Fuzz(func(t *testing.T, url string) {
		w, ok := ParseCNTKURL(url)
		if !ok {
			return
		}
		again, ok := ParseCNTKURL(w.URL)
		if !ok || again != w {
			t.Errorf("ParseCNTKURL(%q) gives %+v, whose URL gives %+v", url, w, again)
		}
		if _, listed := LookupWheel(url); listed != w.Published {
			t.Errorf("%q: published %v, listed %v", url, w.Published, listed)
		}
	})
}

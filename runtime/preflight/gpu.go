package preflight

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
)

// GPU is one GPU as nvidia-smi lists it.
type GPU struct {
	Name       string
	Driver     string // empty: not known
	Capability string // the compute capability, "7.5"; empty: not known, because the driver is from before 2021 and the GPU is not in the catalog
	StandIn    bool   // a stand-in of a test reported it
}

// newQuery holds the nvidia-smi arguments whose output parseGPUs parses. Old drivers do not know its last field and
// need oldQuery.
var (
	newQuery = []string{"nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"}
	oldQuery = []string{"nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"}
)

// parseGPUs parses the output of nvidia-smi, one GPU per line; it skips malformed lines.
func parseGPUs(text string) (gpus []GPU) {
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		for i := range fields {
			fields[i] = strings.TrimSpace(fields[i])
		}
		if len(fields) < 2 || len(fields) > 3 || fields[0] == "" || !isVersion(fields[1]) {
			continue
		}
		g := GPU{Name: fields[0], Driver: fields[1], StandIn: strings.Contains(strings.ReplaceAll(fields[0], "-", ""), "STANDIN")}
		if len(fields) == 3 && isVersion(fields[2]) {
			g.Capability = fields[2]
		} else if known, ok := catalog.LookupGPU(g.Name); ok {
			g.Capability = known.Capability
		}
		gpus = append(gpus, g)
	}
	return gpus
}

func isVersion(text string) bool {
	return text != "" && strings.Trim(text, "0123456789.") == "" && strings.Contains(text, ".")
}

// describe names the GPUs, grouping equal ones, and the driver.
func describe(gpus []GPU) string {
	var parts []string
	for i := 0; i < len(gpus); {
		n := 1
		for i+n < len(gpus) && gpus[i+n].Name == gpus[i].Name {
			n++
		}
		text := gpus[i].Name
		if n > 1 {
			text = fmt.Sprintf("%d × %s", n, text)
		}
		parts = append(parts, text)
		i += n
	}
	text := strings.Join(parts, ", ") + ", driver " + gpus[0].Driver
	if gpus[0].StandIn {
		text = "STAND-IN, not a real GPU: " + text
	}
	return text
}

// Software is something built with a specific CUDA version.
type Software struct {
	Name string // in a sentence: "image x:1"
	CUDA string // such as "8.0.61"
	From string // the source of the version
	// Another says what to use instead, such as "an image".
	Another string
}

// checkDriver compares the driver with what the software's CUDA version needs.
func checkDriver(s Software, driver string) Result {
	need, ok := catalog.MinDriver(s.CUDA)
	if !ok || driver == "" {
		return Result{Topic: Driver, Status: Unknown, Text: fmt.Sprintf("which driver CUDA %s of %s needs is not known", s.CUDA, s.Name)}
	}
	least := need.Min
	if need.MinCompat != "" {
		least = need.MinCompat
	}
	if catalog.CompareVersions(driver, least) >= 0 {
		return Result{Topic: Driver, Status: OK, Text: fmt.Sprintf("driver %s is new enough for CUDA %s, which requires %s", driver, s.CUDA, least)}
	}
	r := Result{Topic: Driver, Status: Failed,
		Text: fmt.Sprintf("driver %s is too old for CUDA %s of %s (%s), which needs %s", driver, s.CUDA, s.Name, s.From, least),
		Next: fmt.Sprintf("update the driver, or use %s with an older CUDA version", s.Another)}
	if catalog.CompareVersions(s.CUDA, "10.0") >= 0 { // from this version on, NVIDIA's cuda-compat package may lift the limit
		r.Status = Doubtful
	}
	return r
}

// checkArchitecture compares each kind of GPU with the architectures for which the software's CUDA version has machine
// code.
func checkArchitecture(s Software, gpus []GPU) (results []Result) {
	seen := map[string]bool{}
	for _, g := range gpus {
		if seen[g.Capability] {
			continue
		}
		seen[g.Capability] = true
		r := Result{Topic: CUDA, Status: OK, Text: fmt.Sprintf("CUDA %s of %s has machine code for %s", s.CUDA, s.Name, g.Name)}
		first, last, ok := catalog.CUDAFor(g.Capability)
		switch {
		case !ok:
			r.Status, r.Text = Unknown, fmt.Sprintf("whether CUDA %s of %s runs on %s is not known", s.CUDA, s.Name, g.Name)
		case catalog.CompareVersions(s.CUDA, first) < 0:
			r.Status = Doubtful
			r.Text = fmt.Sprintf("%s (compute capability %s) needs CUDA %s or later, but %s has CUDA %s (%s), which contains no machine code for it: a job falls back to the CPU, compiles for minutes, or fails",
				g.Name, g.Capability, first, s.Name, s.CUDA, s.From)
			r.Next = fmt.Sprintf("use %s with CUDA %s or later, and packages built for it", s.Another, first)
			if older := catalog.GPUsFor(s.CUDA); len(older) > 0 {
				r.Next += "; or a machine with an older GPU: " + strings.Join(older, ", ")
			}
		case last > 0 && catalog.CompareVersions(s.CUDA, strconv.Itoa(last+1)) >= 0:
			r.Status = Doubtful
			r.Text = fmt.Sprintf("%s (compute capability %s) is supported by CUDA up to %d, but %s has CUDA %s (%s)", g.Name, g.Capability, last, s.Name, s.CUDA, s.From)
			r.Next = fmt.Sprintf("use %s with CUDA %d or older, or a machine with a newer GPU", s.Another, last)
		}
		results = append(results, r)
	}
	return results
}

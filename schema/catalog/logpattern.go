package catalog

// Verdict is what a log line says about the GPU.
type Verdict string

// The verdicts of LogPattern, a closed set.
const (
	VerdictGPUUsed         Verdict = "gpu-used"         // a framework put work on a GPU
	VerdictGPUPresent      Verdict = "gpu-present"      // a GPU was seen
	VerdictGPULibraries    Verdict = "gpu-libs-ok"      // the CUDA libraries were loaded
	VerdictCPUOnly         Verdict = "cpu-only"         // the run says that it uses the CPU
	VerdictCPUBuild        Verdict = "cpu-build"        // the framework is a CPU build
	VerdictCPUFallback     Verdict = "cpu-fallback"     // a GPU build fell back to the CPU
	VerdictMissingLibrary  Verdict = "missing-lib"      // a CUDA library of the right version is missing
	VerdictNoDriver        Verdict = "no-driver"        // no NVIDIA driver is loaded
	VerdictDriverTooOld    Verdict = "driver-too-old"   // the driver is older than CUDA requires
	VerdictNoGPU           Verdict = "no-gpu"           // no GPU is visible
	VerdictArchUnsupported Verdict = "arch-unsupported" // the build has no code for this GPU
	VerdictOutOfMemory     Verdict = "out-of-memory"    // the GPU was used until its memory ran out
	VerdictNotNVIDIA       Verdict = "not-nvidia"       // looks like success, but on another vendor's GPU
	VerdictEngineError     Verdict = "engine-error"     // the container engine could not offer a GPU
	VerdictInconclusive    Verdict = "inconclusive"     // mentions a GPU but proves nothing
	VerdictOther           Verdict = "other"            // a known message that is not about the GPU
)

// LogPattern recognises one message in the output of a run.
type LogPattern struct {
	ID        string
	Framework string
	// Versions is a plain range for people, such as <=1.4.
	Versions string
	Verdict  Verdict
	// Lines is how many lines a match may span.
	Lines int
	// Regexp is in RE2 syntax; it is not compiled here. Groups are named: gpu, index, bus, capability, lib, …
	Regexp string
	// Example is text that Regexp matches.
	Example string
	Origin
}

var logPatternRows = &table[LogPattern]{name: "log_patterns"}

// LogPatterns returns the patterns in order of precedence: errors that end a run, lines that only look like success,
// use of a GPU, signs of the CPU, presence of a GPU or its libraries, then the rest. To get one verdict for a log, take
// the first pattern that matches anywhere: a framework may see a GPU and still not use it.
func LogPatterns() []LogPattern {
	return logPatternRows.all()
}

// Package evidence reads the output of a run as it arrives and determines what it proves about the GPU. It knows what
// frameworks print; a framework that prints nothing leaves no evidence, which is not the same as running on the CPU.
package evidence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
)

// Level is how much the log proves.
type Level int

// The levels.
const (
	None    Level = iota // no proof either way
	CPU                  // the job says that it did not or could not use a GPU
	Visible              // the job saw a GPU; whether it used the GPU is open
	Used                 // the job put work on a GPU
)

// Verdict is what a log proves, and the line that proves it.
type Verdict struct {
	Level     Level
	Kind      catalog.Verdict // of the pattern that decided; empty when none matched
	Pattern   string          // its ID
	Framework string
	GPUs      []string // names of the GPUs that were used or seen, one per device; empty if the log does not name them
	Line      int      // where the evidence starts, counted from 1 over both streams; 0: nowhere
	Quote     string   // the matched text, shortened to one line
	StandIn   bool     // the log says that a stand-in replaces a GPU: the verdict is about a test
	Lines     int      // lines read
	Peak      Peak     // what nvidia-smi showed; without Samples it was not queried

	Pods string // what Whole says about several pods; empty: there is only one
}

// Proven reports whether a real GPU was used.
func (v Verdict) Proven() bool { return v.Level == Used && !v.StandIn }

// meaning is what a kind of evidence proves, and how to put it.
type meaning struct {
	level Level
	text  string
}

// meanings maps kinds of evidence to what they prove. Kinds that do not decide anything prove nothing.
func meanings() map[catalog.Verdict]meaning {
	return map[catalog.Verdict]meaning{
		catalog.VerdictGPUUsed:         {Used, ""},
		sampled:                        {Used, ""},
		catalog.VerdictOutOfMemory:     {Used, "its memory ran out"},
		catalog.VerdictGPUPresent:      {Visible, ""},
		catalog.VerdictCPUOnly:         {CPU, "the job says so"},
		catalog.VerdictCPUBuild:        {CPU, "the installed framework is a build without GPU support"},
		catalog.VerdictCPUFallback:     {CPU, "the framework found no usable GPU and continued without one"},
		catalog.VerdictMissingLibrary:  {CPU, "a CUDA library of the version that the framework needs is missing"},
		catalog.VerdictNoDriver:        {CPU, "no NVIDIA driver is loaded"},
		catalog.VerdictDriverTooOld:    {CPU, "the NVIDIA driver is too old for this CUDA"},
		catalog.VerdictNoGPU:           {CPU, "the job sees no GPU"},
		catalog.VerdictArchUnsupported: {CPU, "the framework's build does not support this GPU"},
		catalog.VerdictEngineError:     {CPU, "the container engine provided no GPU"},
		driverless:                     {CPU, "the machine where the job ran has no NVIDIA driver, so a line in the log that mentions a GPU proves nothing"},
	}
}

// driverless is the kind of evidence that a log has if the machine has no driver.
const driverless catalog.Verdict = "driverless"

// WithoutDriver returns the verdict for a machine without an NVIDIA driver: any program can print what a framework
// prints when it uses a GPU, but none can use one there. A verdict about a stand-in does not change.
func (v Verdict) WithoutDriver() Verdict {
	if v.Level < Visible || v.StandIn {
		return v
	}
	v.Level, v.Kind, v.GPUs = CPU, driverless, nil
	return v
}

// NeedsDriver reports whether the verdict rests on the log alone: it is not trusted if the machine has no driver.
func (v Verdict) NeedsDriver() bool { return v.Level >= Visible && !v.StandIn && v.Peak.Samples == 0 }

// Short returns the verdict in two words, which also start Sentence.
func (v Verdict) Short() string {
	return [...]string{None: "no evidence", CPU: "CPU only", Visible: "GPU visible", Used: "GPU used"}[v.Level]
}

// Sentence returns the verdict for people, with its basis, without a final full stop or newline.
func (v Verdict) Sentence() string {
	text := v.found()
	if v.Pods != "" {
		text = v.Pods
	}
	if v.StandIn {
		return "STAND-IN, not a real GPU: " + text
	}
	return text
}

func (v Verdict) found() string { return v.sentence() + v.Peak.showed() }

func (v Verdict) sentence() string {
	m := meanings()[v.Kind]
	switch v.Level {
	case Used:
		return "GPU used" + v.named() + comma(m.text) + v.source()
	case Visible:
		return "GPU visible to the framework" + v.named() + ", but nothing shows that it was used" + v.lacking() + v.source()
	case CPU:
		return "CPU only: " + m.text + v.source()
	case None: // the reason is added below
	}
	if v.Kind == catalog.VerdictGPULibraries {
		return "no evidence in the log that a GPU was used: the CUDA libraries were loaded, which is not proof" + v.source()
	}
	lines := "lines"
	if v.Lines == 1 {
		lines = "line"
	}
	return fmt.Sprintf("no evidence in the log of whether a GPU was used (%d %s read; some frameworks, such as PyTorch, print none)", v.Lines, lines)
}

// lacking returns why lines that name a GPU do not prove its use, and which lines would.
func (v Verdict) lacking() string {
	switch v.Framework {
	case "TensorFlow":
		return `: TensorFlow lists every GPU that it finds like this, and prints "Creating TensorFlow device" or, in later versions, "Created device" when it uses one`
	case "nvidia-smi":
		return ": nvidia-smi shows the GPUs of a machine, whoever uses them"
	}
	return ""
}

func comma(text string) string {
	if text == "" {
		return ""
	}
	return ", " + text
}

// named lists the GPUs, grouping equal ones: ": 2 × Tesla K80".
func (v Verdict) named() string {
	if len(v.GPUs) == 0 {
		return ""
	}
	var names []string
	count := map[string]int{}
	for _, name := range v.GPUs {
		if count[name]++; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i, name := range names {
		if count[name] > 1 {
			names[i] = fmt.Sprintf("%d × %s", count[name], name)
		}
	}
	return ": " + strings.Join(names, ", ")
}

func (v Verdict) source() string {
	if v.Line == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s, log line %d: %q)", v.Framework, v.Line, v.Quote)
}

package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
)

// The questions that fixes leave open, besides those about one package, which have the package's name.
const (
	choiceCUDA    = "cuda"         // the version, as in "9.0"
	choiceCNTK    = "cntk"         // the flavour of a CNTK wheel
	choiceCurated = "curated"      // the curated environment for a GPU
	choiceLicence = "cntk-licence" // whether the licence of 1-bit SGD is accepted
	choiceLatest  = "latest"       // whether references to the latest version get the version in the project
)

// The answers to choiceCNTK, choiceLicence and choiceLatest.
const (
	cntkGPU    = "GPU"
	cntk1Bit   = "1bit-sgd"
	acceptance = "accepted"
	pinned     = "pinned"
)

// licenceNotice is what users of a 1-bit SGD wheel must know.
const licenceNotice = "1-bit SGD in CNTK up to 2.4 is not under CNTK's MIT license but under licenses of its own, one of them for non-commercial use only; " +
	"Microsoft removed their text from its site in 2018. By installing the wheel, you accept them."

// noticeOf returns what the user must know before an item is written, usually "".
func noticeOf(item string) string {
	if wheel, ok := catalog.ParseCNTKURL(item); ok && wheel.Flavour == catalog.Flavour1BitSGD {
		return licenceNotice
	}
	return ""
}

// Questions returns the questions that a user can answer, with the possible answers to each. Callers share them.
func Questions() map[string][]string { return questions.Get() }

var questions = plain.Once[map[string][]string]{Make: func() map[string][]string {
	all := map[string][]string{choiceCUDA: catalog.CUDAVersions(cudaOf), choiceCNTK: {cntkGPU, cntk1Bit}, choiceLicence: {acceptance}, choiceCurated: catalog.GPUChoices(), choiceLatest: {pinned}}
	for _, row := range catalog.Choices() {
		if cudaOf(row.GPU) == "" && row.GPU != "" && row.Local == "" && !slices.Contains(all[row.CPU], row.GPU) {
			all[row.CPU] = append(all[row.CPU], row.GPU)
		}
	}
	return all
}}

// choose returns the answer that a user gives with --choose.
func choose(question, value, title string) finding.Answer {
	return finding.Answer{Flag: finding.AnswerChoose, Key: question, Value: value, Title: title}
}

// wheelSwap is the GPU wheel for a CPU-only wheel of CNTK.
type wheelSwap struct {
	catalog.Wheel
	undecided bool // the user wants the wheel with its own licence, but has not accepted that licence
}

// gpuWheel returns the GPU wheel of the same version for Linux, which containers run; ok is false if none was
// published.
func gpuWheel(project *schema.Project, e *schema.Environment, wheel catalog.Wheel) (swap wheelSwap, ok bool) {
	if project.Choice(choiceCNTK) == cntk1Bit {
		if swap.Wheel, ok = wheelFor(e, wheel, catalog.Flavour1BitSGD); ok {
			swap.undecided = project.Choice(choiceLicence) != acceptance
			return swap, true
		}
	}
	swap.Wheel, ok = wheelFor(e, wheel, catalog.FlavourGPU)
	return swap, ok
}

package rules

import (
	"slices"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

// The questions that fixes leave open beside those about one package, which
// bear the package's name.
const (
	choiceCUDA    = "cuda"         // the version, as in "9.0"
	choiceCNTK    = "cntk"         // the flavour of a CNTK wheel
	choiceCurated = "curated"      // the curated environment for a GPU
	choiceLicence = "cntk-licence" // whether the licence of 1-bit SGD is accepted
	choiceLatest  = "latest"       // whether references to the latest version get the one of the project
)

// The answers to choiceCNTK, choiceLicence and choiceLatest.
const (
	cntkGPU    = "GPU"
	cntk1Bit   = "1bit-sgd"
	acceptance = "accepted"
	pinned     = "pinned"
)

// licenceNotice is what somebody must know who takes a 1-bit SGD wheel.
const licenceNotice = "1-bit SGD in CNTK up to 2.4 is not under CNTK's MIT license but under licenses of its own, one of them for non-commercial use only; " +
	"Microsoft removed their text from its site in 2018. By installing the wheel, you accept them."

// noticeOf returns what must be known before an item is written; mostly "".
func noticeOf(item string) string {
	if wheel, ok := catalog.ParseCNTKURL(item); ok && wheel.Flavour == catalog.Flavour1BitSGD {
		return licenceNotice
	}
	return ""
}

// Questions returns the names of all questions a user can answer, sorted, with
// the answers.
func Questions() map[string][]string {
	all := map[string][]string{choiceCUDA: catalog.CUDAVersions(cudaOf), choiceCNTK: {cntkGPU, cntk1Bit}, choiceLicence: {acceptance}, choiceCurated: catalog.GPUChoices(), choiceLatest: {pinned}}
	for _, row := range catalog.Choices() {
		if cudaOf(row.GPU) == "" && row.GPU != "" && row.Local == "" && !slices.Contains(all[row.CPU], row.GPU) {
			all[row.CPU] = append(all[row.CPU], row.GPU)
		}
	}
	return all
}

// choose returns the answer that a user gives with --choose.
func choose(question, value, title string) finding.Answer {
	return finding.Answer{Flag: finding.AnswerChoose, Key: question, Value: value, Title: title}
}

// wheelSwap is the GPU wheel for a CPU-only wheel of CNTK.
type wheelSwap struct {
	catalog.Wheel
	undecided bool // the user wants the one with a licence of its own, and has not accepted that
}

// gpuWheel returns the GPU wheel of the same version; ok is false when none was
// published. Containers run Linux, whatever the wheel at hand is for.
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

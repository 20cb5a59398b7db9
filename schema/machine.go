package schema

import (
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/reference"
)

// Machine returns what the catalog knows about the size of a target's machines: its GPUs, their number, capability and
// memory. ok is false if no size is named, or one that is not recorded, which is true of most sizes without a GPU: see
// GPUs.
func (t *Target) Machine() (vm catalog.VM, ok bool) {
	if size := t.size(); size != "" {
		return catalog.VMSize(size)
	}
	return catalog.VM{}, false
}

// GPUs returns the number of CUDA GPUs of each machine of a target, counting a part of a card as one; known is false if
// that cannot be determined.
func (t *Target) GPUs() (n int, known bool) {
	if vm, ok := t.Machine(); ok {
		return vm.Count(), true
	}
	return 0, catalog.NoGPU(t.size())
}

// size returns the name of the size, or "" if there is none that counts.
func (t *Target) size() string {
	if t == nil || !t.VMSize.Explicit || !t.VMSize.Node.IsString() {
		return ""
	}
	return t.VMSize.Text
}

// Suspected reports whether a v2 job counts as a GPU job only because of its image, since its machine is unknown:
// whoever named the image wanted a GPU, but may not have got one. Findings based on that are at most warnings.
func (t *Target) Suspected() bool {
	if !t.GPU() || t.Dialect != V2 || t.requested {
		return false
	}
	_, known := t.GPUs()
	return !known
}

// sized returns the machine size that the settings give for the compute that a field names; ok is false if they give
// none. Its place is where the compute is named, and it cannot be changed there.
func (p *Project) sized(at Field) (size Field, ok bool) {
	name := computeName(at)
	if name == "" {
		return Field{}, false
	}
	return p.sizeOf(name, at)
}

// sizeOf returns the size that the settings give for a compute, at the field that names it.
func (p *Project) sizeOf(name string, at Field) (size Field, ok bool) {
	for _, compute := range slices.Sorted(maps.Keys(p.opts.Computes)) {
		if strings.EqualFold(compute, name) { // as in Azure
			return Field{Text: p.opts.Computes[compute], Explicit: true, Node: at.Node, Key: at.Key, File: at.File}, true
		}
	}
	return Field{}, false
}

// sizeOlder gives a Workbench or SDK v1 target the size from the settings, if it is a separate machine. The size of SDK
// v1's "amlcompute" is in the file.
func (p *Project) sizeOlder(t *Target) {
	if len(p.opts.Computes) == 0 {
		return
	}
	at := t.Address()
	switch {
	case t.Dialect == SDKv1 && t.Name != "local" && t.Name != "amlcompute":
		at = t.Jobs[0].TargetName
	case t.Dialect == Workbench && at.Explicit && t.Type.Text != "cluster":
	default:
		return
	}
	if size, ok := p.sizeOf(t.Name, at); ok {
		t.VMSize, t.BySettings = size, true
	}
}

// computeName returns the name of the compute that a field refers to, or "".
func computeName(at Field) string {
	if len(at.Text) == 0 || !at.Node.IsString() {
		return ""
	}
	switch r := reference.Parse(at.Text); r.Kind {
	case reference.Path:
		return at.Text
	case reference.Workspace, reference.Resource:
		return r.Name
	default: // not known before the job is sent
		return ""
	}
}

// listed returns the items of a list of sizes, from which the service takes whichever is available, as fields; any
// other field is returned alone.
func (f Field) listed() (sizes []Field) {
	list := f.Node.Resolve()
	if !list.IsSequence() {
		return []Field{f}
	}
	for _, item := range list.Items() {
		sizes = append(sizes, Field{Text: item.Text(), Explicit: !item.IsNull(), Node: item, File: f.File})
	}
	return sizes
}

// common returns the first of some sizes if either all have a GPU or none has, else an empty field.
func common(sizes []Field) Field {
	if len(sizes) == 0 || slices.ContainsFunc(sizes, func(s Field) bool { return hasGPU(s.Text) != hasGPU(sizes[0].Text) }) {
		return Field{}
	}
	return sizes[0]
}

// hasGPU returns 1 for a size with a CUDA GPU, 0 for one without, and -1 if unknown.
func hasGPU(size string) int {
	vm, ok := catalog.VMSize(size)
	switch {
	case ok && vm.CUDA:
		return 1
	case ok, catalog.NoGPU(size):
		return 0
	}
	return -1
}

package skypilot

import (
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
)

// resources returns the task's requirements for a machine, which SkyPilot finds on any cloud.
func (t *task) resources() (r yamlout.Map) {
	if t.j.GPU {
		r = append(r, t.accelerators())
	} else {
		r = t.cores()
	}
	if f := t.j.Spot; f.Explicit {
		switch strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(f.Text)) {
		case "lowpriority", "spot":
			r = r.Set("use_spot", true)
			t.m.Ledger.Map(t.j.Name, "`use_spot`", "", f)
		default:
			t.m.Ledger.Map(t.j.Name, "no `use_spot`: a machine that is not preempted", "", f)
		}
	}
	return r.Set("image_id", "docker:"+t.image)
}

// accelerators returns the entry for the GPUs: those of the old machine, unless they are no longer offered or the files
// do not name them.
func (t *task) accelerators() yamlout.Entry {
	j := t.j
	t.m.MapGPU(j, "`accelerators`", "")
	vm, _ := catalog.VMSize(j.Size.Text)
	name, count, known := vm.Accelerator()
	gpus := name + ":" + count
	entry := yamlout.Entry{Key: "accelerators", Value: gpus}
	if j.Size.Explicit && known {
		entry.Beside = "as " + vm.Size + " of Azure"
	}
	if known && catalog.PhaseOf(vm.RetiredOn, t.m.Project.AsOf()) < catalog.Ended {
		t.m.Ledger.Map(j.Name, "`accelerators: "+gpus+"`", "", j.Size)
		return entry
	}
	why := "the old files do not say which GPU the job had"
	switch {
	case known:
		why = vm.Size + " of Azure, which was retired on " + vm.RetiredOn + ", had this; `sky gpus list` shows what your clouds have"
	case j.Size.Explicit:
		why = account.Place(j.Size) + " names " + account.Name(j.Size.Text) + ", for whose GPU amlfix knows no SkyPilot name"
	}
	if !known {
		cheap, _ := catalog.VMSize(catalog.MigrationDefault("gpu-vm-size").Value)
		model, _, _ := cheap.Accelerator()
		gpus = model + ":" + strconv.Itoa(j.RequestedGPUs())
		why += "; " + model + " is the GPU of " + cheap.Size + ", with which amlfix replaces sizes elsewhere"
	}
	answer, _ := t.m.Decide(&account.Question{ID: "accelerators", Scope: j.Name, Ask: "Which GPUs does the job get?", Default: gpus, Example: "A100:1", Why: why})
	if !accelerator.Get().MatchString(answer) {
		t.m.Refuse("accelerators", answer, "write the name of a GPU and a count, such as A100:1")
	}
	if answer != gpus {
		entry.Beside = ""
	}
	entry.Value = answer
	t.m.Ledger.Decide(j.Name, "`accelerators: "+account.Name(answer)+"`", "accelerators", j.Size)
	return entry
}

// accelerator matches a name with a count.
var accelerator = plain.Regexp{Text: `^[A-Za-z0-9][A-Za-z0-9_.-]*:([1-9][0-9]*|0?\.[0-9]+)$`}

// cores returns entries that request as many cores and as much memory as the old machine had.
func (t *task) cores() (r yamlout.Map) {
	j := t.j
	if vcpus, memory, ok := catalog.MachineSize(j.Size.Text); ok && j.Size.Explicit {
		t.m.Ledger.Map(j.Name, "`cpus` and `memory`", "", j.Size)
		return yamlout.Map{{Key: "cpus", Value: vcpus + "+", Beside: "as " + j.Size.Text + " of Azure"}, {Key: "memory", Value: memory + "+"}}
	}
	t.m.Ledger.Drop(j.Name, "SkyPilot chooses a machine; name `cpus` and `memory` where that matters", j.Size)
	s := j.Source
	instance := s.File.Root().Get("containerInstance")
	for _, own := range []struct{ from, to string }{{"cpuCores", "cpus"}, {"memoryGb", "memory"}} {
		f := schema.FieldAt(s.File, instance, own.from)
		n, err := strconv.ParseFloat(f.Text, 64)
		if !f.Explicit || err != nil || n <= 0 || !strings.EqualFold(j.Target, "containerinstance") {
			continue
		}
		r = r.Set(own.to, strconv.FormatFloat(n, 'f', -1, 64)+"+")
		t.m.Ledger.Map(j.Name, "`"+own.to+"`", "", f)
	}
	return r
}

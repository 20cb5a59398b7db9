package plan

import "strconv"

// ParseCPUs parses a number of processors, which may be fractional: "2", "0.5".
func ParseCPUs(text string) (n float64, ok bool) {
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && n >= 0.01 && n <= 4096
}

// SetLimits plans which GPUs a process outside a container sees: all, unless the command line or a v2 job says
// otherwise. counted means that the target can reserve GPUs for one run. It returns an error if the command line
// requests something that only containers support.
func (d *Draft) SetLimits(counted bool) error {
	for _, o := range []struct {
		flag string
		set  bool
	}{{"--memory", d.Options.Memory > 0}, {"--cpus", d.Options.CPUs > 0}} {
		if o.set {
			return &Error{Usage: true, Text: o.flag + " limits containers, and jobs of target " + d.Compute.Name + " are processes: leave it out, or use a target of a docker type"}
		}
	}
	g := d.Options.GPUs
	switch {
	case g == "" && counted && d.Options.Work != nil && d.Options.Work.GPUs.Value.Wanted():
		d.Plan.GPUs = d.Options.Work.GPUs
		return nil
	case g == "":
		return nil
	case g.Count() > 0 && !counted:
		return &Error{Usage: true, Text: "--gpus " + string(g) + ": only containers and processes on one machine can reserve a number of GPUs; on target " + d.Compute.Name + " use all or none"}
	case g == NoGPUs:
		d.Plan.Env = append(d.Plan.Env, Item{Name: VisibleDevices, Origin: CommandLine})
	}
	d.Plan.GPUs = From(g, CommandLine)
	return nil
}

// VisibleDevices is the variable that tells CUDA which GPUs a process sees; if it is empty, the process sees none.
const VisibleDevices = "CUDA_VISIBLE_DEVICES"

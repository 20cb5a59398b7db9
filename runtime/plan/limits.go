package plan

import "strconv"

// ParseCPUs reads a number of processors, which may be a part of one: "2", "0.5".
func ParseCPUs(text string) (n float64, ok bool) {
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && n >= 0.01 && n <= 4096
}

// ContainersOnly returns an error for what the command line asks for and only containers can be given.
func (d *Draft) ContainersOnly() error {
	for _, o := range []struct {
		flag string
		set  bool
	}{{"--memory", d.Options.Memory > 0}, {"--cpus", d.Options.CPUs > 0}} {
		if o.set {
			return &Error{Usage: true, Text: o.flag + " limits containers, and jobs of target " + d.Compute.Name + " are processes: leave it out, or take a target of a type with docker"}
		}
	}
	return nil
}

// SetGPUs plans which GPUs a process sees that is not in a container: all, unless the command line or a job of v2 says
// otherwise. counted says that the target can give some to one run alone.
func (d *Draft) SetGPUs(counted bool) error {
	g := d.Options.GPUs
	switch {
	case g == "" && counted && d.Options.Work != nil && d.Options.Work.GPUs.Value.Wanted():
		d.Plan.GPUs = d.Options.Work.GPUs
		return nil
	case g == "":
		return nil
	case g.Count() > 0 && !counted:
		return &Error{Usage: true, Text: "--gpus " + string(g) + ": a number of GPUs for one run alone is for containers and for processes of one machine; on target " + d.Compute.Name + " take all or none"}
	case g == NoGPUs:
		d.Plan.Env = append(d.Plan.Env, Item{Name: VisibleDevices, Origin: CommandLine})
	}
	d.Plan.GPUs = From(g, CommandLine)
	return nil
}

// VisibleDevices is the variable that tells CUDA which GPUs a process sees; empty, it sees none.
const VisibleDevices = "CUDA_VISIBLE_DEVICES"

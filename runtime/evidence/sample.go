package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
)

// QueryGPUs and QueryProcesses are the arguments with which nvidia-smi prints what Peak.Add reads.
var (
	QueryGPUs      = []string{"--query-gpu=name,utilization.gpu,memory.used,memory.total,driver_version", "--format=csv,noheader,nounits"}
	QueryProcesses = []string{"--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"}
)

// Peak is the most that nvidia-smi showed while a job ran. Only Process proves anything: others may keep a GPU busy.
type Peak struct {
	Samples     int
	Utilisation int      // per cent, of the busiest GPU
	Memory      int64    // bytes, of the fullest GPU
	Names       []string // of the GPUs that the job can see
	Process     bool     // a process of the job was on a GPU
	StandIn     bool     // nvidia-smi says that it stands in for a real one
	Driver      string   // its version; "" if nvidia-smi did not report it
}

// Card is what nvidia-smi showed about one GPU at one moment.
type Card struct {
	Name        string
	Utilisation int   // per cent; -1 if not reported
	Used, Total int64 // memory in bytes; -1 if not reported
}

// ReadCards parses the output of QueryGPUs and returns the GPUs and the driver's version. It skips malformed lines; the
// last two fields may be missing.
func ReadCards(text string) (list []Card, driver string) {
	for line := range strings.Lines(text) {
		fields := cells(line)
		if len(fields) < 3 || len(fields) > 5 || len(list) == cardLimit {
			continue
		}
		fields = append(fields, "", "")
		if fields[4] != "" {
			driver = quotation(fields[4])
		}
		c := Card{Name: quotation(fields[0]), Utilisation: -1, Used: mebibytes(fields[2]), Total: mebibytes(fields[3])}
		if n, err := strconv.Atoi(fields[1]); err == nil && n >= 0 {
			c.Utilisation = min(n, 100)
		}
		list = append(list, c)
	}
	return list, driver
}

// cardLimit is the maximum number of GPUs of one machine.
const cardLimit = 64

// mebibytes parses a number of MiB and returns it in bytes; -1 if it is not a number.
func mebibytes(text string) int64 {
	if n, err := strconv.ParseInt(text, 10, 32); err == nil && n >= 0 {
		return n << 20
	}
	return -1
}

// Add adds one sample: the output of QueryGPUs and, if available, of QueryProcesses, and the PIDs of the job's
// processes as they appear in that output. It skips malformed lines.
func (p *Peak) Add(gpus string, processes []string, job []int) {
	cards, driver := ReadCards(gpus)
	var names []string
	for _, c := range cards {
		names = append(names, c.Name)
		p.Utilisation, p.Memory = max(p.Utilisation, c.Utilisation), max(p.Memory, c.Used)
	}
	if len(names) == 0 {
		return
	}
	p.Samples++
	p.Driver = cmp.Or(driver, p.Driver)
	p.Names = names[:min(len(names), gpuLimit)]
	for _, text := range append(processes, gpus) {
		for _, mark := range standInMarks {
			p.StandIn = p.StandIn || strings.Contains(text, mark)
		}
	}
	for _, text := range processes {
		for line := range strings.Lines(text) {
			if pid, err := strconv.Atoi(cells(line)[0]); err == nil && slices.Contains(job, pid) {
				p.Process = true
			}
		}
	}
}

func cells(line string) []string {
	fields := strings.Split(line, ",")
	for i := range fields {
		fields[i] = strings.TrimSpace(fields[i])
	}
	return fields
}

// sampled is the kind of evidence that an nvidia-smi sample provides.
const sampled catalog.Verdict = "sampled"

// With adds what nvidia-smi showed. A process of the job on a GPU proves that the GPU was used, whatever the log says.
func (v Verdict) With(p Peak) Verdict {
	if p.Samples == 0 {
		return v
	}
	v.Peak = p
	v.StandIn = v.StandIn || p.StandIn
	if p.Process && v.Level != Used {
		v = Verdict{Level: Used, Kind: sampled, GPUs: p.Names, StandIn: v.StandIn, Lines: v.Lines, Peak: p}
	}
	return v
}

// showed returns what nvidia-smi showed, for the end of a sentence; "" if it was not queried.
func (p Peak) showed() string {
	if p.Samples == 0 {
		return ""
	}
	process := "no process of the job"
	if p.Process {
		process = "a process of the job"
	}
	return fmt.Sprintf("; nvidia-smi showed %s on it, at most %d%% busy and %.1f GB of memory used", process, p.Utilisation, float64(p.Memory)/1e9)
}

package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
)

// QueryGPUs and QueryProcesses are the arguments of nvidia-smi whose answers Peak.Add reads.
var (
	QueryGPUs      = []string{"--query-gpu=name,utilization.gpu,memory.used,memory.total,driver_version", "--format=csv,noheader,nounits"}
	QueryProcesses = []string{"--query-compute-apps=pid,used_memory", "--format=csv,noheader,nounits"}
)

// Peak is the most that nvidia-smi showed while a job ran. Only Process proves anything: a GPU can be busy for others.
type Peak struct {
	Samples     int
	Utilisation int      // per cent, of the busiest GPU
	Memory      int64    // bytes, of the fullest GPU
	Names       []string // of the GPUs that the job can see
	Process     bool     // a process of the job was on a GPU
	StandIn     bool     // nvidia-smi says that it takes the part of a real one
	Driver      string   // its version; "" when nvidia-smi did not say
}

// Card is what nvidia-smi showed of one GPU at one moment.
type Card struct {
	Name        string
	Utilisation int   // per cent; -1 when it was not said
	Used, Total int64 // memory in bytes; -1 when it was not said
}

// ReadCards reads the answer to QueryGPUs, and the version of the driver. Lines that are not as expected are left out;
// the last two fields may be missing.
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

// cardLimit is how many GPUs of one machine are looked at.
const cardLimit = 64

// mebibytes reads a number of MiB as bytes; -1 when it is none.
func mebibytes(text string) int64 {
	if n, err := strconv.ParseInt(text, 10, 32); err == nil && n >= 0 {
		return n << 20
	}
	return -1
}

// Add takes one look into account: the answers to QueryGPUs and, as far as they could be had, to QueryProcesses, and the
// numbers of the job's processes as those answers count them. Lines that are not as expected are left out.
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

// sampled is the kind of evidence that a sample of nvidia-smi gives.
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

// showed says what nvidia-smi showed, for the end of a sentence; "" when it was not asked.
func (p Peak) showed() string {
	if p.Samples == 0 {
		return ""
	}
	process := "no process of the job"
	if p.Process {
		process = "a process of the job"
	}
	return fmt.Sprintf("; nvidia-smi showed %s on it, at most %d %% busy and %.1f GB of memory used", process, p.Utilisation, float64(p.Memory)/1e9)
}

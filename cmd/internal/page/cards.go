package page

import (
	"fmt"
	"math"
	"time"

	"github.com/amlfix/amlfix/runtime/record"
)

// card is one GPU over time.
type card struct {
	Name        string
	Use, Memory *chart
}

// cards draws the use of each GPU over time.
func (v *view) cards(r Run) {
	type history struct {
		name              string
		at, use, atM, mem []float64
		total             float64
	}
	var all []*history
	var begin time.Time
	looks := 0
	err := record.ReadLooks(r.Dir, func(l record.Look) {
		if looks++; begin.IsZero() {
			begin = l.At
		}
		t := l.At.Sub(begin).Seconds()
		for i, c := range l.GPUs[:min(len(l.GPUs), mostCards)] {
			if i == len(all) {
				all = append(all, &history{name: c.Name})
			}
			h := all[i]
			if n := len(h.at); c.Utilisation >= 0 && (n == 0 || t >= h.at[n-1]) {
				h.at, h.use = append(h.at, t), append(h.use, float64(min(c.Utilisation, 100)))
			}
			if n := len(h.atM); c.Used >= 0 && (n == 0 || t >= h.atM[n-1]) {
				h.atM, h.mem = append(h.atM, t), append(h.mem, float64(c.Used)/1e9)
				h.total = max(h.total, float64(c.Total)/1e9)
			}
		}
	})
	if err != nil {
		v.CardsNote = said(err.Error())
		return
	}
	for i, h := range all {
		out := card{Name: fmt.Sprintf("GPU %d: %s", i, short(h.name, 80))}
		if len(h.use) > 0 {
			c := curve{x: h.at, y: h.use, high: 100, area: true, step: "after", unit: "busy", showX: elapsed, showY: func(p float64) string { return number(p) + "%" }}.draw(fmt.Sprintf("gpu-%d-use", i), fmt.Sprintf("GPU %d: busy", i))
			out.Use = &c
		}
		if len(h.mem) > 0 {
			c := curve{x: h.atM, y: h.mem, high: h.total, area: true, step: "after", unit: "memory", showX: elapsed, showY: gigabytes}.draw(fmt.Sprintf("gpu-%d-memory", i), fmt.Sprintf("GPU %d: memory used", i))
			if h.total > 0 {
				c.Title += ", of " + gigabytes(h.total)
			}
			out.Memory = &c
		}
		v.Cards = append(v.Cards, out)
	}
	if looks > 0 {
		v.CardsNote = fmt.Sprintf("What nvidia-smi showed, sampled %s, for the GPUs that the job could see. Other programs may have used them too.", times(looks))
	}
}

const mostCards = 16

func gigabytes(gb float64) string { return number(math.Round(gb*10)/10) + " GB" }

// elapsed formats seconds since the beginning.
func elapsed(s float64) string {
	switch d := int(s + 0.5); {
	case s < 10:
		return number(float64(int(s*10+0.5))/10) + " s"
	case d < 60:
		return fmt.Sprintf("%d s", d)
	case d < 3600:
		return fmt.Sprintf("%d:%02d min", d/60, d%60)
	default:
		return fmt.Sprintf("%d:%02d h", d/3600, d/60%60)
	}
}

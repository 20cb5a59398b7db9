package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Whole returns the verdict on a run in several pods: the verdict on the pod for which the least is proved, among those
// that requested a GPU, given by index. So GPU use is proved only if all of them used one.
func Whole(pods []Verdict, asked []int) (v Verdict) {
	rank := func(i int) int { return slices.Index([]Level{CPU, None, Visible, Used}, pods[i].Level) }
	if len(asked) == 0 {
		return v
	}
	least := slices.MinFunc(asked, func(a, b int) int { return rank(a) - rank(b) })
	v = pods[least]
	v.Pods, v.Line, v.Lines, v.GPUs = said(pods, asked, least), 0, 0, nil
	for i, p := range pods {
		v.Lines += p.Lines
		v.StandIn = v.StandIn || p.StandIn
		if p.Level == v.Level && slices.Contains(asked, i) {
			v.GPUs = append(v.GPUs, p.GPUs...)
		}
	}
	return v
}

// said returns the sentence on all pods: which of them the verdict is about, what is known about the others, and what
// the verdict on the first of them rests on.
func said(pods []Verdict, asked []int, least int) string {
	first := pods[least].Short()
	of := map[string][]string{}
	kinds := []string{first}
	for _, i := range asked {
		short := pods[i].Short()
		if !slices.Contains(kinds, short) {
			kinds = append(kinds, short)
		}
		of[short] = append(of[short], strconv.Itoa(i))
	}
	if len(kinds) == 1 && len(asked) > 1 {
		return fmt.Sprintf("%s in all %d pods; pod %d: %s", first, len(asked), least, pods[least].found())
	}
	var parts []string
	for _, kind := range kinds {
		noun := "pod "
		if len(of[kind]) > 1 {
			noun = "pods "
		}
		parts = append(parts, kind+" in "+noun+strings.Join(of[kind], ", "))
	}
	return fmt.Sprintf("%s; pod %d: %s", strings.Join(parts, ", "), least, pods[least].found())
}

package plain

import (
	"fmt"
	"time"
)

// Duration formats a time in at most two units: "850ms", "12.3s", "4m05s", "3h20m", "2d04h"; a negative one is "".
func Duration(d time.Duration) string {
	d = d.Round(time.Millisecond) // as in the last line of the run
	if d > time.Second {
		d = d.Round(100 * time.Millisecond)
	}
	switch {
	case d < 0:
		return ""
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%02dh", int(d.Hours())/24, int(d.Hours())%24)
}

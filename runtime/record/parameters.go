package record

import (
	"fmt"
	"strings"
)

// Parameter is one parameter with which a job was started.
type Parameter struct{ Name, Value string }

// Parameters returns what the job was started with: its options by name, other
// arguments by position, then the run configuration, the target and the image. A name
// may occur twice.
func (r Record) Parameters() (list []Parameter) {
	args := r.Arguments
	if len(args) > 0 && args[0] == r.Script {
		args = args[1:]
	}
	for i := 0; i < len(args); i++ {
		name, isOption := strings.CutPrefix(args[i], "-")
		if !isOption {
			list = append(list, Parameter{fmt.Sprintf("argument %d", i+1), args[i]})
			continue
		}
		name, value, given := strings.Cut(strings.TrimLeft(name, "-"), "=")
		switch {
		case given:
		case i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			i++
			value = args[i]
		default:
			value = "true"
		}
		list = append(list, Parameter{name, value})
	}
	list = append(list, Parameter{"run configuration", r.Name}, Parameter{"target", r.Target})
	if r.Image != nil {
		list = append(list, Parameter{"image", r.Image.Name})
	}
	return list
}

package record

import (
	"fmt"
	"strings"
)

// Parameter is one parameter with which a job was started.
type Parameter struct{ Name, Value string }

// Parameters returns what the job was started with: a script's options by name and other arguments by position, or the
// inputs and the command of a v2 job; then what the run is named after, the target and the image. A name may occur
// twice.
func (r Record) Parameters() (list []Parameter) {
	list = r.inputs()
	args := r.Arguments
	if list != nil {
		args = nil
	}
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
	list = append(list, Parameter{r.Named(), r.Name}, Parameter{"target", r.Target})
	if r.Image != nil {
		list = append(list, Parameter{"image", r.Image.Name})
	}
	return list
}

// Named returns what Name is: a run configuration, or a job of v2.
func (r Record) Named() string {
	if r.Kind == "azureml" || r.inputs() != nil {
		return "job"
	}
	return "run configuration"
}

// inputs returns the inputs and the command of a v2 job; nil: the record is of another job.
func (r Record) inputs() (list []Parameter) {
	var command []string
	for _, l := range r.Plan {
		switch name, value, _ := strings.Cut(l.Value, "="); l.Name {
		case "input":
			list = append(list, Parameter{name, value})
		case "command":
			command = append(command, l.Value)
		}
	}
	if command == nil {
		return nil
	}
	return append(list, Parameter{"command", strings.Join(command, "\n")})
}

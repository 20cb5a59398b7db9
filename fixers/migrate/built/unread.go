package built

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/python"
)

// Unread is a part of a program that sets something that is in no Thing.
type Unread struct {
	At   int    // its offset
	What string // what is set, without the value
}

// distinct are names of attributes that hardly any other class has than those of SDK v1.
const distinct = " run_config environment_variables node_count max_run_duration_seconds conda_dependencies base_image base_dockerfile base_image_registry use_docker shm_size data_references output_data" +
	" process_count_per_node user_managed_dependencies interpreter_path conda_dependencies_file vm_size "

// idle are arguments that change nothing in a job, by their names or values.
const idle = " None workspace show_output exist_ok validate wait_for_provisioning "

// unread returns what the program sets in its things and this package does not read, in no particular order.
func (b *builder) unread() (list []Unread) {
	all := b.called
	for _, r := range b.registering() {
		t := r.at.Tokens[r.place-2:]
		if c, _ := python.CallAt(t, 3); t[0].Text[0] < 'A' || t[0].Text[0] > 'Z' { // others are among those called
			all = append(all, &object{method: t[2].Text, call: c, tokens: t[2:]})
		}
	}
	for _, o := range all {
		if !describes(o) {
			continue
		}
		var names []string
		used := !looksUp(o) || b.otherVersion(o)
		add := func(name string, t []python.Token) {
			what := shown(t)
			if b.read[t[0].At] {
				used = true
			} else if !isIdle(o, name, what) {
				names = append(names, cmp.Or(name, what))
			}
		}
		for name, t := range o.call.Keywords {
			if name[0] != '_' {
				add(name, t)
			}
		}
		slices.Sort(names)
		for _, t := range o.call.Positional {
			if b.eval(t, 0).object == nil {
				add("", t)
			}
		}
		for _, t := range o.rest {
			add("**"+shown(t), t)
		}
		if o.call.Star {
			names = append(names, "*…")
		}
		if len(names) > 0 && used {
			list = append(list, Unread{o.tokens[0].At, strings.Trim(o.class+"."+o.method, ".") + "(" + strings.Join(names, ", ") + ")"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.attrs)) {
		list = b.unset(list, name, b.attrs[name], "")
	}
	for _, name := range slices.Sorted(maps.Keys(b.calls)) {
		list = b.unset(list, name, slices.DeleteFunc(slices.Clone(b.calls[name]), func(s setting) bool {
			method := s.path[strings.LastIndexByte(s.path, '.')+1:]
			prefix, _, _ := strings.Cut(method, "_")
			return !slices.Contains(changes[:], method) && (prefix == method || !slices.Contains([]string{"add", "set", "remove"}, prefix))
		}), "(…)")
	}
	return list
}

// isIdle reports whether an argument, possibly with a name, changes nothing in a job. A registered version is always
// new in v2.
func isIdle(o *object, name, what string) bool {
	switch name {
	case "create_new_version":
		return what == "True"
	case "overwrite":
		if o.class == "Model" && o.method == "deploy" {
			return true
		}
	}
	return strings.Contains(idle, " "+cmp.Or(name, what)+" ") || strings.Contains(idle, " "+what+" ") || workspaces(what)
}

// looksUp reports whether a call only finds something in the workspace, or may be of something else than a job's.
func looksUp(o *object) bool {
	return o.method == "get_by_name" || o.method == "list" || o.class == "" || o.method == "" && (o.class == "Model" || strings.HasSuffix(o.class, "Run") || strings.HasSuffix(o.class, "Webservice"))
}

// otherVersion reports whether a call finds another version than the latest, which the job does not get.
func (b *builder) otherVersion(o *object) bool {
	place := -1
	if o.method == "get_by_name" {
		place = 2
	}
	t := argument(o.call, "version", place)
	return t != nil && !b.read[t[0].At] && shown(t) != "None" && b.eval(t, 0).text().Text() != "latest"
}

// workspaces reports whether a name is one that people give to a workspace, such as ws, my_ws, self.ws or ws1.
func workspaces(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, "0123456789"))
	return strings.HasSuffix(name, "ws") || strings.HasSuffix(name, "workspace")
}

// shown returns an expression of names, or "…" for another one, whose text may be a secret.
func shown(t []python.Token) string {
	const most = 60
	if name, _ := dotted(t); name != "" && len(python.Written(t)) < most {
		return python.Written(t)
	}
	if len(t) == 1 && t[0].Text == "None" {
		return t[0].Text
	}
	return "…"
}

// unset adds the statements about a name that are not read.
func (b *builder) unset(list []Unread, name string, settings []setting, ending string) []Unread {
	for _, s := range settings {
		first := s.at.Tokens[0]
		if first.Text != name && !strings.HasSuffix(s.path, computedName) && first.Text != computedName || b.read[s.tokens[0].At] || b.read[first.At] {
			continue
		}
		var o *object
		if b.spend(len(settings)) { // each lookup goes through them
			o = b.named(name, first.At, 0).object
		}
		if o != nil {
			o, _ = steady(o)
		}
		known := o != nil && describes(o)
		for part := range strings.SplitSeq(s.path, ".") {
			known = known || o == nil && strings.Contains(distinct, " "+part+" ")
		}
		if known {
			list = append(list, Unread{first.At, name + "." + s.path + ending})
		}
	}
	return list
}

// describes reports whether an object describes a part of a job: what a script looks up while it runs does not.
func describes(o *object) bool {
	return !strings.HasPrefix(o.method, "_") && o.method != "get_model_path" && !strings.HasSuffix(o.class, "Error") && !slices.Contains([]string{"Workspace", "Experiment", "Run", "Datastore", "RunDetails", "ComputeTarget"}, o.class) && !strings.HasSuffix(o.class, "Authentication")
}

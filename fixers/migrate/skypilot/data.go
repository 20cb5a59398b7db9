package skypilot

import (
	"cmp"
	"net/url"
	"path"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/shell"
	"github.com/amlfix/amlfix/fixers/migrate/yamlout"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
)

const sharePlace = "/share"

// data copies what the job reads, and creates folders for what it writes.
func (t *task) data() {
	for _, d := range t.j.Inputs {
		t.input(d)
	}
	for _, d := range t.j.Outputs {
		t.output(d)
	}
	if len(t.j.Outputs) > 0 && t.j.Step == nil {
		t.keep()
	}
	if t.j.Share {
		t.folders = append(t.folders, inHome(sharePlace))
		t.export(migrate.ShareVariable, sharePlace)
		if target := t.j.Source.Target; target != nil {
			t.m.Ledger.Map(t.j.Name, "the folder ~"+sharePlace, "given by "+migrate.ShareVariable, target.SharedDirectory)
		}
	}
}

// input copies data to where the job reads it.
func (t *task) input(d migrate.Data) {
	s := d.Source
	if d.Folder != "" {
		return // another step writes it, to the pipeline's bucket
	}
	place := path.Join(migrate.Inputs+d.Name, d.File)
	given := account.Given(s.Datastore, s.Path, s.Dataset, s.DatasetID, s.Version, s.URI)
	from := t.address(d)
	switch {
	case from != "":
		t.mounts = t.mounts.Set("~"+place, from)
		t.m.Ledger.Map(t.j.Name, "`file_mounts`: ~"+place, "copied to the machine", given...)
	case d.File != "" && fetched(s.URI):
		t.setup = append(t.setup, "mkdir -p "+inHome(path.Dir(place)), "curl -fsSL -o "+inHome(place)+" "+shell.Quote(s.URI.Text))
		t.m.Ledger.Map(t.j.Name, "`setup` fetches it to ~"+place, "", given...)
	default:
		t.askData(d, place, given)
	}
	t.exportData(d, place)
	t.m.Ledger.Map(t.j.Name, "~"+place, "copied to the machine", s.Mode)
	t.m.Ledger.Drop(t.j.Name, "the script is given the location of the data: ~"+place, s.OnCompute)
	t.m.Ledger.Drop(t.j.Name, "input data is not overwritten", s.Overwrite)
}

// askData asks for data that only a workspace knows.
func (t *task) askData(d migrate.Data, place string, given []schema.Field) {
	question := account.Question{ID: "folder-" + d.Name, Scope: t.j.Name, Ask: "In which folder is the data " + d.Name + "?", Example: "https://ACCOUNT.blob.core.windows.net/CONTAINER/PATH",
		Why: cmp.Or(d.Why, "the files do not say which storage the workspace keeps it in") + "; a folder of the project is copied to the machine, and so is what is in a bucket"}
	if d.File != "" {
		question.ID, question.Ask, question.Example = "file-"+d.Name, "Which file is the data "+d.Name+"?", question.Example+"/"+d.File
	}
	answer, open := t.m.Decide(&question)
	from := account.Marker
	switch {
	case open:
		t.marked("nothing says where the data " + d.Name + " is")
	case strings.Contains(answer, "://"):
		if from = blob(answer); from == "" {
			t.m.Refuse(question.ID, answer, "SkyPilot copies from containers (https://ACCOUNT.blob.core.windows.net/CONTAINER) and from buckets (s3://BUCKET, gs://BUCKET)")
		}
	case migrate.Away(answer):
		from = t.m.Up(path.Clean(answer))
	default:
		from = local(t.m.Up(path.Clean(answer)))
	}
	t.mounts = t.mounts.Set("~"+place, from)
	t.m.Ledger.Decide(t.j.Name, answer, question.ID, given...)
}

// output creates a folder for what the job writes.
func (t *task) output(d migrate.Data) {
	s, place := d.Source, migrate.Outputs+d.Name
	if d.Folder != "" {
		place = path.Join(migrate.Steps, d.Folder)
	}
	t.folders = append(t.folders, inHome(place))
	t.m.Ledger.Map(t.j.Name, "the folder ~"+place, "", account.Given(s.Datastore, s.Path, s.URI, s.Mode)...)
	t.m.Ledger.Drop(t.j.Name, "there is no workspace in which to register it", s.Register)
	t.m.Ledger.Drop(t.j.Name, "the script is given its location: ~"+place, s.OnCompute)
	t.m.Ledger.Drop(t.j.Name, "the folder keeps its content", s.Overwrite)
	t.exportData(d, place)
}

const (
	outputsDecision = "outputs"
	onMachine       = "machine"
)

// keep asks where to keep the outputs when the machine is removed.
func (t *task) keep() {
	answer, _ := t.m.Decide(&account.Question{ID: outputsDecision, Scope: t.j.Name, Ask: "Where do the outputs of the job go?", Default: onMachine, Example: "s3://BUCKET",
		Why: "`" + onMachine + "` leaves them in ~/outputs of the machine, which is lost with `sky down`; a bucket, or a container of Azure, is mounted there instead"})
	if answer != onMachine {
		t.mounts = t.mounts.Set("~/outputs", t.bucket(outputsDecision, answer))
	}
}

// bucket returns the mount of a bucket, by its address or by the name to create it with.
func (t *task) bucket(id, answer string) yamlout.Map {
	key := "source"
	switch at, err := url.Parse(answer); {
	case !strings.Contains(answer, "://"):
		if key = "name"; !bucketName.Get().MatchString(answer) {
			t.m.Refuse(id, answer, "a bucket's name consists of 3 to 63 lowercase letters, digits and dashes")
		}
	case err != nil || blob(answer) != answer || strings.Count(strings.Trim(at.Path, "/"), "/") > 0 || (at.Scheme == "https") != (strings.Trim(at.Path, "/") != ""):
		t.m.Refuse(id, answer, "SkyPilot mounts a whole container (https://ACCOUNT.blob.core.windows.net/CONTAINER) or a whole bucket (s3://BUCKET, gs://BUCKET)")
	}
	return yamlout.Map{{Key: key, Value: answer}, {Key: "mode", Value: "MOUNT"}}
}

var bucketName = plain.Regexp{Text: `^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$`}

// exportData sets the variable that a script reads a path from.
func (t *task) exportData(d migrate.Data, place string) {
	if d.Export != "" && t.export(d.Export, place) {
		t.m.Ledger.Map(t.j.Name, "the variable "+d.Export, "", d.Source.Variable)
	}
}

func (t *task) export(name, place string) bool {
	for _, line := range t.exports {
		if strings.HasPrefix(line, "export "+name+"=") {
			return false
		}
	}
	t.exports = append(t.exports, "export "+name+"="+inHome(place))
	return true
}

// local returns a path of this machine in a form that is not read as a home directory or an address. A path with a
// Windows drive is not changed.
func local(name string) string {
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, ".") || len(name) > 2 && name[1:3] == ":/" {
		return name
	}
	return "./" + name
}

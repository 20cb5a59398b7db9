package migrate

import (
	"cmp"
	"path"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/fixers/migrate/condaenv"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/requirement"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/template"
)

// vendorImages is the prefix of Azure ML's own base images, whose systems go out of support.
const vendorImages = "mcr.microsoft.com/azureml/"

// readImage decides which image the job starts from.
func (m *Migration) readImage(j *Job) {
	base := m.Emitter.Base(j.GPU)
	j.Image = Image{Base: base, Replaced: true}
	if m.readRegistered(j) || j.Source.Target == nil {
		return
	}
	if lost := m.lost(j, lostImages...); lost.Explicit && !j.Spark {
		j.Image.Source = lost
		m.askImage(j, base, "", account.Place(lost)+" computes it")
		return
	}
	field := j.Source.Target.Image
	j.Image.Source = field
	if !field.Explicit || j.Spark {
		return
	}
	if field.Text == "" {
		m.askImage(j, base, "", account.Place(field)+" is not the name of an image")
		return
	}
	j.Image.Old = field.Text
	image, err := requirement.ParseImage(strings.ReplaceAll(strings.TrimSpace(field.Text), "::", ":"))
	if err != nil || template.In(field.Text) {
		m.askImage(j, base, "", account.Place(field)+" names "+account.Name(field.Text)+", which is not a valid image name, or is filled in before the file is used")
		return
	}
	if strings.HasPrefix(image.Registry, "your") && strings.HasSuffix(image.Registry, ".azurecr.io") {
		m.askImage(j, base, "", account.Place(field)+" names the registry "+account.Name(image.Registry)+", which is a placeholder for your own registry")
		return
	}
	if lost := m.lost(j, lostRegistries...); lost.Explicit && image.Registry == "" {
		m.Ledger.Decide(j.Name, "", "image", lost)
		m.askImage(j, base, "", account.Place(lost)+" computes the registry that "+account.Name(field.Text)+" is in")
		return
	}
	if registry := j.Source.SDK.Registry; registry.Explicit && image.Registry == "" && registry.Text != "" {
		image.Registry = registry.Text
		m.Ledger.Map(j.Name, "the first part of the image name", "", registry)
	}
	m.keepImage(j, base, image)
}

// keepImage keeps the image that a job names, replaces it with the format's own, or asks.
func (m *Migration) keepImage(j *Job, base condaenv.Base, image requirement.Image) {
	field := j.Source.Target.Image
	known, isKnown := catalog.LookupImage(image.Name(), image.Tag)
	switch {
	case j.Source.Target.UserManaged.Bool && j.Source.Target.Contained() && strings.HasPrefix(image.Name(), "microsoft/"):
		m.askImage(j, base, "", account.Place(field)+": microsoft/* left Docker Hub in July 2021, and "+account.Place(j.Source.Target.UserManaged)+" says that the job's packages are in this image: choose one that contains them")
	case strings.HasPrefix(image.Name(), "microsoft/") && isKnown:
		j.Image.note(account.Mapped, base.Image, "microsoft/* left Docker Hub in July 2021")
	case strings.HasPrefix(image.Name(), "microsoft/"):
		m.askImage(j, base, base.Image, account.Place(field)+": microsoft/* left Docker Hub in July 2021; it is not known whether the job needs the content of this image")
	case !m.Emitter.Keeps(image.String()) && (strings.HasPrefix(image.Name(), vendorImages+"curated/") || j.Source.Target.UserManaged.Bool && !isKnown):
		m.askImage(j, base, "", account.Place(field)+": the image may be used with Azure services only, and contains the job's packages: choose one that contains them")
	case !m.Emitter.Keeps(image.String()):
		m.Ledger.Map(j.Name, "`"+base.Image+"`", "the old image may be used with Azure services only", field)
	case strings.HasPrefix(image.Name(), vendorImages) && m.outdated(image, known, isKnown, j.GPU) != "":
		j.Image.note(account.Mapped, base.Image, m.outdated(image, known, isKnown, j.GPU))
	default:
		j.Image.Base = condaenv.Base{Image: image.String(), CUDA: known.CUDA, CUDNN: known.CUDNN}
		j.Image.Replaced = false
		why := ""
		if image.Tag == "" || image.Tag == "latest" {
			why = "a fixed tag would make the job reproducible"
		}
		j.Image.note(account.Mapped, image.String(), why)
	}
}

// outdated says why one of Azure ML's own images is not kept, or returns "" if it is kept or nothing is known about it.
func (m *Migration) outdated(image requirement.Image, known catalog.Image, isKnown, gpu bool) string {
	repository := strings.TrimPrefix(image.Name(), vendorImages)
	switch {
	case isKnown && known.GPU != gpu:
		return "the job needs an image of the other kind (GPU or CPU)"
	case isKnown && catalog.PhaseOf(known.Retired, m.Project.AsOf()) >= catalog.Ended:
		return "its operating system, " + known.OS + ", has been out of support since " + known.Retired
	case repository == "base" || repository == "base-gpu":
		return "a v1 image, which is not rebuilt any more"
	case isKnown && known.Status == "deprecated" || isKnown && known.Status == "replaced":
		return "it has not been rebuilt since " + known.Since
	}
	return ""
}

// askImage asks which image replaces one that cannot be used; without an answer or a default, the files contain the
// marker instead.
func (m *Migration) askImage(j *Job, base condaenv.Base, byDefault, why string) {
	ask := "Which image does the job start from?"
	if j.Image.Old != "" {
		ask = "Which image replaces " + account.Name(secret.HideValue(j.Image.Old)) + "?"
	}
	answer, open := m.Decide(&account.Question{ID: "image", Scope: j.Name, Ask: ask, Default: byDefault, Example: base.Image, Why: why})
	if j.Image.Base = m.baseOf(answer, base); open {
		j.Image.Base = condaenv.Base{Image: account.Marker}
	}
	j.Image.Replaced = open || answer == base.Image
	j.Image.note(account.Decided, j.Image.Image, "decision `image`")
}

// readInterpreter keeps the interpreter path of an image whose packages the user manages; another image has its Python
// elsewhere.
func (m *Migration) readInterpreter(j *Job) {
	t := j.Source.Target
	if t == nil || !t.UserManaged.Bool || !t.Contained() || !t.PythonLocation.Explicit || strings.ContainsAny(t.PythonLocation.Text, `\:`) || j.Spark || j.Interpreter != "python" {
		return
	}
	if j.Image.Replaced && j.Dockerfile == nil && j.Registered == "" {
		m.Ledger.Drop(j.Name, "a different image is used, which has Python in another place", t.PythonLocation)
		return
	}
	j.Interpreter = t.PythonLocation.Text
	m.Ledger.Map(j.Name, "the first word of the command", "", t.PythonLocation)
}

// note keeps the ledger's note about the old image, in case a Dockerfile replaces it.
func (i *Image) note(disposition account.Disposition, result, why string) {
	i.noted = account.Note{Disposition: disposition, Result: "`" + result + "`", Why: why}
}

// tellImage records in the ledger what the job starts from.
func (m *Migration) tellImage(j *Job) {
	note := j.Image.noted
	switch {
	case j.Image.Source.Node == nil || note.Disposition == 0:
		return
	case j.Dockerfile != nil && j.Dockerfile.Source.Node == nil:
		note = account.Note{Disposition: account.Mapped, Result: "`FROM " + catalog.MigrationDefault("cntk-system-image").Value + "` in a Dockerfile", Why: "CNTK needs Open MPI 1.10"}
	case j.Dockerfile != nil:
		return // the catalog's dead keys have the reason
	}
	note.For = j.Name
	m.Ledger.Node(note, j.Image.Source.Node)
}

// baseOf returns what is known about an image that the user named.
func (m *Migration) baseOf(name string, instead condaenv.Base) condaenv.Base {
	if name == instead.Image {
		return instead
	}
	out := condaenv.Base{Image: name}
	if image, err := requirement.ParseImage(name); err == nil {
		known, _ := catalog.LookupImage(image.Name(), image.Tag)
		out.CUDA, out.CUDNN = known.CUDA, known.CUDNN
	}
	return out
}

// readRegistered recognises a run configuration that only names an environment.
func (m *Migration) readRegistered(j *Job) bool {
	s := j.Source
	described := s.Environment != nil && (s.CondaPath.Explicit || s.Environment.File.Kind != schema.CondaFile)
	onThisMachine := s.Target != nil && s.Target.UserManaged.Bool && !s.SDK.EnvironmentVersion.Explicit && j.Place == OnLocal
	if !s.SDK.EnvironmentName.Explicit || described || m.installed(j).Explicit || onThisMachine || s.Target != nil && s.Target.Image.Explicit || s.Docker.Dockerfile.Explicit || j.Spark || m.lostEnvironment(j).Explicit || m.lost(j, lostImages...).Explicit {
		return false
	}
	name := s.SDK.EnvironmentName.Text
	j.Registered = name
	if s.SDK.EnvironmentVersion.Explicit {
		j.Registered += ":" + s.SDK.EnvironmentVersion.Text
	}
	if m.lowered[s.File] != nil {
		return true
	}
	known, _ := catalog.CuratedByName("azureml:" + name)
	current := known.Status == "current"
	if !current && (strings.HasPrefix(name, "AzureML-") || strings.HasPrefix(name, "Microsoft")) {
		if m.outside() {
			return true // only its image is asked for
		}
		q := account.Question{ID: "environment-" + account.Slug(name), Scope: j.Name, Ask: "Which environment replaces " + secret.HideValue(name) + "?", Example: "AzureML-" + catalog.CuratedFor(name),
			Why: account.Place(s.SDK.EnvironmentName) + ": the curated environments of v1 no longer exist"}
		if e, _ := catalog.CuratedByName("azureml:" + q.Example); e.GPU && strings.HasSuffix(strings.ToLower(name), "-cpu") {
			q.Why += "; " + q.Example + " has CUDA, but runs without a GPU, too"
		}
		answer, open := m.Decide(&q)
		if !open {
			j.Registered = answer
		}
		m.Ledger.Decide(j.Name, answer, "environment-"+account.Slug(name), s.SDK.EnvironmentName, s.SDK.EnvironmentVersion)
		return true
	}
	m.Ledger.Map(j.Name, "the environment `"+j.Registered+"`", map[bool]string{true: "a curated environment of today", false: "registered in the workspace"}[current], s.SDK.EnvironmentName, s.SDK.EnvironmentVersion)
	return true
}

// readDockerfile keeps an image that is built from a Dockerfile.
func (m *Migration) readDockerfile(j *Job) {
	s := j.Source.SDK
	if s.R.Node.Resolve().IsMapping() && len(s.R.Node.Resolve().Entries()) > 0 {
		answer, _ := m.Decide(&account.Question{ID: "r", Scope: j.Name, Ask: "How is R installed?", Example: "image", Choices: []string{"image"},
			Why: account.Place(s.R) + " lists R packages, which no newer format installs by itself: build an image that contains them, set it as the base image, and answer `image`"})
		m.Ledger.Decide(j.Name, answer, "r", s.R)
	}
	switch {
	case s.Dockerfile.Explicit && strings.TrimSpace(s.Dockerfile.Text) != "":
		text := s.Dockerfile.Text
		if !strings.Contains(text, "\n") && !strings.HasPrefix(strings.ToUpper(strings.TrimSpace(text)), "FROM ") {
			rel := m.ofProgram(s.Dockerfile.File, path.Clean(schema.Slashes(text)))
			if there := m.Project.Exists(rel); there {
				m.Ledger.Map(j.Name, "the Dockerfile of the environment", "", s.Dockerfile)
			} else if rel = m.askDockerfile(j, rel); rel == "" {
				return
			}
			j.Dockerfile = &Dockerfile{Context: path.Dir(rel), Path: path.Base(rel), Source: s.Dockerfile}
			return
		}
		j.Dockerfile = &Dockerfile{Text: strings.TrimRight(text, "\n") + "\n", Source: s.Dockerfile}
		m.Ledger.Map(j.Name, "a Dockerfile", "", s.Dockerfile)
	case s.ContextPath.Explicit && m.folderOf(s.ContextPath) != "":
		j.Dockerfile = &Dockerfile{Context: m.folderOf(s.ContextPath), Path: cmp.Or(s.ContextFile.Text, "Dockerfile"), Source: s.ContextPath}
		m.Ledger.Map(j.Name, "the folder in which the image is built", "", s.ContextPath, s.ContextFile)
	case s.ContextPath.Explicit:
		answer, open := m.Decide(&account.Question{ID: "build-context", Scope: j.Name, Ask: "Which folder contains the Dockerfile?", Example: "docker",
			Why: account.Place(s.ContextPath) + " refers to a folder outside the project: copy its files into a folder of the project"})
		if !open {
			j.Dockerfile = &Dockerfile{Context: path.Clean(answer), Path: cmp.Or(s.ContextFile.Text, "Dockerfile"), Source: s.ContextPath}
		}
		m.Ledger.Decide(j.Name, answer, "build-context", s.ContextPath, s.ContextType, s.ContextFile)
	}
}

// ofProgram returns the path of a file that a program names relative to its own folder, if it is there and nothing has
// the same path in the project's folder.
func (m *Migration) ofProgram(f *schema.File, rel string) string {
	if there := path.Join(f.Dir(), rel); m.built[f] != nil && named(there) && m.has(there) && (!named(rel) || !m.has(rel)) {
		return there
	}
	return rel
}

// folderOf returns the folder of the project that a program names, or "".
func (m *Migration) folderOf(f schema.Field) string {
	for _, from := range []string{".", f.File.Dir()} {
		if rel := path.Join(from, schema.Slashes(f.Text)); m.built[f.File] != nil && named(rel) && m.Project.Folder(rel) {
			return rel
		}
	}
	return ""
}

// askDockerfile asks for a Dockerfile that is missing, and returns its path, or "" while nobody has answered.
func (m *Migration) askDockerfile(j *Job, missing string) string {
	f := j.Source.SDK.Dockerfile
	answer, open := m.Decide(&account.Question{ID: "dockerfile", Scope: j.Name, Ask: "Where is the Dockerfile?", Example: "Dockerfile",
		Why: account.Place(f) + " names " + account.Name(missing) + ", which does not exist"})
	m.Ledger.Decide(j.Name, answer, "dockerfile", f)
	if open {
		return ""
	}
	if rel := path.Clean(schema.Slashes(answer)); named(rel) && m.has(rel) {
		return rel
	}
	m.Refuse("dockerfile", answer, "there is no such file in the project's folder")
	return ""
}

// extendDockerfile copies the project's own Dockerfile if a conda file is installed on top of it. SDK v1 did the same:
// it read only the text of the Dockerfile. The folder of an image is not edited.
func (m *Migration) extendDockerfile(j *Job) {
	d := j.Dockerfile
	if d == nil || j.Conda == nil || d.Text != "" {
		return
	}
	if d.Source.Node != j.Source.SDK.Dockerfile.Node {
		m.Ledger.Drop(j.Name, "the project's own Dockerfile must install these packages", j.Source.CondaPath)
		return
	}
	if src, ok := m.Project.Code(path.Join(d.Context, d.Path)); ok { // which does not follow a link out of the repository
		j.Dockerfile = &Dockerfile{Text: strings.TrimRight(string(src.Text), "\n") + "\n", Source: d.Source}
	}
}

// cntkDockerfile returns the only kind of container in which CNTK still runs.
func cntkDockerfile(j *Job) *Dockerfile {
	lines := []string{
		"# CNTK 2 is linked with Open MPI 1.10, and Ubuntu 16.04 was the last release to package it. Both are out of support.",
		"FROM " + catalog.MigrationDefault("cntk-system-image").Value,
		"RUN apt-get update && apt-get install -y --no-install-recommends bzip2 ca-certificates curl libopenmpi1.10 openmpi-bin && rm -rf /var/lib/apt/lists/*",
		"RUN curl -fsSLo /tmp/miniforge.sh " + catalog.MigrationDefault("miniforge").Value + " && bash /tmp/miniforge.sh -b -p /opt/conda && rm /tmp/miniforge.sh",
	}
	if j.GPU {
		lines = append(lines, "# The wheel includes CUDA; these variables let the NVIDIA container toolkit provide the GPU.",
			"ENV NVIDIA_VISIBLE_DEVICES=all NVIDIA_DRIVER_CAPABILITIES=compute,utility")
	}
	lines = append(lines, "ENV PATH=/opt/conda/bin:$PATH")
	return &Dockerfile{Text: strings.Join(lines, "\n") + "\n"}
}

// WithConda returns the text of the Dockerfile, extended to install a conda file next to it.
func (d *Dockerfile) WithConda(name string) string {
	return d.Text + `COPY ` + name + ` /tmp/conda.yml
RUN conda env create -p /opt/env -f /tmp/conda.yml && conda clean -afy
ENV PATH=/opt/env/bin:$PATH
`
}

package catalog

import (
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
)

// azureImages is the registry path of Azure ML's base images.
const azureImages = "mcr.microsoft.com/azureml/"

// imageFacts answers about curated environments, container images and CNTK wheels.
func imageFacts(q question) []Fact {
	if e, ok := Curated(q.word); ok {
		return []Fact{curatedFact(e, q.asOf)}
	}
	if w, ok := LookupWheel(q.word); ok {
		f := Fact{Subject: w.URL, Table: "wheels", Origin: w.Origin}
		f.add("status", "published; whether it can still be fetched is not known")
		return []Fact{f}
	}
	ref, err := requirement.ParseImage(q.word)
	if err != nil {
		return nil
	}
	name := ref.Name()
	if row, ok := findRemoved(name, ref.Tag); ok {
		f := Fact{Subject: q.word, Table: "removed_tags", Origin: row.Origin}
		f.add("status", "removed from its registry")
		f.add("note", row.Why)
		return []Fact{f}
	}
	image, ok := LookupImage(name, ref.Tag)
	if !ok {
		name = azureImages + name
		image, ok = LookupImage(name, ref.Tag)
	}
	if !ok && ref.Tag == "" && len(Tags(ref.Name())) > 0 { // any of its tags will do
		name = ref.Name()
		image, ok = LookupImage(name, Tags(name)[0])
		image.Tag = ""
	}
	if tags := Tags(ref.Name()); !ok && len(tags) > 0 {
		image, _ = LookupImage(ref.Name(), tags[0])
		f := Fact{Subject: image.Repo + ":" + ref.Tag, Table: "images", Origin: image.Origin}
		f.add("status", "no such tag is recorded")
		f.add("tags", strings.Join(tags, ", "))
		return []Fact{f}
	}
	if !ok {
		return nil
	}
	return []Fact{imageFact(image, ref.Tag, q.asOf)}
}

func imageFact(image Image, tag, asOf string) Fact {
	f := Fact{Subject: image.Repo, Table: "images", Origin: image.Origin}
	if whole, _ := repositoryIndex.find(image.Repo); image.Status != "" {
		f.Source, f.Seen = whole.Source+"; "+f.Source, whole.Seen
	}
	if tag != "" {
		f.Subject += ":" + tag
	}
	f.addContent(image.GPU, image.CUDA, image.CUDNN)
	f.add("Spark", image.Spark)
	if f.add("Python", image.Python); image.Python == "" && image.BasePython != "" {
		f.add("Python", image.BasePython+" in its base environment; jobs use that of their conda file")
	}
	f.addSystem(image.OS, asOf)
	f.add("published", image.Released)
	if image.Removed {
		f.add("status", "removed from its registry")
	} else if image.Status != "" {
		f.add("status", strings.TrimSpace(image.Status+since(image.Since)))
	}
	f.add("use", image.Successor)
	f.add("note", image.Note)
	return f
}

func curatedFact(e CuratedEnvironment, asOf string) Fact {
	f := Fact{Subject: "AzureML-" + strings.TrimPrefix(e.Name, "AzureML-"), Table: "curated", Origin: e.Origin}
	status := map[string]string{
		"current": "current", "renamed": "renamed" + since(e.Since),
		"removed":    "no new versions" + since(e.Since) + "; published ones still resolve",
		"superseded": "hidden from lists; published versions still resolve",
	}[e.Status]
	f.add("status", status)
	switch {
	case e.SuccessorBy == "vendor":
		f.add("use", e.Successor)
	case e.Successor != "":
		f.add("use", e.Successor+" (the current one of the same framework)")
	}
	f.add("packages", strings.Join(e.Pins(), ", "))
	f.add("Python", e.Python)
	f.addContent(e.GPU, e.CUDA, e.CUDNN)
	f.addSystem(e.OS, asOf)
	f.add("image", e.Image)
	f.add("note", e.Note)
	return f
}

func (f *Fact) addContent(gpu bool, cuda, cudnn string) {
	if !gpu {
		f.add("GPU", "no CUDA inside")
	}
	f.add("CUDA", cuda)
	f.add("cuDNN", cudnn)
}

func (f *Fact) addSystem(os, asOf string) {
	if system, ok := systemIndex.find(os); ok {
		os += ", standard support " + until(system.EndOfSupport, asOf)
	}
	f.add("system", os)
}

func since(day string) string {
	if day == "" {
		return ""
	}
	return " since " + day
}

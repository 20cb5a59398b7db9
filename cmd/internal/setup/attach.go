package setup

import (
	"strings"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/attach"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
)

// Attach writes the files of a new compute target into the project of the working directory. create reports whether to
// write files to which they refer, and which are missing; it is given a question. password means that the user has
// given a password, which is not stored.
func (s *Setup) Attach(target attach.Target, password bool, create func(question string) (bool, error)) error {
	root := schema.ProjectOf(s.Dir)
	if err := s.createAll(root, target.Files()); err != nil {
		return err
	}
	missing := attach.Missing(root)
	if len(missing) > 0 {
		yes, err := create(thereAreNot(missing) + ", and the run configuration refers to " + plain.Them(len(missing)) + ". Create " + plain.Them(len(missing)) + "?")
		if err != nil {
			return err
		}
		if yes {
			if err := s.createAll(root, missing); err != nil {
				return err
			}
			missing = nil
		}
	}
	s.sayNext(target, password, missing)
	return nil
}

// Templates writes the conda and the Spark file of the project of the working directory, if they are missing.
func (s *Setup) Templates() error {
	root := schema.ProjectOf(s.Dir)
	missing := attach.Missing(root)
	if len(missing) == 0 {
		s.Say("nothing is missing: the conda file and the Spark file exist")
		return nil
	}
	return s.createAll(root, missing)
}

// createAll writes files of a project, all or none, and reports them.
func (s *Setup) createAll(root string, files []disk.File) error {
	if err := fixers.Create(root, files); err != nil {
		return err
	}
	for _, f := range files {
		s.done(s.shown(root, f.Name), "written")
	}
	return nil
}

// sayNext says what remains for the user to do.
func (s *Setup) sayNext(target attach.Target, password bool, missing []disk.File) {
	switch {
	case password:
		s.Say("the password was not stored, but is now in your shell's history: use an SSH key instead")
	case target.Key:
		s.Say("no key was created or copied: install yours on the machine, for example with ssh-copy-id %s", escape.Word(target.Username+"@"+target.Address))
	}
	name := escape.Word(target.Name)
	if target.Container() && !target.GPU {
		s.Say("%s is a CPU target; if the machine has a GPU: amlfix --apply --gpu %s", target.Name, name)
	}
	if len(missing) > 0 {
		s.Say("%s; the run configuration refers to %s: create %[2]s, or run amlfix attach --templates", thereAreNot(missing), plain.Them(len(missing)))
	}
	s.Say("next: amlfix run -c %s --check, which checks whether jobs can run on the target", name)
}

// thereAreNot returns the beginning of a sentence about missing files.
func thereAreNot(files []disk.File) string {
	if len(files) == 1 {
		return files[0].Name + " does not exist yet"
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return strings.Join(names, " and ") + " do not exist yet"
}

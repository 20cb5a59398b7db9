package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/attach"
	"github.com/amlfix/amlfix/schema/disk"
	"github.com/amlfix/amlfix/schema/escape"
)

func (c *call) attachCommand() *cli.Command {
	return &cli.Command{
		Name:  "attach",
		Usage: "write the files of a new compute target",
		ArgsUsage: `remotedocker|cluster|remote --name NAME --address HOST --username USER
localdocker --name NAME [FLAGS]
--type TYPE --name NAME [FLAGS]
--templates`,
		Description: `Writes aml_config/NAME.compute and aml_config/NAME.runconfig below this folder, or
in the project that contains this folder, as "az ml computetarget attach" did; all of
its spellings are accepted. Existing files are left alone. The machine itself is
not contacted. The run configuration refers to a conda and a Spark file: if one is
missing, amlfix asks on a terminal whether to write it, and --templates writes it
without asking.

  remotedocker  a container on a Linux machine, reached over SSH
  cluster       an HDInsight Spark cluster, reached over SSH
  remote        a Linux machine and its own Python, reached over SSH
  localdocker   a container on this computer`,
		UsageText: `amlfix attach remotedocker --name gpuvm --address vm.example.com --username me --gpu
amlfix attach cluster -n hdi -a spark-ssh.azurehdinsight.net -u sshuser
amlfix attach -n gpuvm -a vm.example.com -u me -k --type remotedocker
amlfix attach localdocker --name docker
amlfix attach --templates`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Aliases: []string{"n"}, Usage: "the `NAME` of the target and its files"},
			&cli.StringFlag{Name: "type", Usage: "the target's `TYPE`, if it is not the first word"},
			&cli.StringFlag{Name: "address", Aliases: []string{"a"}, Usage: "`HOST` or IP address of the machine"},
			&cli.StringFlag{Name: "username", Aliases: []string{"u"}, Usage: "the `USER` to log in as"},
			&cli.BoolFlag{Name: "gpu", Usage: "make it a GPU target: GPU image, nvidiaDocker, Framework: Python"},
			&cli.StringFlag{Name: "image", Usage: "the base `IMAGE` to use instead of " + attach.DefaultImage},
			&cli.BoolFlag{Name: "use-azureml-ssh-key", Aliases: []string{"k"}, Usage: "log in with an SSH key instead of a password"},
			&cli.StringFlag{Name: "private-key-file", Usage: "the SSH key `FILE`; the name is not stored, so SSH has to find the key"},
			&cli.StringFlag{Name: "private-key-passphrase", Usage: "accepted for old scripts; `WORD` is not stored"},
			&cli.StringFlag{Name: "password", Aliases: []string{"w"}, Usage: "accepted for old scripts; `WORD` is not stored"},
			&cli.BoolFlag{Name: "templates", Usage: "also write missing conda and Spark files; without a target, write only these"},
			&cli.BoolFlag{Name: "cluster", Usage: "the same as --type cluster"},
		},
		Operands: func() []cli.Candidate { return attachTypes },
		Values:   map[string]func() []cli.Candidate{"type": func() []cli.Candidate { return attachTypes }},
		Action:   c.attach,
	}
}

// attachTypes are the words of amlfix attach.
var attachTypes = []cli.Candidate{
	{Word: attach.RemoteDocker, About: "a container on a Linux machine, over SSH"},
	{Word: attach.Cluster, About: "an HDInsight Spark cluster, over SSH"},
	{Word: attach.Remote, About: "a Linux machine and its own Python, over SSH"},
	{Word: attach.LocalDocker, About: "a container on this computer"},
}

func (c *call) attach(ctx *cli.Context) error {
	root := schema.ProjectOf(c.Dir)
	if ctx.Bool("templates") && ctx.NArg() == 0 && ctx.NumFlags() == 1 {
		missing := attach.Missing(root)
		if len(missing) == 0 {
			c.Say("nothing is missing: the conda file and the Spark file exist")
		}
		return c.createAttached(root, missing)
	}
	kind, err := attachType(ctx)
	if err != nil {
		return err
	}
	target := attach.Target{
		Name: ctx.String("name"), Type: kind, Address: ctx.String("address"), Username: ctx.String("username"),
		Key: ctx.Bool("use-azureml-ssh-key") || ctx.IsSet("private-key-file"), GPU: ctx.Bool("gpu"), Image: ctx.String("image"),
	}
	if err := target.Check(); err != nil {
		return cli.Usage("attach", "%v", err)
	}
	if err := c.createAttached(root, target.Files()); err != nil {
		return err
	}
	missing := attach.Missing(root)
	if len(missing) > 0 {
		switch wanted, err := c.wantsTemplates(ctx, missing); {
		case err != nil:
			return err
		case wanted:
			if err := c.createAttached(root, missing); err != nil {
				return err
			}
			missing = nil
		}
	}
	c.attachNotes(ctx, target, missing)
	return nil
}

// createAttached writes files of a project and reports them.
func (c *call) createAttached(root string, files []disk.File) error {
	if len(files) == 0 {
		return nil
	}
	if err := fixers.Create(root, files); err != nil {
		return err
	}
	for _, f := range files {
		_, _ = fmt.Fprintf(c.Out, "written: %s\n", c.Rel(filepath.Join(root, filepath.FromSlash(f.Name))))
	}
	return nil
}

// wantsTemplates reports whether to write missing files. It asks only a person; the error means Ctrl-C.
func (c *call) wantsTemplates(ctx *cli.Context, missing []disk.File) (bool, error) {
	if ctx.Bool("templates") {
		return true, nil
	}
	ask, err := c.asker(ctx.Context, nil)
	if err != nil {
		return false, nil //nolint:nilerr // no terminal to ask at
	}
	yes, err := ask.confirm(thereAreNot(missing) + ", and the run configuration refers to " + pronoun(len(missing)) + ". Create it?")
	if errors.Is(err, check.ErrStopped) {
		err = nil
	}
	return yes, err
}

// attachType returns the type, from any of the places where versions of amlfix accepted it.
func attachType(ctx *cli.Context) (string, error) {
	var given []string
	given = append(given, ctx.Args().Slice()...)
	if len(given) > 1 {
		return "", cli.Usage("attach", "unexpected argument %q: give one type only, and begin flags with --", given[1])
	}
	if ctx.IsSet("type") {
		given = append(given, ctx.String("type"))
	}
	if ctx.Bool("cluster") {
		given = append(given, attach.Cluster)
	}
	if len(given) == 0 {
		return "", cli.Usage("attach", "choose the type of the target: %s", strings.Join(attach.Types(), ", "))
	}
	for _, other := range given[1:] {
		if other != given[0] {
			return "", cli.Usage("attach", "both %s and %s are given: choose one type", given[0], other)
		}
	}
	if err := (attach.Target{Type: given[0], Name: "x", Address: "x", Username: "x"}).Check(); err != nil && given[0] != attach.LocalDocker {
		return "", cli.Usage("attach", "%v%s", err, ui.DidYouMean(given[0], attach.Types()))
	}
	return given[0], nil
}

// attachNotes prints what remains for the user to do.
func (c *call) attachNotes(ctx *cli.Context, target attach.Target, missing []disk.File) {
	switch {
	case ctx.IsSet("password") || ctx.IsSet("private-key-passphrase"):
		c.Say("the password was not stored, but is now in your shell's history: use an SSH key instead")
	case target.Key:
		c.Say("no key was created or copied: install yours on the machine, for example with ssh-copy-id %s", escape.Word(target.Username+"@"+target.Address))
	}
	name := escape.Word(target.Name)
	if target.Container() && !target.GPU {
		c.Say("%s is a CPU target; if the machine has a GPU: amlfix --apply --gpu %s", target.Name, name)
	}
	if len(missing) > 0 {
		c.Say("%s; the run configuration refers to %s: create %[2]s, or run amlfix attach --templates", thereAreNot(missing), pronoun(len(missing)))
	}
	c.Say("next: amlfix run -c %s --check, which checks whether jobs can run on the target", name)
}

// thereAreNot returns the beginning of a sentence about missing files.
func thereAreNot(files []disk.File) string {
	names, verb := make([]string, len(files)), " does not exist yet"
	for i, f := range files {
		names[i] = f.Name
	}
	if len(files) > 1 {
		verb = " do not exist yet"
	}
	return strings.Join(names, " and ") + verb
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"

	"github.com/amlfix/amlfix/fixers"
	"github.com/amlfix/amlfix/schema/attach"
	"github.com/amlfix/amlfix/schema/escape"
)

func (c *call) attachCommand() *cli.Command {
	return &cli.Command{
		Name:  "attach",
		Usage: "write the files of a new compute target",
		ArgsUsage: `remotedocker|cluster|remote --name NAME --address HOST --username USER
localdocker --name NAME [FLAGS]
--type TYPE --name NAME [FLAGS]`,
		Description: `Writes aml_config/NAME.compute and aml_config/NAME.runconfig below this folder, as
"az ml computetarget attach" did; all of its spellings are understood. Files that
exist are left alone. The machine itself is not contacted.

  remotedocker  a container on a Linux machine, reached over SSH
  cluster       an HDInsight Spark cluster, reached over SSH
  remote        a Linux machine and its own Python, reached over SSH
  localdocker   a container on this computer`,
		UsageText: `amlfix attach remotedocker --name gpuvm --address vm.example.com --username me --gpu
amlfix attach cluster -n hdi -a spark-ssh.azurehdinsight.net -u sshuser
amlfix attach -n gpuvm -a vm.example.com -u me -k --type remotedocker
amlfix attach localdocker --name docker`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "name", Aliases: []string{"n"}, Usage: "the target's `NAME`, and that of its files"},
			&cli.StringFlag{Name: "type", Usage: "the target's `TYPE`, if it is not the first word"},
			&cli.StringFlag{Name: "address", Aliases: []string{"a"}, Usage: "`HOST` or IP address of the machine"},
			&cli.StringFlag{Name: "username", Aliases: []string{"u"}, Usage: "the `USER` to log in as"},
			&cli.BoolFlag{Name: "gpu", Usage: "make it a GPU target: GPU image, nvidiaDocker, Framework: Python"},
			&cli.StringFlag{Name: "image", Usage: "the base `IMAGE` in place of " + attach.DefaultImage},
			&cli.BoolFlag{Name: "use-azureml-ssh-key", Aliases: []string{"k"}, Usage: "log in with an SSH key instead of a password"},
			&cli.StringFlag{Name: "private-key-file", Usage: "the SSH key `FILE`; its name is written nowhere, SSH has to find it"},
			&cli.StringFlag{Name: "private-key-passphrase", Usage: "understood for old scripts; the `WORD` is written nowhere"},
			&cli.StringFlag{Name: "password", Aliases: []string{"w"}, Usage: "understood for old scripts; the `WORD` is written nowhere"},
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
	root := c.projectRoot()
	files := target.Files()
	if err := fixers.Create(root, files); err != nil {
		return err
	}
	for _, f := range files {
		_, _ = fmt.Fprintf(c.Out, "written: %s\n", c.Rel(filepath.Join(root, filepath.FromSlash(f.Name))))
	}
	c.attachNotes(ctx, target, root)
	return nil
}

// attachType finds the type in one of the places where it was ever written.
func attachType(ctx *cli.Context) (string, error) {
	var given []string
	given = append(given, ctx.Args().Slice()...)
	if len(given) > 1 {
		return "", cli.Usage("attach", "one type is enough, and flags begin with --: what is %q?", given[1])
	}
	if ctx.IsSet("type") {
		given = append(given, ctx.String("type"))
	}
	if ctx.Bool("cluster") {
		given = append(given, attach.Cluster)
	}
	if len(given) == 0 {
		return "", cli.Usage("attach", "say which type of target: %s", strings.Join(attach.Types(), ", "))
	}
	for _, other := range given[1:] {
		if other != given[0] {
			return "", cli.Usage("attach", "is it %s or %s? give one type", given[0], other)
		}
	}
	if err := (attach.Target{Type: given[0], Name: "x", Address: "x", Username: "x"}).Check(); err != nil && given[0] != attach.LocalDocker {
		return "", cli.Usage("attach", "%v%s", err, cli.DidYouMean(given[0], attach.Types()))
	}
	return given[0], nil
}

// projectRoot returns the folder whose aml_config the files go to.
func (c *call) projectRoot() string {
	root := c.Dir
	if filepath.Base(c.Dir) == "aml_config" {
		root = filepath.Join(root, "..")
	}
	return root
}

// attachNotes says what is left for the user to do.
func (c *call) attachNotes(ctx *cli.Context, target attach.Target, root string) {
	switch {
	case ctx.IsSet("password") || ctx.IsSet("private-key-passphrase"):
		c.Say("the password was not written anywhere, and is in your shell's history now: better log in with an SSH key")
	case target.Key:
		c.Say("no key was made or copied: put your own on the machine, for example with ssh-copy-id %s", escape.Word(target.Username+"@"+target.Address))
	}
	if missing := attach.Missing(root); len(missing) > 0 {
		verb := "is"
		if len(missing) > 1 {
			verb = "are"
		}
		c.Say("%s %s not there yet: the run configuration refers to %s", strings.Join(missing, " and "), verb, pronoun(len(missing)))
	}
}

func pronoun(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}

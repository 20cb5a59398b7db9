package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/cli"
	"github.com/amlfix/amlfix/cmd/internal/console"
	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/attach"
)

func (c *call) attachCommand() *cli.Command {
	return &cli.Command{
		Name:  "attach",
		Usage: "write the files of a new compute target",
		ArgsUsage: `remotedocker|cluster|remote -n NAME -a HOST -u USER
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
		UsageText: `amlfix attach remotedocker -n gpuvm -a vm.example.com -u me --gpu
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
	templates := ctx.Bool("templates")
	if templates && ctx.NArg() == 0 && ctx.NumFlags() == 1 {
		return c.setup().Templates()
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
		return console.Usage("attach", "%v", err)
	}
	password := ctx.IsSet("password") || ctx.IsSet("private-key-passphrase")
	return c.setup().Attach(target, password, func(question string) (bool, error) {
		prompt := c.Prompt(ctx.Context)
		if templates || prompt == nil { // without a terminal, nobody can be asked
			return templates, nil
		}
		yes, err := prompt.Confirm(question)
		if errors.Is(err, ui.ErrStopped) {
			err = nil
		}
		return yes, err
	})
}

// attachType returns the type, from any of the places where versions of amlfix accepted it.
func attachType(ctx *cli.Context) (string, error) {
	given := ctx.Args().Slice()
	if len(given) > 1 {
		if meant := ui.DidYouMean(given[0], attach.Types()); meant != "" && !slices.Contains(attach.Types(), given[0]) {
			return "", console.Usage("attach", "%q is not a type%s", given[0], meant)
		}
		return "", console.Usage("attach", "unexpected argument %q: give one type only; a name follows --name, and an address --address", given[1])
	}
	if ctx.IsSet("type") {
		given = append(given, ctx.String("type"))
	}
	if ctx.Bool("cluster") {
		given = append(given, attach.Cluster)
	}
	if len(given) == 0 {
		return "", console.Usage("attach", "choose the type of the target: %s", strings.Join(attach.Types(), ", "))
	}
	for _, other := range given[1:] {
		if other != given[0] {
			return "", console.Usage("attach", "both %s and %s are given: choose one type", given[0], other)
		}
	}
	if err := (attach.Target{Type: given[0], Name: "x", Address: "x", Username: "x"}).Check(); err != nil && given[0] != attach.LocalDocker {
		return "", console.Usage("attach", "%v%s", err, ui.DidYouMean(given[0], attach.Types()))
	}
	return given[0], nil
}

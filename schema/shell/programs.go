package shell

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/plain"
)

// program is what is known about a program: which of its options take a value, and what its first argument is. If an
// option is not listed, it is not known what follows it, and the command is not analyzed.
type program struct {
	kind kind
	// flags are options without a value, values those with one, and pairs those with two. An entry that ends with "*"
	// is a prefix.
	flags, values, pairs []string
	// ends are options with which no script is run.
	ends []string
	// module is the option after which the script is a module; command is the option whose value is a command line.
	module, command string
	// letters means that one-letter options may be combined.
	letters bool
	// takes is the language of the scripts that the program runs.
	takes Language
	// sub is the only subcommand that runs something.
	sub string
}

// Language is the language of a script.
type Language string

// The languages of scripts; "" is for files that are executed directly.
const (
	Python Language = "python"
	Shell  Language = "shell"
	Other  Language = "other"
)

type kind uint8

const (
	interpreter kind = iota // runs a script
	launcher                // runs a Python script, or a program
	wrapper                 // runs a program
	quiet                   // runs nothing of the job's own, and creates no file that could be a script
	maker                   // the same, but may create one
)

//go:embed programs.txt
var table string

// programs are the programs that jobs run, by name, and the modules that run a script, by name after moduleMark. A line
// without a tab names them, and the lines below it say what is known; those with the same word belong together.
var programs = plain.Once[map[string]program]{Make: func() map[string]program {
	byName, names := map[string]program{}, []string(nil)
	for line := range strings.Lines(table) {
		if line[0] == '#' {
			continue
		}
		words := strings.Fields(line)
		if line[0] != '\t' {
			names = words
			continue
		}
		for _, name := range names {
			p := byName[name]
			p.learn(words[0], words[1:], strings.HasPrefix(name, moduleMark))
			byName[name] = p
		}
	}
	return byName
}}

// moduleMark precedes the names of modules in programs.
const moduleMark = "-m:"

// learn adds what a line of the table says: a word, and others. A module is not followed by a subcommand.
func (p *program) learn(what string, words []string, module bool) {
	switch what {
	case "flags":
		p.flags = append(p.flags, words...)
	case "values":
		p.values = append(p.values, words...)
	case "pairs":
		p.pairs = words
	case "ends":
		p.ends = words
	case "module":
		p.module = words[0]
	case "command":
		p.command = words[0]
	case "takes":
		p.takes = Language(words[0])
	case "letters":
		p.letters = true
	case "launcher":
		p.kind = launcher
	case "wrapper":
		p.kind = wrapper
	case "sub":
		if !module {
			p.sub = words[0]
		}
	}
}

// others are programs that do not run scripts of the job. Each is in one of the lists, and not in programs.
var others = plain.Once[map[kind][]string]{Make: func() map[kind][]string {
	return map[kind][]string{
		quiet: strings.Fields(". : [ apt apt-cache apt-get arch awk basename blobfuse2 cat chmod chown conda-env cut date declare df dirname dotnet dpkg du echo egrep exit export false flake8 fgrep file find free " +
			"getconf git-lfs grep groups gunicorn head hostname htop huggingface-cli id ifconfig ip jobs kill ldconfig ldd less let local lsb_release lscpu ls lsof lspci md5sum mkdir mlflow nproc " +
			"nvidia-smi nvtop papermill ping pip pip2 pip3 pkill popd printenv printf ps pwd pwsh pytest ray read readlink readonly realpath return rm rmdir rocm-smi seq service set sha256sum shift shopt " +
			"sleep sort source stat streamlit sync sysctl tail tensorboard test top tr trap tree true type ulimit umask uname typeset unalias uniq unset uptime uvicorn wait wandb wc which whoami yes yum"),
		maker: strings.Fields("7z ar azcopy az aws bunzip2 bzip2 cmake cp curl dd dvc gcc gcloud gdown git gsutil g++ gunzip gzip install java javac jupyter jupyter-nbconvert kaggle kedro ln make mktemp mv mvn " +
			"nbconvert ninja npm nvcc ollama oras patch rename rsync scp sed sftp split ssh svn tar tee touch unrar unxz unzip virtualenv wget xz yarn yolo zip"),
	}
}}

// byName returns what is known about a program found on the search path.
func byName(name string) (program, bool) {
	if p, ok := programs.Get()[name]; ok {
		return p, true
	}
	if version, ok := strings.CutPrefix(name, "python3."); ok && strings.Trim(version, "0123456789") == "" {
		return programs.Get()["python"], true
	}
	for _, kind := range []kind{quiet, maker} {
		if slices.Contains(others.Get()[kind], name) {
			return program{kind: kind}, true
		}
	}
	return program{}, false
}

var runners = plain.Once[[]string]{Make: func() (names []string) {
	for name, p := range programs.Get() {
		if (p.takes != "" && p.sub == "" || name == "accelerate" || name == "mpirun") && !strings.HasPrefix(name, moduleMark) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}}

// Runners returns the names of the programs that run scripts, in order. They must not be changed.
func Runners() []string { return runners.Get() }

// Runner returns a program that runs the scripts with such an extension, or "".
func Runner(extension string) string {
	return map[string]string{".py": "python", ".sh": "bash", ".R": "Rscript"}[extension]
}

// IsProgram reports whether name is a known program that jobs run.
func IsProgram(name string) bool {
	_, ok := byName(name)
	return ok
}

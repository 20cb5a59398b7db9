package tracking

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/amlfix/amlfix/schema/python"
)

// Dataset is what a dataset of the run is to the script.
type Dataset int

// What a dataset may be.
const (
	Unknown Dataset = iota
	Folder          // a path, which the job mounts or downloads
	Table           // an object that creates a data frame
)

// Input is an option of a rewritten script for the path of an input or output of the job.
type Input struct {
	// Name is the dataset's name; Option is the option on the command line: "--NAME".
	Name, Option string
	// Output means that the script writes there.
	Output bool
}

// marks are the beginnings of such options' help texts, before the dataset's name.
func marks() map[bool]string {
	return map[bool]string{false: "path of the input dataset ", true: "path of the output dataset "}
}

// Inputs returns the options of a rewritten script that take its datasets, in order.
func Inputs(text []byte) (list []Input) {
	src := string(text)
	if len(text) > MaxSize || !strings.Contains(src, marks()[false]) && !strings.Contains(src, marks()[true]) {
		return nil
	}
	tokens, ok := python.Scan(src)
	if !ok {
		return nil
	}
	for i := range tokens {
		if tokens[i].Text != "add_argument" || i0(tokens, i+1) != "(" {
			continue
		}
		c, ok := python.CallAt(tokens, i+1)
		if !ok || c.Open || len(c.Positional) == 0 {
			continue
		}
		option, named := python.Literal(c.Positional[0])
		help, helped := python.Literal(c.Keywords["help"])
		for output, mark := range marks() {
			name, found := strings.CutPrefix(help, mark)
			if named && helped && found && strings.HasPrefix(option, "--") && !slices.ContainsFunc(list, func(in Input) bool { return in.Option == option }) {
				list = append(list, Input{Name: name, Option: option, Output: output})
			}
		}
	}
	return list
}

// datum is a place where the script uses a dataset of the run.
type datum struct {
	s          *python.Statement
	begin, end int // indexes of run.input_datasets["NAME"]
	name       string
	output     bool
	found      subject
}

const (
	whyWhich  = "the dataset is determined only at run time"
	whyTable  = "it is a table, which the job does not pass as a path"
	whySort   = "it is not certain that the dataset is a folder or a file"
	whyShared = "other scripts import this one: pass the path as an argument"
)

// readTable says how to read a table by hand.
func readTable(name string) string {
	option := identifier(name)
	return "mltable.load(args." + option + ").to_pandas_dataframe(), with packages mltable and azureml-dataprep[pandas], and an option --" + option +
		" of argparse; in the job `--" + option + " ${{inputs." + option + "}}` and an input " + option + " of type mltable"
}

// dataset records a use of run.input_datasets or run.output_datasets; why says what is not certain, and instead what to
// write.
func (w *writer) dataset(s *python.Statement, begin, at int, found subject) (why, instead string) {
	t := s.Tokens
	if i0(t, at+1) != "[" {
		return "the datasets are not used one by one", ""
	}
	c, ok := python.CallAt(t, at+1)
	if !ok || c.Open || len(c.Positional) != 1 {
		return whyWhich, ""
	}
	d := datum{s: s, begin: begin, end: c.End, output: t[at].Text == "output_datasets", found: found}
	if d.name, ok = w.constant(s, c.Positional[0]); !ok || d.name == "" || strings.ContainsAny(d.name, "\"'\\\n") {
		return whyWhich, ""
	}
	switch next := i0(t, c.End+1); {
	case w.commented(t[begin : c.End+1]):
		return whyPart, ""
	case next == "=":
		return "a dataset of the run is set, but nothing reads it from there any more", ""
	case w.options.Imported:
		return whyShared, ""
	case d.output:
	default:
		switch w.sort(d) {
		case Folder:
		case Table:
			return whyTable, readTable(d.name)
		case Unknown:
			return whySort, ""
		}
	}
	w.data = append(w.data, d)
	return "", ""
}

// sort returns what an input certainly is, judging by what the script does with it, or else by the job.
func (w *writer) sort(d datum) Dataset {
	t := d.s.Tokens
	if next := i0(t, d.end+1); next == "." || next == "[" {
		return tableAt(t, d.end+1)
	}
	if w.isPath(d.s, d.begin, d.end) {
		return Folder
	}
	ofJob := func() Dataset { // a question, maybe
		if w.options.Dataset == nil {
			return Unknown
		}
		return w.options.Dataset(d.name)
	}
	if len(t) < 3 || d.begin != 2 || t[1].Text != "=" || d.end != len(t)-1 || t[0].Kind != python.Name {
		return ofJob()
	}
	// it is assigned to a name
	list, in := w.bindings(d.s, t[0].Text)
	path := false
	for _, s := range w.all {
		for i, k := range s.Tokens {
			if k.Kind != python.Name || k.Text != t[0].Text || i > 0 && s.Tokens[i-1].Text == "." || s == d.s {
				continue
			}
			if _, same := w.bindings(s, k.Text); same != in {
				continue
			}
			if next := i0(s.Tokens, i+1); next == "." {
				return tableAt(s.Tokens, i+1)
			}
			path = path || w.isPath(s, i, i)
		}
	}
	if path && len(list) == 1 {
		return Folder
	}
	return ofJob()
}

// tableAt returns what a dataset is, judging by an attribute.
func tableAt(t []token, dot int) Dataset {
	if strings.HasPrefix(i0(t, dot+1), "to_") || slices.Contains([]string{"take", "keep_columns", "drop_columns", "time_after", "register"}, i0(t, dot+1)) {
		return Table
	}
	return Unknown
}

// takePaths are functions that accept only a path or an open file.
var takePaths = []string{
	"os.listdir", "os.walk", "os.scandir", "os.stat", "os.path.join", "os.path.exists", "os.path.isdir", "os.path.isfile", "os.path.abspath", "os.path.basename", "os.path.dirname",
	"glob.glob", "glob.iglob", "pathlib.Path", "shutil.copy", "shutil.copytree", "shutil.copyfile", "pandas.read_csv", "pandas.read_parquet", "pandas.read_json", "pandas.read_excel",
	"numpy.load", "numpy.loadtxt", "joblib.load", ".open",
}

// isPath reports whether an expression is used as only a path can be: as the first argument of such a function, or with
// a string added to it.
func (w *writer) isPath(s *python.Statement, begin, end int) bool {
	t := s.Tokens
	if i0(t, end+1) == "+" && end+2 < len(t) && (t[end+2].Kind == python.String || t[end+2].Kind == python.Other) {
		return true
	}
	if begin < 2 || t[begin-1].Text != "(" || i0(t, end+1) != "," && i0(t, end+1) != ")" {
		return false
	}
	from := begin - 2
	for from > 1 && t[from-1].Text == "." && t[from-2].Kind == python.Name {
		from -= 2
	}
	module, function := w.resolve(s, t[from:begin-1])
	return slices.Contains(takePaths, module+"."+function)
}

// readData rewrites the datasets as options of the script's command line.
func (w *writer) readData() {
	if len(w.data) == 0 {
		return
	}
	first := slices.MinFunc(w.data, func(a, b datum) int { return a.s.Tokens[a.begin].At - b.s.Tokens[b.begin].At })
	at := first.s.Tokens[first.begin].At
	parser, args, parse := w.ownParser()
	own := parse != nil
	if !own {
		if parser, args = "dataset_parser", "datasets"; w.uses(parser) || w.uses(args) || !w.module("argparse", at) || !w.module("sys", at) {
			for _, d := range w.data {
				w.leave(d.s, d.begin, d.found, d.s.Tokens[d.found.last+2].Text, "the names `dataset_parser` and `datasets` are already used")
			}
			w.data = nil
			return
		}
	}
	var lines []string
	options := map[Input]string{}
	for _, d := range w.data {
		in := Input{Name: d.name, Output: d.output}
		if options[in] == "" {
			options[in] = w.option(d.name)
			lines = append(lines, parser+".add_argument("+quote("--"+options[in])+", required=True, help="+quote(marks()[d.output]+d.name)+")")
		}
		w.edits = append(w.edits, Edit{d.s.Tokens[d.begin].At, d.s.Tokens[d.end].End, args + "." + options[in]})
		w.done = append(w.done, d.s.Tokens[d.begin].At)
	}
	if own {
		start, indent := parse.Tokens[0].At, w.newline()+w.indent(parse)
		w.edits = append(w.edits, Edit{start, start, strings.Join(lines, indent) + indent})
		return
	}
	w.reader = parser + " = argparse.ArgumentParser(add_help=False, allow_abbrev=False)\n" + strings.Join(lines, "\n") + "\n" +
		args + ", sys.argv[1:] = " + parser + ".parse_known_args()" // other readers of the command line do not see them
	w.needsAt(at)
}

// keywords are words that cannot be attributes.
const keywords = "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield"

// identifier returns a valid name for an attribute.
func identifier(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && wordByte(byte(r)) { //nolint:gosec // it is ASCII
			return r
		}
		return '_'
	}, name)
	if name == "" || name[0] <= '9' || slices.Contains(strings.Fields(keywords), name) {
		return "data_" + name
	}
	return name
}

// option returns a name for an option that the script does not have.
func (w *writer) option(name string) string {
	base := identifier(name)
	if w.flags == nil {
		w.flags = map[string]bool{}
		for _, k := range w.tokens {
			if k.Kind == python.String && strings.HasPrefix(k.Text, "-") {
				w.flags[strings.ReplaceAll(strings.TrimLeft(k.Text, "-"), "-", "_")] = true
			}
		}
	}
	for w.flags[base] {
		base += "_dataset"
	}
	w.flags[base] = true
	return base
}

// ownParser returns the script's only parser, the name of its parsed arguments, and the statement that parses them, if
// all uses of datasets can use that name.
func (w *writer) ownParser() (parser, args string, parse *python.Statement) {
	for _, s := range w.all {
		for i, k := range s.Tokens {
			if k.Text != "parse_args" && k.Text != "parse_known_args" && k.Text != "add_subparsers" {
				continue
			}
			t := s.Tokens
			if parse != nil || k.Text != "parse_args" || i != 4 || len(t) != 7 || t[1].Text != "=" || t[3].Text != "." || t[0].Kind != python.Name || t[2].Kind != python.Name || i0(t, 5) != "(" || i0(t, 6) != ")" {
				return "", "", nil
			}
			parse = s
		}
	}
	if parse == nil || !alone(parse) || !w.ownLines(parse) {
		return "", "", nil
	}
	args, parser = parse.Tokens[0].Text, parse.Tokens[2].Text
	in := scope(parse)
	made, inside := w.bindings(parse, parser)
	set, of := w.bindings(parse, args)
	if len(made) != 1 || len(set) != 1 || inside != in || of != in || made[0].how != assigned || !alone(made[0].at) {
		return "", "", nil
	}
	open := slices.IndexFunc(made[0].value, func(k token) bool { return k.Text == "(" })
	if open < 1 {
		return "", "", nil
	}
	if module, function := w.resolve(made[0].at, made[0].value[:open]); module != "argparse" || function != "ArgumentParser" {
		return "", "", nil
	}
	for _, d := range w.data {
		if scope(d.s) != in || d.s.Tokens[0].At < parse.Tokens[0].At {
			return "", "", nil
		}
	}
	return parser, args, parse
}

package shell_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/shell"
	"github.com/amlfix/amlfix/schema/testkit"
)

// TestParse checks how words, operators and Azure ML's substitutions are distinguished: "?" stands for what only the
// shell knows, and <…> for what Azure ML substitutes; quoted parts have quotes, and words in $[[…]] have the number of
// the group.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"python a.py --x 1":                     "python a.py --x 1",
		"a && b || c; d & e | f\ng":             "a && b || c ; d & e | f \n g",
		"a \\\n  --b":                           "a --b",
		"a 'b c' \"d e\"f \\g h\\ i":            "a 'b c' 'd e'f 'g' h' 'i",
		"a # b\nc":                              "a \n c",
		"a#b":                                   "a#b",
		"A=b C='d e' f G=h":                     "A=b; C='d e'; f G=h",
		"a > b 2>&1 >> c < d &> e":              "a >b >1 >c >d >e",
		"a 2 > b":                               "a 2 >b",
		"a $B \"$C\" ${D:-e} `f g` $(h 'i)') $": "a ? '?' ? ? ? '$'",
		"a ${{inputs.b}} '${{ inputs.c }}' \"x${{inputs.d}}\"": "a <inputs.b> '<inputs.c>' 'x''<inputs.d>'",
		"a $[[--b ${{inputs.b}}]] c $[[d]]":                    "a 1:--b 1:<inputs.b> c 2:d",
		"a --b=$[[${{inputs.b}}]]":                             "a mixed:--b=<inputs.b>",
		"a $${{outputs.b}}":                                    "a '$'<outputs.b>",
		"a \"$[[${{inputs.b}}]]\"":                             "a mixed:'<inputs.b>'",
		"a {{b}} #{c}# __d__":                                  "a ? # ?",
		"":                                                     "",
		"# only a comment":                                     "",
		"a\r\nb":                                               "a \n b",
	} {
		commands, err := shell.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if text == "a {{b}} #{c}# __d__" {
			want = "a ?" // the rest is a comment to the shell
		}
		testkit.Same(t, want, shown(commands), "%q", text)
	}
}

func shown(commands []shell.Command) string {
	var all []string
	for _, c := range commands {
		for _, w := range c.Assignments {
			all = append(all, word(w)+";")
		}
		for _, w := range c.Words {
			all = append(all, word(w))
		}
		for _, w := range c.Files {
			all = append(all, ">"+word(w))
		}
		if c.Operator != "" {
			all = append(all, c.Operator)
		}
	}
	return strings.Join(all, " ")
}

func word(w shell.Word) (text string) {
	for _, p := range w.Parts {
		part := map[shell.PartKind]string{shell.Text: p.Text, shell.Binding: "<" + p.Text + ">", shell.Unknown: "?"}[p.Kind]
		if p.Quoted && part != "" {
			part = "'" + part + "'"
		}
		text += part
	}
	switch {
	case w.Mixed:
		return "mixed:" + text
	case w.Group > 0:
		return string(rune('0'+w.Group)) + ":" + text
	}
	return text
}

// TestNotUnderstood covers what is not analyzed.
func TestNotUnderstood(t *testing.T) {
	for _, text := range []string{
		"if true; then a; fi", "for i in 1 2; do a $i; done", "while a; do b; done", "case a in b) c;; esac", "f() { a; }", "(a; b)", "{ a; }", "a <<EOF\nb\nEOF", "a <(b)",
		"a 'b", "a \"b", "a $(b", "a `b", "a $'b'", "[[ a ]] && b", "a >", "! a", "python <script>",
	} {
		if commands, err := shell.Parse(text); err == nil {
			t.Errorf("%q: %s", text, shown(commands))
		}
	}
}

// TestShellAgrees compares the words of texts without Azure ML's syntax with those that real shells parse.
func TestShellAgrees(t *testing.T) {
	texts := []string{
		"a b  c", "'a b' c", `"a b"c`, `a\ b c`, `"a\"b" '\'`, `a"b"'c'd`, `""`, `'' a`, `"a\\b\c"`, "a\\\nb", "\"a\\\nb\"", "a'\n'b", `\a\"\'\\`, "a=b --c=d", "a # b", "a#b", "#a", `"#a"`, `a\#b`,
		"{a}", "--x '{\"a\": [1, 2]}'", "a\tb", `"a'b"`, `'a"b'`, "é ü", "a:b@c%d,e/f+g-h.i", "a }", "'~'", "\"$\" a$ '$b'", "a !",
	}
	for _, name := range []string{"bash", "dash"} {
		path, err := exec.LookPath(name)
		if err != nil {
			testkit.Unavailable(t, name+" is not installed")
		}
		for _, text := range texts {
			commands, err := shell.Parse("set -- x " + text)
			if err != nil || len(commands) != 1 {
				t.Errorf("%q: %v", text, err)
				continue
			}
			var got []string
			for _, w := range commands[0].Words[3:] {
				literal, ok := w.Literal()
				if !ok {
					t.Errorf("%q: %v is not literal", text, w)
				}
				got = append(got, literal)
			}
			out, err := exec.Command(path, "-c", "set -- x "+text+"\nshift\nfor w; do printf '%s\\000' \"$w\"; done").Output()
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Split(string(out), "\x00")
			if d := cmp.Diff(want[:len(want)-1], got, cmp.Transformer("", func(l []string) string { return strings.Join(l, "\x00") })); d != "" {
				t.Errorf("%s reads %q differently: %s", name, text, d)
			}
		}
	}
}

// TestRead checks which scripts command lines run: folder/script, the module with "-m", "?" if that is not certain, "+"
// if the command may create it, and what is not analyzed.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"python train.py --a b":                                       "./train.py",
		"python3.10 -u -W ignore -X dev train.py":                     "./train.py",
		"python -uB train.py":                                         "./train.py",
		"/opt/conda/bin/python train.py":                              "./train.py",
		"python -m pkg.train --a":                                     "./-m pkg.train",
		"python -c 'import a'":                                        "",
		"python - < train.py":                                         "",
		"python --unknown train.py":                                   "left: an option of python",
		"PYTHONPATH=src python -m pkg":                                "./-m pkg [src]",
		"export PYTHONPATH=src:lib && cd app && python -m pkg":        "app/-m pkg [src lib]",
		"cd src && python train.py":                                   "src/train.py",
		"cd src; cd ..; python train.py":                              "./train.py",
		"cd ${{inputs.a}} && python train.py":                         "/train.py",
		"cd /tmp && python train.py":                                  "/train.py",
		"torchrun --nproc_per_node=4 --nnodes 2 train.py --epochs 3":  "./train.py",
		"torchrun --nproc-per-node 4 --standalone -m pkg.train":       "./-m pkg.train",
		"python -m torch.distributed.run --nproc_per_node 2 train.py": "./train.py",
		"python -m torch.distributed.launch --use_env train.py":       "./train.py",
		"torchrun --no-python ./run.sh":                               "./run.sh",
		"accelerate launch --num_processes 2 --multi_gpu train.py":    "./train.py",
		"accelerate launch --config_file c.yaml --fsdp_x 1 train.py":  "./train.py",
		"accelerate config default":                                   "",
		"deepspeed --num_gpus 2 train.py --deepspeed ds.json":         "./train.py",
		"mpirun -np 4 -x A --mca btl ^openib python train.py":         "./train.py",
		"mpirun --allow-run-as-root -np 2 --bind-to none bash run.sh": "./run.sh",
		"mpirun --mystery 4 python train.py":                          "left: an option of mpirun",
		"horovodrun -np 4 -H a:4 python train.py":                     "./train.py",
		"bash run.sh":                                                  "./run.sh",
		"bash -euo pipefail run.sh":                                    "./run.sh",
		"sh -c 'cd src && python train.py'":                            "src/train.py",
		"bash -c \"python train.py --a ${{inputs.a}}\"":                "./train.py",
		"bash -c \"python \\\"a b.py\\\"\"":                            "./a b.py",
		"./run.sh a && bin/tool":                                       "./run.sh ./bin/tool",
		"/bin/bash ./run.sh":                                           "./run.sh",
		"Rscript --vanilla train.R -i a":                               "./train.R",
		"pip install -r requirements.txt && python train.py":           "./train.py",
		"git clone https://x.test/a && python a/train.py":              "./a/train.py+",
		"wget https://x.test/train.py; python train.py":                "./train.py+",
		"echo 'print(1)' > train.py && python train.py":                "./train.py+",
		"python a.py > log.txt; python b.py":                           "./a.py ./b.py",
		"python a.py || python b.py":                                   "./a.py ./b.py?",
		"conda run -n env --no-capture-output python train.py":         "./train.py",
		"conda activate env && python train.py":                        "./train.py",
		"time -p nohup env A=b nice -n 5 timeout 60 python train.py &": "./train.py",
		"set -e; ulimit -n 1; export A=b; python train.py":             "./train.py",
		"source /opt/env/bin/activate && python train.py":              "./train.py",
		"source ./setup.sh && python train.py":                         "./setup.sh /train.py+",
		"source activate env && python train.py":                       "./train.py",
		"python train.py \\":                                           "./train.py",
		"poetry run python train.py":                                   "./train.py",
		"uv run train.py":                                              "./train.py",
		"spark-submit --master yarn job.py a":                          "./job.py",
		"$PYTHON train.py":                                             "left: a program that only the shell knows",
		"python $SCRIPT":                                               "left: a script that only the shell knows",
		"python *.py":                                                  "left: a script that only the shell knows",
		"frobnicate a":                                                 "left: the program frobnicate",
		"frobnicate a && python train.py":                              "./train.py+ left: the program frobnicate",
		"$[[python a.py ${{inputs.a}}]]":                               "./a.py?",
		"python train.py > out.txt 2>&1 | tee log.txt":                 "./train.py",
		"python -- train.py":                                           "./train.py",
		"ls; pwd; nvidia-smi":                                          "",
		"python az ml job create":                                      "./az",
		"python\naz ml job create":                                     "",
		"python -m venv v && source v/bin/activate && python train.py": "./-m venv ./train.py",
		"python -m venv v; v/bin/python a.py; w/bin/python b.py":       "./-m venv ./v/bin/python+ ./w/bin/python",
		"conda create -p ./v python && ./v/bin/python train.py":        "./v/bin/python+",
		"uv venv && .venv/bin/python train.py":                         "./.venv/bin/python+",
		"conda env create -f a.yml && python train.py":                 "./train.py",
		"[ -d src ] && cd src && python train.py":                      "/train.py?",
		"test -f a.py && python a.py || python b.py; python c.py":      "./a.py? ./b.py? ./c.py",
		"test -d src && cd src\npython train.py":                       "/train.py",
		"conda run -n env --cwd src python train.py":                   "left: an option of conda",
		"mpirun -np 2 -wdir src python train.py":                       "left: an option of mpirun",
		"uv run -m pkg.train --a":                                      "./-m pkg.train",
		"uv run --script train.py":                                     "./train.py",
		"uv pip install a && uv run python -m pkg":                     "./-m pkg",
		"poetry run train":                                             "left: the program train",
		"A=1 B='c d' FOO=$(date) python train.py":                      "./train.py",
		"# python other.py\npython train.py # and so on":               "./train.py",
		"python train.py \\\n  --a 1 \\\n  --b 2":                      "./train.py",
		"bash -lc 'source activate x && python train.py'":              "./train.py",
		"pip install a && pip install b; \\\npython train.py":          "./train.py",
		"cat a.txt | python train.py | tee log":                        "./train.py",
		"bash -c 'cd src && python a.py' && python b.py":               "src/a.py ./b.py",
		"bash -c 'source ./a.sh'; python b.py":                         "./a.sh ./b.py+",
		"python a.py || bash -c 'ls; python b.py'; python c.py":        "./a.py ./b.py? ./c.py",
		"[ -f a ] && bash -c 'ls; python b.py' && python c.py":         "./b.py? ./c.py?",
		"cd a || cd b; python c.py":                                    "/c.py",
		"cd a || exit 1; python c.py":                                  "a/c.py",
		"ls | cd a; python b.py":                                       "./b.py",
	} {
		line := shell.Read(text)
		var got []string
		for _, r := range line.Runs {
			name := r.Folder + "/" + r.Name
			if r.Module {
				name = r.Folder + "/-m " + r.Name
			}
			if len(r.Paths) > 0 {
				name += " [" + strings.Join(r.Paths, " ") + "]"
			}
			if !r.Certain {
				name += "?"
			}
			if r.Made {
				name += "+"
			}
			got = append(got, strings.ReplaceAll(name, "././", "./"))
		}
		if line.Left != "" {
			got = append(got, "left: "+line.Left)
		}
		testkit.Same(t, want, strings.Join(got, " "), "%q", text)
	}
}

// TestLinear checks that the cost of parsing a command is linear in its length.
func TestLinear(t *testing.T) {
	for _, part := range []string{"a ", "time ", "$[[", "]]", "${{a", "${{inputs.a}} ", "$(", "\"$(", "'", "\"", "`", "\\", "a=", "cd a && ", "bash -c '", "$", "${", "{", "((", "python -", "x\n", "> a ", "a > b; python c; ", "PYTHONPATH=a:b:c python d\n", "'a'b", "<a ", "a < b "} {
		testkit.Linear(t, fmt.Sprintf("%q", part), 1<<16, func(size int) func() {
			text := strings.Repeat(part, size/len(part))
			return func() { shell.Read(text) }
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"python a.py $[[--b ${{inputs.b}}]]", "bash -c 'a \"b\"' > c 2>&1", "A=b cd \"$c\" && ./d `e`", "a\\", "$[[a]]]]$[["} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range shell.Read(text).Runs {
			for _, w := range append(r.Arguments, r.Word) {
				if w.Span.Start < 0 || w.Span.End > len(text) || w.Span.Start >= w.Span.End {
					t.Fatalf("%q: %v is not in the text", text, w)
				}
			}
		}
	})
}

// TestFiles checks which requirements command lines cannot do without.
func TestFiles(t *testing.T) {
	for text, want := range map[string]string{
		"pip install -r a.txt && python b.py":          "./a.txt",
		"cd x && pip3 install -q --requirement a.txt":  "x/a.txt",
		"python -m pip install -r a.txt -r b.txt":      "./a.txt ./b.txt",
		"pip install -r a.txt; python b.py":            "",
		"pip install -r a.txt || true":                 "",
		"pip freeze > a.txt && pip install -r a.txt":   "./a.txt+",
		"pip install -r /a.txt -r ${{inputs.a}} -r":    "",
		"[ -f a.txt ] && pip install -r a.txt && true": "./a.txt?",
	} {
		var got []string
		for _, f := range shell.Read(text).Files {
			name := f.Folder + "/" + f.Name
			if f.Made {
				name += "+"
			}
			if !f.Certain {
				name += "?"
			}
			got = append(got, name)
		}
		if d := cmp.Diff(want, strings.Join(got, " ")); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}

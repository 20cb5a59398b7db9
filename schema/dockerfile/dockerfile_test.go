package dockerfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amlfix/amlfix/schema/dockerfile"
	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

// said returns the contents of an image, one line each.
func said(image dockerfile.Image) string {
	lines := []string{"from " + image.From}
	for _, item := range image.Items {
		kind := [...]string{"", "option ", "file ", "conda file ", "without "}[item.Kind]
		line := fmt.Sprintf("%d %s %s%s", item.Command, item.Manager, kind, item.Text)
		if item.Paths != nil {
			line += " " + strings.Join(item.Paths, "|")
		}
		lines = append(lines, line)
	}
	if image.MentionsCUDA {
		lines = append(lines, "perhaps CUDA")
	}
	return strings.Join(lines, "; ")
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "from "},
		{"an image", "FROM ubuntu:22.04\n", "from ubuntu:22.04"},
		{"in lower case, with a platform", "from --platform=linux/amd64 ubuntu:22.04 as base\n", "from ubuntu:22.04"},
		{"the last stage", "FROM a\nRUN pip install x\nFROM b\nRUN pip install y\n", "from b; 1 pip y"},
		{"a stage of a stage", "FROM a AS base\nRUN pip install x\nFROM c AS other\nFROM BASE\nRUN pip install y\n", "from a; 1 pip x; 2 pip y"},
		{"what comes from another stage", "FROM a AS build\nFROM b\nCOPY --from=build /venv /venv\n", "from b; perhaps CUDA"},
		{"an argument", "ARG TAG=22.04\nARG BASE=ubuntu:${TAG}\nFROM $BASE\n", "from ubuntu:22.04"},
		{"an argument's default in place", "FROM ubuntu:${TAG:-22.04}\n", "from ubuntu:22.04"},
		{"arguments that double", "ARG A=ubuntu\n" + strings.Repeat("ARG A=$A$A\n", 12) + "FROM $A\n", "from "},
		{"a path that grows", "FROM a\nCOPY r.txt .\n" + strings.Repeat("WORKDIR wwwwwwww\n", 100) + "COPY r.txt .\nRUN pip install -r r.txt\n", "from a"},
		{"an argument without a default", "ARG BASE\nFROM ${BASE}\nRUN pip install x\n", "from ; 1 pip x"},
		{"a template", "FROM mcr.microsoft.com/azureml/curated/x:{{latest-image-tag}}\n", "from mcr.microsoft.com/azureml/curated/x:{{latest-image-tag}}"},
		{"pip", "FROM a\nRUN pip install --no-cache-dir 'torch==2.3.0+cpu' \"numpy<2\" x[y]\n", "from a; 1 pip torch==2.3.0+cpu; 1 pip numpy<2; 1 pip x[y]"},
		{"python -m pip", "FROM a\nRUN python3.10 -m pip install -U pip && sudo -H /opt/conda/bin/pip3 install y\n", "from a; 1 pip pip; 2 pip y"},
		{"uv", "FROM a\nRUN uv pip install --system x\n", "from a; 1 pip x"},
		{"conda run", "FROM a\nRUN conda run -n env --no-capture-output pip install x\n", "from a; 1 pip x"},
		{"an index", "FROM a\nRUN pip install torch --index-url https://download.pytorch.org/whl/cpu --find-links=https://x/y.html\n", "from a; 1 pip torch; 1 pip option --index-url https://download.pytorch.org/whl/cpu; 1 pip option --find-links https://x/y.html"},
		{"continued lines", "FROM a\nRUN pip install \\\n    # the framework\n    torch==2.3.0 \\\n\n    numpy && \\\n    pip install x\n", "from a; 1 pip torch==2.3.0; 1 pip numpy; 2 pip x"},
		{"Windows line ends", "FROM a\r\nRUN pip install \\\r\n  torch \\\r\n  numpy\r\nRUN pip install x\r\n", "from a; 1 pip torch; 1 pip numpy; 2 pip x"},
		{"a byte order mark", "\ufeffFROM a\nRUN pip install x\n", "from a; 1 pip x"},
		{"another escape", "# escape=`\nFROM a\nRUN pip install `\n  x\n", "from a; 1 pip x"},
		{"a word on two lines", "FROM a\nRUN pip install to\\\nrch\n", "from a"},
		{"variables", "FROM a\nARG V=2.3.0\nENV W=\"1.26\" X=y\nRUN pip install torch==${V} numpy==$W other==$Z && pip install \"x==${V}\"\n", "from a; 1 pip x==2.3.0"},
		{"a redefined variable", "FROM a\nARG V=1\nENV V=2\nRUN pip install x==$V\n", "from a; 1 pip x==2"},
		{"old ENV", "FROM a\nENV V 2\nRUN pip install x==$V\n", "from a; 1 pip x==2"},
		{"a global argument", "ARG V=1\nFROM a\nRUN pip install x==$V\nARG V\nRUN pip install y==$V\n", "from a; 1 pip y==1"},
		{"an unknown option", "FROM a\nRUN pip install --target /opt x && pip install y\n", "from a; 1 pip y"},
		{"what happens in case of failure", "FROM a\nRUN false || pip install x; pip install y || true\n", "from a; 1 pip y"},
		{"conditions", "FROM a\nRUN if [ -f x ]; then pip install x; fi\n", "from a"},
		{"a script from elsewhere", "FROM a\nRUN curl https://x/cuda.sh | sh\n", "from a; perhaps CUDA"},
		{"apt-get", "FROM a\nRUN apt-get update && apt-get install -y nvidia-cuda-toolkit\n", "from a; perhaps CUDA"},
		{"apt-get without CUDA", "FROM a\nRUN apt-get update && apt-get install -y git curl\n", "from a"},
		{"removal", "FROM a\nRUN pip install torch && pip uninstall -y torch\n", "from a; 1 pip torch; 2 pip without torch"},
		{"exec form", "FROM a\nRUN [\"pip\", \"install\", \"x\"]\n", "from a"},
		{"conda", "FROM a\nRUN conda install -y -c pytorch -c nvidia pytorch=2.3 pytorch-cuda=12.1 'numpy<2' && conda clean -a\n", "from a; 1 conda pytorch=2.3; 1 conda pytorch-cuda=12.1; 1 conda numpy<2"},
		{"conda create", "FROM a\nRUN conda create -p $AZUREML_CONDA_ENVIRONMENT_PATH python=3.8 -c conda-forge -y\n", "from a"},
		{"conda create at a known place", "FROM a\nENV P=/azureml-envs/x\nRUN conda create -p $P python=3.8 -c conda-forge -y\n", "from a; 1 conda python=3.8"},
		{"a file", "FROM a\nCOPY requirements.txt /tmp/\nRUN pip install -r /tmp/requirements.txt\n", "from a; 1 pip file /tmp/requirements.txt requirements.txt"},
		{"a file beside", "FROM a\nWORKDIR /app\nCOPY deps/req.txt .\nRUN pip install -rreq.txt\n", "from a; 1 pip file req.txt deps/req.txt"},
		{"a renamed file", "FROM a\nADD [\"req.txt\", \"/x/y.txt\"]\nRUN pip install --requirement=/x/y.txt\n", "from a; 1 pip file /x/y.txt req.txt"},
		{"the whole context", "FROM a\nCOPY . /app\nWORKDIR /app\nRUN pip install -r sub/req.txt\n", "from a; 1 pip file sub/req.txt sub/req.txt"},
		{"a pattern", "FROM a\nCOPY req*.txt ./\nRUN pip install -r req-gpu.txt\n", "from a; 1 pip file req-gpu.txt req-gpu.txt"},
		{"a mount", "FROM a\nRUN --mount=type=cache,target=/root/.cache --mount=type=bind,source=req.txt,target=/r.txt pip install -r /r.txt\n", "from a; 1 pip file /r.txt req.txt"},
		{"a folder", "FROM a\nCOPY . /app\nRUN cd /app && pip install -r req.txt && pip install x\n", "from a; 1 pip file req.txt req.txt; 2 pip x"},
		{"a file of unknown origin", "FROM a\nRUN pip install -r req.txt x\n", "from a; 1 pip x"},
		{"a file that is changed", "FROM a\nCOPY req.txt .\nRUN sed -i s/cpu/cuda/ req.txt\nRUN pip install -r req.txt\n", "from a; perhaps CUDA"},
		{"a file that is changed, and copied again", "FROM a\nCOPY req.txt .\nRUN sed -i s/1/2/ req.txt\nCOPY req.txt .\nRUN pip install -r req.txt\n", "from a; 1 pip file req.txt req.txt|req.txt"},
		{"a file at the top of the context", "FROM a\nCOPY /req.txt .\nRUN pip install -r req.txt\n", "from a; 1 pip file req.txt req.txt"},
		{"a file in JSON with spaces", "FROM a\nCOPY [ \"req.txt\", \"/x/y.txt\" ]\nRUN pip install -r /x/y.txt\n", "from a; 1 pip file /x/y.txt req.txt"},
		{"a mount in other words", "FROM a\nRUN --mount=src=req.txt,type=bind,destination=/r.txt pip install -r /r.txt\n", "from a; 1 pip file /r.txt req.txt"},
		{"a mount from another stage", "FROM b AS x\nFROM a\nRUN --mount=type=bind,from=x,source=req.txt,target=/r.txt pip install -r /r.txt\n", "from a"},
		{"programs that start others", "FROM a\nRUN env A=b time pip install x && sudo -H -u me pip install y && env && time\n", "from a; 1 pip x"},
		{"a here-document that is a file", "FROM a\nADD <<EOF /x\nRUN pip install x\nEOF\nRUN pip install z\n", "from a; 1 pip z"},
		{"a file from outside", "FROM a\nCOPY ../req.txt .\nRUN pip install -r req.txt\n", "from a"},
		{"a conda file", "FROM a\nCOPY conda.yml .\nRUN conda env create -f conda.yml -p /env && rm conda.yml\n", "from a; 1 conda conda file conda.yml conda.yml"},
		{"a conda file by another option", "FROM a\nCOPY conda.yml .\nRUN mamba env update --name base --file=conda.yml -q\n", "from a; 1 conda conda file conda.yml conda.yml"},
		{"a here-document", "FROM a\nRUN <<EOF\nset -e\npip install x\npip install y\nEOF\nRUN pip install z\n", "from a; 1 pip x; 2 pip y; 3 pip z"},
		{"a here-document for a program", "FROM a\nRUN python <<-'EOF'\n\tpip install x\n\tEOF\nRUN pip install z\n", "from a; 1 pip z"},
		{"another shell", "FROM a\nSHELL [\"powershell\", \"-command\"]\nRUN pip install x\n", "from a"},
		{"a shell in an environment", "FROM a\nSHELL [\"conda\", \"run\", \"-n\", \"e\", \"/bin/bash\", \"-c\"]\nRUN pip install x\n", "from a; 1 pip x"},
		{"a redirection", "FROM a\nRUN pip install torch>=2.0\n", "from a; 1 pip torch"},
		{"an image of which a part is not known", "ARG HOST\nFROM ${HOST}/b:1\nRUN pip install x\n", "from ; 1 pip x"},
		{"a here-string", "FROM a\nRUN cat <<<b\nRUN pip install x\n", "from a; 1 pip x"},
		{"what looks like a here-document in quotes", "FROM a\nRUN python -c \"print(1 <<n)\" && echo '<<n'\nRUN pip install x\n", "from a; 1 pip x"},
		{"a folder that is not known", "FROM a\nCOPY . .\nRUN cd $B && pip install -r req.txt x && cd /c && pip install y\n", "from a; 1 pip x; 2 pip y"},
		{"one of two folders", "FROM a\nCOPY . .\nRUN cd b || cd c; pip install -r req.txt\n", "from a"},
		{"a folder that is left again", "FROM a\nCOPY . .\nRUN pushd b && pip install -r req.txt\nRUN cd b && cd - && pip install -r req.txt\n", "from a"},
		{"ONBUILD", "FROM a\nONBUILD RUN pip install x\n", "from a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			testkit.Same(t, c.want, said(dockerfile.Read([]byte(c.text))))
		})
	}
}

func TestRequirements(t *testing.T) {
	for text, want := range map[string]string{
		"a==1\t# why\nb # and\nc#d\n":                "a==1; b; c#d",
		"# a \\\nb\n  # c \\\r\nd\n":                 "b; d",
		"a \\\n  ==1 \\\n  # why\nb":                 "a     ==1; b",
		"a # why \\\nb\nc":                           "a; c",
		"-r a.txt\t# b\n--requirement=\"c.txt\"\r\n": "file a.txt; file c.txt",
		"\ufeffa": "a",
	} {
		var got []string
		for _, item := range dockerfile.Requirements([]byte(text)) {
			got = append(got, [...]string{"", "option ", "file "}[item.Kind]+item.Text)
		}
		testkit.Same(t, want, strings.Join(got, "; "), "%q", text)
	}
}

// TestPlaces checks the text at each span.
func TestPlaces(t *testing.T) {
	text := "\ufeffARG B=a\nFROM $B AS x\r\nRUN pip install \\\r\n  # why\r\n  'torch==2' -i \\\r\n https://x && \\\r\n  pip install \\\r\n -r r.txt\r\n"
	image := dockerfile.Read([]byte(text))
	got := text[image.FromSpan.Start:image.FromSpan.End]
	for _, item := range image.Items {
		got += " | " + text[item.Span.Start:item.Span.End]
	}
	testkit.Same(t, "$B | 'torch==2' | -i \\\r\n https://x", got)
}

// TestReal checks what is read from the Dockerfiles of real projects.
func TestReal(t *testing.T) {
	root := testkit.CorpusV2(t, "projects")
	images, with := 0, 0
	testkit.OK(t, filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(strings.ToLower(d.Name()), "dockerfile") || strings.HasSuffix(d.Name(), ".yml") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		image := dockerfile.Read(text)
		if images++; image.From == "" {
			t.Errorf("%s has no base image", name)
		}
		if len(image.Items) > 0 {
			with++
		}
		rel, _ := filepath.Rel(root, name)
		t.Log(rel, said(image))
		return nil
	}))
	t.Logf("%d of %d install something", with, images)
	if images > 0 && with*2 < images {
		t.Errorf("only %d of %d install something", with, images)
	}
}

// TestLinear checks that a Dockerfile of the largest size costs little more than its text.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ begin, piece string }{
		{"FROM a\nENV A=" + strings.Repeat("a", 8000) + "\n", "ENV B=$A$A\n"},
		{"FROM a\nRUN ", "cd a && "},
		{"FROM a\nRUN ", "--mount=type=bind,source=a,target=b "},
		{"", "FROM a AS b\n"},
		{"FROM a\n", "WORKDIR a\n"},
		{"FROM a\nWORKDIR /w\n", "COPY a /w/\nRUN pip install -r b\n"},
		{"FROM a\n", "RUN --mount=type=bind,source=a,target=/w pip install -r /w/a\n"},
		{"FROM a\nRUN pip install", " -r /b"},
	} {
		testkit.Linear(t, c.piece, dockerfile.MaxSize/4-2500, func(size int) func() {
			text := []byte(c.begin + strings.Repeat(c.piece, size/len(c.piece)))
			return func() { dockerfile.Read(text) }
		})
	}
}

// FuzzRead looks for spans outside the text, and for texts that take long.
func FuzzRead(f *testing.F) {
	f.Add([]byte("ARG A=b\nFROM $A AS x\nCOPY [\"a\", \"b/\"]\nRUN --mount=type=bind,source=a,target=b <<E\npip install -r a\nE\n"))
	f.Add([]byte("# escape=`\nFROM a\nENV A=\"b c\" D='e'\nRUN conda env create -f `\n#x\n a && pip install $A\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		image := dockerfile.Read(text)
		spans := []source.Span{image.FromSpan}
		for _, item := range image.Items {
			spans = append(spans, item.Span)
			for _, p := range item.Paths {
				if strings.HasPrefix(p, "../") || p == ".." {
					t.Errorf("%q is outside the context", p)
				}
			}
		}
		for _, s := range image.Sources {
			spans = append(spans, s.Span)
		}
		if image.Stray != nil {
			spans = append(spans, image.Stray.Span)
		}
		for _, s := range spans {
			if s.Start < 0 || s.Start > s.End || s.End > len(text) {
				t.Errorf("span %v of %d bytes", s, len(text))
			}
		}
	})
}

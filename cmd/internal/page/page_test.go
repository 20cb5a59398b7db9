package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/runtime/project"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/testkit"
)

var update = flag.Bool("update", false, "write the golden pages")

var began = time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC)

// printed is a piece of a log.
type printed struct {
	text    string
	isError bool
}

// kept creates the files of a record, and returns the record.
func kept(t testing.TB, r record.Record, log []printed, looks ...record.Look) record.Entry {
	t.Helper()
	dir := record.Dir(t.TempDir(), r.ID)
	testkit.OK(t, os.MkdirAll(dir, 0o700))
	var text, index, gpus bytes.Buffer
	for _, p := range log {
		text.WriteString(p.text)
		n := uint64(len(p.text)) << 1
		if p.isError {
			n |= 1
		}
		index.Write(binary.AppendUvarint(nil, n))
	}
	for _, l := range looks {
		testkit.OK(t, json.NewEncoder(&gpus).Encode(l))
	}
	for name, b := range map[string]*bytes.Buffer{"log": &text, "log.index": &index, "gpus.jsonl": &gpus} {
		testkit.OK(t, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600))
	}
	return record.Entry{Record: r, Dir: dir}
}

func written(t testing.TB, r Run) string {
	t.Helper()
	var b strings.Builder
	testkit.OK(t, Write(&b, r))
	return b.String()
}

// onGPU returns a run that has everything.
func onGPU(t testing.TB) Run {
	r := record.Record{
		ID: runid.MustParse("20261122-093000-3f2a7c"), Name: "train", Target: "gpuvm", Kind: "remotedocker", Project: "/home/ada/mnist", Created: began, Script: "train.py",
		Arguments: []string{"train.py", "--epochs", "30", "--learning-rate=0.01", "--data", "$AZUREML_NATIVE_SHARE_DIRECTORY/mnist"}, GPUs: "all",
		Git:   &record.Commit{ID: "8f14e45fceea167a5a36dedd4bea2543ac45f9c1", Branch: "main", Changed: true},
		Image: &record.Image{Name: "amlfix/env:5c0a1d", ID: "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
		Environment: &record.Environment{File: "aml_config/conda_dependencies.yml", Way: "conda", Base: record.Image{Name: "nvidia/cuda:11.8.0-cudnn8-runtime-ubuntu22.04", Digest: "nvidia/cuda@sha256:0b0b822cd15d6c15b0f00a089f86d081884c7d659a2feaa0c55ad015a3bf4f1b"},
			Packages: []string{"python=3.8", "pytorch=2.0.1", "torchvision", "numpy<2", "mlflow==2.9.2"}},
		Checks: []record.Check{{Topic: "connection", Status: "ok", Text: "ada@gpuvm answers"}, {Topic: "gpus", Status: "ok", Text: "the engine gives 2 × Tesla T4, driver 535.129.03"},
			{Topic: "driver", Status: "ok", Text: "driver 535.129.03 is new enough for CUDA 11.8, which requires 450.80.02"}, {Topic: "disk", Status: "doubtful", Text: "4.1 GB is free in /var/lib/docker, where the image is unpacked: make room"}},
		State: progress.Done, Handle: record.Handle{Host: "gpuvm", User: "ada"}, Outcome: "succeeded", Exit: &process.Exit{Started: began.Add(40 * time.Second), Ended: began.Add(20*time.Minute + 40*time.Second)},
		GPU: &record.GPU{Short: "GPU used", Proven: true, Names: []string{"Tesla T4", "Tesla T4"}, Way: "device request", Line: 3, Driver: "535.129.03",
			Sentence: "GPU used: 2 × Tesla T4 (TensorFlow, log line 3: \"Created TensorFlow device\"); nvidia-smi showed a process of the job on it, at most 97% busy and 13.9 GB of memory used",
			Peak:     &record.Peak{Samples: 240, Utilisation: 97, Memory: 13_900_000_000, Process: true}},
		Outputs:  &record.Outputs{Files: []project.File{{Path: "model.pt", Bytes: 94_371_840}, {Path: "plots/confusion matrix.png", Bytes: 48_213}, {Path: "mlruns/0/meta.yaml", Bytes: 402}}, Bytes: 94_420_455},
		Warnings: []string{"not copied, because .gitignore lists it: data; an .amlignore file takes precedence over it", "the job wrote 2 files outside outputs/, which will not be copied back: checkpoints/1.pt, checkpoints/2.pt"},
		Plan: []record.Line{{Name: "target", Value: "gpuvm", From: "aml_config/train.runconfig:3"}, {Name: "runs", Value: "remotedocker", From: "aml_config/gpuvm.compute:1"},
			{Name: "image", Value: "nvidia/cuda:11.8.0-cudnn8-runtime-ubuntu22.04", From: "aml_config/gpuvm.compute:4"}, {Name: "gpus", Value: "all", From: "aml_config/gpuvm.compute:6"},
			{Name: "program", Value: "python", From: "default"}, {Name: "argument", Value: "train.py", From: "command line"}, {Name: "argument", Value: "--epochs", From: "aml_config/train.runconfig:12"},
			{Name: "argument", Value: "30", From: "aml_config/train.runconfig:13"}, {Name: "variable", Value: "STORAGE_KEY=***", From: "aml_config/train.runconfig:20"},
			{Name: "variable", Value: "PYTHONUNBUFFERED=1", From: "default: output is not buffered"}, {Name: "outputs", Value: "outputs/", From: "what the job writes there is copied back"},
			{Name: "note", Value: "services is for Azure ML, and is not used", From: "aml_config/train.runconfig:31"}},
	}
	for i, s := range []string{"planned", "checking", "creating", "uploading", "starting", "running", "collecting", "done"} {
		r.States = append(r.States, record.Step{State: progress.State(s), At: began.Add(time.Duration([]int64{0, 20, 9000, 11000, 39000, 40000, 1240000, 1243000}[i] * 1_000_000))})
	}
	log := []printed{{"Loading \x1b[1;32mMNIST\x1b[0m …\n", false}, {"warning: the tokenizer is slow\n", true}, {"Created TensorFlow device (/job:localhost/device:GPU:0)\n", false},
		{"  0%|          | 0/30\r  50%|#####     | 15/30\r 100%|##########| 30/30\n", true}, {"uploading with AccountKey=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmU=;\n", false}}
	for e := range 30 {
		log = append(log, printed{fmt.Sprintf("epoch %2d/30  loss %.4f  accuracy %.3f\n", e+1, math.Exp(-float64(e)/9), 1-0.6*math.Exp(-float64(e)/7)), false})
	}
	var looks []record.Look
	for i := range 240 {
		l := record.Look{At: began.Add(41*time.Second + time.Duration(5*i)*time.Second)}
		for g := range 2 {
			busy := 90 + int(7*math.Sin(float64(i)/(3+float64(g))))
			if i < 6 || i%60 > 56 {
				busy = 4 * g
			}
			l.GPUs = append(l.GPUs, record.Card{Name: "Tesla T4", Utilisation: busy, Used: int64(min(i, 8)+5*g) << 30, Total: 15 << 30})
		}
		looks = append(looks, l)
	}
	loss, accuracy, steps, broken := Metric{Name: "loss"}, Metric{Name: "val/accuracy"}, Metric{Name: "train/loss per step"}, Metric{Name: "gradient norm"}
	for e := range 30 {
		loss.Values, accuracy.Values = append(loss.Values, math.Exp(-float64(e)/9)), append(accuracy.Values, 1-0.6*math.Exp(-float64(e)/7))
		broken.Values = append(broken.Values, 2+math.Sin(float64(e)))
	}
	broken.Values[7], broken.Values[8], broken.Values[20] = math.NaN(), math.NaN(), math.Inf(1)
	for i := range 12_000 {
		steps.Values = append(steps.Values, 2*math.Exp(-float64(i)/3000)+0.3*math.Abs(math.Sin(float64(i*i))))
	}
	return Run{Entry: kept(t, r, log, looks...), Job: "train.py --epochs 30 --learning-rate=0.01", State: "succeeded", Sentence: "succeeded after 20m00s", Took: "20m00s", Version: "0.9.0", Now: began.Add(time.Hour),
		Metrics: []Metric{loss, accuracy, steps, broken, {Name: "test accuracy", Values: []float64{0.9834}}, {Name: "best checkpoint", Text: "outputs/model.pt"}}}
}

// failed returns a run with little to show.
func failed(t testing.TB) Run {
	r := record.Record{ID: runid.MustParse("20261122-093000-aa00bb"), Name: "local", Target: "local", Kind: "local", Project: "/home/ada/mnist", Created: began, Script: "train.py", State: progress.Done, Outcome: "failed",
		Exit: &process.Exit{Code: 1, Started: began, Ended: began.Add(800 * time.Millisecond)}, GPU: &record.GPU{Short: "no evidence", Sentence: "no evidence in the log of whether a GPU was used (3 lines read; some frameworks, such as PyTorch, print none)"}}
	return Run{Entry: kept(t, r, []printed{{"Traceback (most recent call last):\n  File \"train.py\", line 1\nModuleNotFoundError: No module named 'torch'\n", true}}), Job: "train.py", State: "failed", Sentence: "failed with exit code 1 after 800ms", Version: "0.9.0", Now: began.Add(time.Hour)}
}

// TestGolden compares whole pages; after -update, also view them in a browser.
func TestGolden(t *testing.T) {
	for name, r := range map[string]Run{"gpu": onGPU(t), "failed": failed(t)} {
		got, file := written(t, r), filepath.Join("testdata", name+".html")
		if *update {
			testkit.OK(t, os.WriteFile(file, []byte(got), 0o600))
			continue
		}
		want := testkit.Read(t, file)
		testkit.Same(t, want, got, file)
		inert(t, got)
	}
}

// tags are the elements that a page may have, and attributes those that they may have.
var (
	tags       = regexp.MustCompile(`<([!/a-zA-Z][^\s/>]*)((?:[^<>"]|"[^"]*")*)>`)
	attributes = regexp.MustCompile(`([^\s=>"/]+)(?:="([^"]*)")?`)
)

// inert fails the test unless nothing on a page acts or loads: only known elements and attributes, links within the
// page, and the one style that its policy allows.
func inert(t *testing.T, text string) {
	t.Helper()
	known := map[string]bool{"!DOCTYPE": true}
	for _, e := range strings.Fields("html head meta title style body a p h1 h2 h3 div section header nav main footer ul li dl dt dd strong span table caption thead tbody tr th td code time figure figcaption svg desc g line text path circle details summary") {
		known[e] = true
	}
	may := map[string]bool{}
	for _, a := range strings.Fields("html lang charset http-equiv content name class href id aria-hidden aria-label aria-labelledby role tabindex scope datetime viewBox x y x1 x2 y1 y2 cx cy r dy d") {
		may[a] = true
	}
	style := text[strings.Index(text, "<style>")+7 : strings.Index(text, "</style>")]
	sum := sha256.Sum256([]byte(style))
	if policy := "content=\"default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(html.UnescapeString(text), policy) {
		t.Error("the policy does not name the style")
	}
	rest := strings.Replace(text, style, "", 1)
	for _, m := range tags.FindAllStringSubmatch(rest, -1) {
		if !known[strings.TrimPrefix(m[1], "/")] {
			t.Errorf("an element that no page has: %.200q", m[0])
		}
		for _, a := range attributes.FindAllStringSubmatch(m[2], -1) {
			if !may[a[1]] || a[1] == "href" && !strings.HasPrefix(a[2], "#") {
				t.Errorf("an attribute that no page has: %.200q in %.200q", a[0], m[0])
			}
		}
	}
	if left := tags.ReplaceAllString(rest, ""); strings.ContainsAny(left, "<>") {
		i := strings.IndexAny(left, "<>")
		t.Errorf("markup that is no element: %.80q", left[max(0, i-20):])
	}
	if !utf8.ValidString(text) {
		t.Error("the page is not UTF-8")
	}
	for i, r := range text {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x202a && r <= 0x202e {
			t.Fatalf("a control character %U at %d: %q", r, i, text[max(0, i-40):min(len(text), i+20)])
		}
	}
}

// TestJobOfV2 checks that the file of a job of v2 is not called a run configuration.
func TestJobOfV2(t *testing.T) {
	r := failed(t)
	r.Name, r.Plan = "job.yml", []record.Line{{Name: "command", Value: "ls", From: "job.yml:2"}}
	text := written(t, r)
	if !strings.Contains(text, "<dt>Job</dt><dd>job.yml</dd>") || strings.Contains(strings.ToLower(text), "run configuration") {
		t.Error(text)
	}
}

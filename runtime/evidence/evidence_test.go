package evidence

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/testkit"
)

func verdict(log string) Verdict {
	s := New(catalog.LogPatterns())
	_, _ = io.WriteString(s.Stream(), log)
	return s.Verdict()
}

const (
	block    = "name: Tesla K80\nmajor: 3 minor: 7 memoryClockRate (GHz) 0.8235\npciBusID 06c3:00:00.0\nTotal memory: 11.17GiB\n"
	creating = "Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 06c3:00:00.0)\n"
	created  = "Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:%d with 6878 MB memory) -> physical GPU (device: %[1]d, name: Tesla K80, pci bus id: 0000:0%[1]d:00.0, compute capability: 3.7)\n"
	skipping = "Skipping registering GPU devices...\n"
)

func TestSentences(t *testing.T) {
	two := fmt.Sprintf(created, 0) + fmt.Sprintf(created, 1)
	tests := []struct {
		name, log, want string
		level           Level
	}{
		{"nothing", "epoch 1\nepoch 2", "no evidence in the log of whether a GPU was used (2 lines read; some frameworks, such as PyTorch, print none)", None},
		{"used", block + creating, `GPU used: Tesla K80 (TensorFlow, log line 5: "Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 06c3:00:00.0")`, Used},
		{"two GPUs, each named twice", two + two,
			`GPU used: 2 × Tesla K80 (TensorFlow, log line 1: "Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with 6878 MB memory) -> phys…")`, Used},
		{"visible", "start\n" + block, `GPU visible to the framework: Tesla K80, but nothing shows that it was used: TensorFlow lists every GPU that it finds like this, and prints "Creating TensorFlow device" or, in later versions, "Created device" when it uses one (TensorFlow, log line 2: "name: Tesla K80 major: 3 minor: 7 memoryClockRate (GHz) 0.8235 pciBusID 06c3:00:00.0")`, Visible},
		{"seen, but given up", block + skipping, `CPU only: the framework found no usable GPU and continued without one (TensorFlow, log line 5: "Skipping registering GPU devices")`, CPU},
		{"used, but the library is missing", creating + "ImportError: libcublas.so.9.0: cannot open shared object file: No such file\n",
			`CPU only: a CUDA library of the version that the framework needs is missing (TensorFlow, log line 2: "ImportError: libcublas.so.9.0: cannot open shared object file")`, CPU},
		{"memory", creating + "CUDA_ERROR_OUT_OF_MEMORY\n", `GPU used: Tesla K80, its memory ran out (CUDA, log line 2: "CUDA_ERROR_OUT_OF_MEMORY")`, Used},
		{"an operation", block + "Executing op MatMul in device /job:localhost/replica:0/task:0/device:GPU:0\n",
			`GPU used (TensorFlow, log line 5: "Executing op MatMul in device /job:localhost/replica:0/task:0/device:GPU:0")`, Used},
		{"an operation of a session", "MatMul: (MatMul): /job:localhost/replica:0/task:0/device:GPU:0\n", `GPU used (TensorFlow, log line 1: "MatMul: (MatMul): /job:localhost/replica:0/task:0/device:GPU:0")`, Used},
		{"operations on the CPU", "Executing op MatMul in device /job:localhost/replica:0/task:0/device:CPU:0\nMatMul: (MatMul): /job:localhost/replica:0/task:0/cpu:0\n",
			"no evidence in the log of whether a GPU was used (2 lines read; some frameworks, such as PyTorch, print none)", None},
		{"CNTK", "Selected GPU[0] Tesla K80 as the process wide default device.\n", `GPU used: Tesla K80 (CNTK, log line 1: "Selected GPU[0] Tesla K80 as the process wide default device.")`, Used},
		{"CNTK on the CPU", "Build target: GPU\nSelected CPU as the process wide default device.\n", `CPU only: the job says so (CNTK, log line 2: "Selected CPU as the process wide default device.")`, CPU},
		{"libraries", "successfully opened CUDA library libcuda.so.1 locally\n",
			`no evidence in the log that a GPU was used: the CUDA libraries were loaded, which is not proof (TensorFlow, log line 1: "successfully opened CUDA library libcuda.so.1 locally")`, None},
		{"another maker", "Created TensorFlow device (/job:localhost/replica:0/task:0/device:GPU:0 with 9 MB memory) -> physical GPU (device: 0, name: Radeon VII, pci bus id: 0000:01:00.0, compute capability: 9.0)\n",
			"no evidence in the log of whether a GPU was used (1 line read; some frameworks, such as PyTorch, print none)", None},
		{"another vendor's name elsewhere", "dataset: Radeon reviews\n" + creating, `GPU used: Tesla K80 (TensorFlow, log line 2: "Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 06c3:00:00.0")`, Used},
		{"stand-in", "GPU 0: AMLFIX-STANDIN\n" + creating,
			`STAND-IN, not a real GPU: GPU used: Tesla K80 (TensorFlow, log line 2: "Creating TensorFlow device (/gpu:0) -> (device: 0, name: Tesla K80, pci bus id: 06c3:00:00.0")`, Used},
		{"stand-in, nothing else", "STAND-IN\n", "STAND-IN, not a real GPU: no evidence in the log of whether a GPU was used (1 line read; some frameworks, such as PyTorch, print none)", None},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := verdict(tt.log)
			if d := cmp.Diff(tt.want, v.Sentence()); d != "" || v.Level != tt.level {
				t.Errorf("level %d, want %d\n%s", v.Level, tt.level, d)
			}
			if v.Proven() != (tt.level == Used && !strings.HasPrefix(tt.name, "stand-in")) {
				t.Errorf("Proven = %v", v.Proven())
			}
		})
	}
}

// TestWithoutDriver checks that no line in the catalog counts as GPU use on a machine without a driver, and that no
// other verdict changes there.
func TestWithoutDriver(t *testing.T) {
	for _, row := range catalog.LogPatterns() {
		v := verdict(row.Example)
		w := v.WithoutDriver()
		if v.Level < Visible {
			testkit.Same(t, v, w, row.ID)
			continue
		}
		if s := w.Sentence(); w.Level != CPU || w.Proven() || w.Short() != "CPU only" || !strings.HasPrefix(s, "CPU only: ") || !strings.Contains(s, v.Quote) {
			t.Errorf("%s: %s", row.ID, s)
		}
	}
	standIn := verdict("STAND-IN\n" + creating)
	testkit.Same(t, standIn, standIn.WithoutDriver())
}

// TestShort checks that the two words and the sentence agree.
func TestShort(t *testing.T) {
	for log, want := range map[string]string{"": "no evidence", creating: "GPU used", block: "GPU visible", skipping: "CPU only"} {
		if v := verdict(log); v.Short() != want || !strings.HasPrefix(v.Sentence(), want) {
			t.Errorf("%q: %q, %s", log, v.Short(), v.Sentence())
		}
	}
}

func TestEveryExampleOfTheCatalogIsFound(t *testing.T) {
	weight := map[string]int{"": 1 << 30}
	for i, row := range catalog.LogPatterns() {
		weight[row.ID] = i
	}
	for _, row := range catalog.LogPatterns() {
		v := verdict("before\n" + row.Example + "\nafter\n")
		if row.Verdict == catalog.VerdictNotNVIDIA {
			if v.Pattern != "" {
				t.Errorf("%s counted: %+v", row.ID, v)
			}
			continue
		}
		// some examples contain a second message, which may outrank the first
		if weight[v.Pattern] > weight[row.ID] || v.Line != 2 {
			t.Errorf("%s was not found: %+v", row.ID, v)
		}
	}
}

// TestPublishedLogs gives lines of logs that people have published, by framework, the verdict that a reader would give.
func TestPublishedLogs(t *testing.T) {
	const (
		lightgbm = "[LightGBM] [Info] This is the GPU trainer!!\n[LightGBM] [Info] Using GPU Device: %s\n[LightGBM] [Info] Compiling OpenCL Kernel with 64 bins...\n[LightGBM] [Info] GPU programs have been built\n[LightGBM] [Info] Size of histogram bin entry: 8\n%s\n"
		groups   = "[LightGBM] [Info] 28 dense feature groups (280.38 MB) transferred to GPU in 0.201267 secs. 0 sparse feature groups"
		t4       = "gpu_device.cc:1720] Found device 0 with properties: \npciBusID: 0000:06:00.0 name: Tesla T4 computeCapability: 7.5\ncoreClock: 1.59GHz coreCount: 40\n"
		trainer  = "GPU available: %s\nTPU available: False, using: 0 TPU cores\nHPU available: False, using: 0 HPUs\n"
	)
	tests := []struct{ name, log, want, gpu string }{
		{"Lightning", fmt.Sprintf(trainer, "True (cuda), used: True") + "LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0]\n", "GPU used", ""},
		{"Lightning names it", "You are using a CUDA device ('NVIDIA RTX A2000 12GB') that has Tensor Cores.\n", "GPU used", "NVIDIA RTX A2000 12GB"},
		{"Lightning, trains nothing", fmt.Sprintf(trainer, "True, used: True"), "GPU visible", ""},
		{"Lightning, GPU not used", fmt.Sprintf(trainer, "True (cuda), used: False"), "CPU only", ""},
		{"Lightning, no GPU", fmt.Sprintf(trainer, "False, used: False"), "CPU only", ""},
		{"Lightning on a Mac", fmt.Sprintf(trainer, "True (mps), used: True"), "no evidence", ""},
		{"NCCL", "node01:3384:3414 [0] NCCL INFO comm 0x7fe3d4001980 rank 0 nranks 1 cudaDev 0 nvmlDev 0 - Init COMPLETE\n", "GPU used", ""},
		{"XGBoost", "[02:47:46] WARNING: error_msg.cc:58: Falling back to prediction using DMatrix due to mismatched devices. XGBoost is running on: cuda:0, while the input data is on: cpu.\n", "GPU used", ""},
		{"XGBoost, no GPU", "[09:12:50] WARNING: context.cc:44: No visible GPU is found, setting `gpu_id` to -1\n", "CPU only", ""},
		{"XGBoost, CPU build", "xgboost.core.XGBoostError: [09:12:50] common.h:157: XGBoost version not compiled with GPU support.\n", "CPU only", ""},
		{"LightGBM", fmt.Sprintf(lightgbm, "NVIDIA GeForce RTX 3090, Vendor: NVIDIA Corporation", groups), "GPU used", "NVIDIA GeForce RTX 3090"},
		{"LightGBM, nothing to compute there", fmt.Sprintf(lightgbm, "Tesla K80, Vendor: NVIDIA Corporation", "[LightGBM] [Warning] GPU acceleration is disabled because no non-trivial dense features can be found"), "no evidence", ""},
		{"LightGBM, OpenCL on the CPU", fmt.Sprintf(lightgbm, "Intel(R) Core(TM) i7-4600U CPU @ 2.10GHz, Vendor: GenuineIntel", groups), "no evidence", ""},
		{"LightGBM, CPU build", "[LightGBM] [Fatal] CUDA Tree Learner was not enabled in this build.\n", "CPU only", ""},
		{"JAX, no GPU", "WARNING:absl:No GPU/TPU found, falling back to CPU. (Set TF_CPP_MIN_LOG_LEVEL=0 and rerun for more info.)\n", "CPU only", ""},
		{"JAX, CPU build", "An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed. Falling back to cpu.\n", "CPU only", ""},
		{"JAX, wrong library", "CUDA backend failed to initialize: Found cuBLAS version 11201, but JAX was built against version 111103, which is newer.\n", "CPU only", ""},
		{"Transformers", "05/12/2022 - WARNING - __main__ - Process rank: -1, device: cuda:0, n_gpu: 1distributed training: False\n", "GPU visible", ""},
		{"Transformers, CPU", "06/13/2024 10:23:16 - WARNING - __main__ -   device: cpu, n_gpu: 0\n", "CPU only", ""},
		{"PyTorch, autocast", "UserWarning: User provided device_type of 'cuda', but CUDA is not available. Disabling\n", "CPU only", ""},
		{"PyTorch, GradScaler", "UserWarning: torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.\n", "CPU only", ""},
		{"PyTorch, load", "RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are\n", "CPU only", ""},
		{"PyTorch, DataLoader", "UserWarning: 'pin_memory' argument is set as true but no accelerator is found, then device pinned memory won't be used.\n", "CPU only", ""},
		{"nvidia-smi", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest\n", "CPU only", ""},
		{"TensorFlow 2.4", t4, "GPU visible", "Tesla T4"},
		{"TensorFlow sees what JAX does not", t4 + "WARNING:absl:No GPU/TPU found, falling back to CPU.\n", "GPU visible", "Tesla T4"},
		{"Lightning on the CPU, then on the GPU", fmt.Sprintf(trainer, "True (cuda), used: False") + fmt.Sprintf(trainer, "True (cuda), used: True"), "GPU visible", ""},
		{"nvidia-smi shows what JAX does not use", "| NVIDIA-SMI 470.57.02    Driver Version: 470.57.02    CUDA Version: 11.4     |\nWARNING:absl:No GPU/TPU found, falling back to CPU.\n", "CPU only", ""},
	}
	for _, tt := range tests {
		v := verdict(tt.log)
		testkit.Same(t, tt.want+" "+tt.gpu, v.Short()+" "+strings.Join(v.GPUs, ", "), tt.name)
	}
}

func TestTerminalOutput(t *testing.T) {
	tests := map[string]string{
		"Windows line ends":     strings.ReplaceAll(block+creating, "\n", "\r\n"),
		"doubled line ends":     strings.ReplaceAll(block+creating, "\n", "\r\r\n"),
		"colours":               block + "\x1b[1;32mCreating\x1b[0m TensorFlow device (/gpu:0) -> (device: 0, name: \x1b]0;title\aTesla K80, pci bus id: 06c3:00:00.0)",
		"behind a progress bar": "a\nb\nc\nd\n 10%|#  |\r 20%|## |\r" + creating,
		"before a progress bar": "a\nb\nc\nd\n" + strings.TrimSuffix(creating, "\n") + "\r 20%|## |\r",
		"no final newline":      "a\nb\nc\nd\n" + strings.TrimSuffix(creating, "\n"),
	}
	for name, log := range tests {
		if v := verdict(log); v.Level != Used || v.Line != 5 || len(v.GPUs) != 1 || v.GPUs[0] != "Tesla K80" {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestStreamsAreKeptApart(t *testing.T) {
	s := New(catalog.LogPatterns())
	out, err := s.Stream(), s.Stream()
	for i, line := range strings.SplitAfter(strings.TrimSuffix(block, "\n"), "\n") {
		fmt.Fprintln(out, "epoch", i)
		_, _ = io.WriteString(err, line[:3])
		fmt.Fprint(out, "half ")
		_, _ = io.WriteString(err, line[3:])
		fmt.Fprintln(out, "line")
	}
	v := s.Verdict()
	if v.Level != Visible || len(v.GPUs) != 1 || v.Line != 2 {
		t.Errorf("%+v", v)
	}
}

func TestMemoryStaysBounded(t *testing.T) {
	s := New(catalog.LogPatterns())
	w := s.Stream()
	chunk := []byte(strings.Repeat("x", 1<<20))
	for range 16 {
		_, _ = w.Write(chunk)
	}
	_, _ = io.WriteString(w, "\n"+creating)
	if st := s.streams[0]; cap(st.line) > 4*lineLimit || len(st.last) >= s.window {
		t.Errorf("%d bytes of a line, %d lines kept", cap(st.line), len(st.last))
	}
	for i := range 10 * gpuLimit {
		fmt.Fprintf(w, created, i)
	}
	if v := s.Verdict(); v.Level != Used || len(v.GPUs) != gpuLimit {
		t.Errorf("%d GPUs", len(v.GPUs))
	}
}

// TestEveryPatternIsPrefiltered checks that every pattern has plain text to search for first: without it, the pattern
// would run on every line.
func TestEveryPatternIsPrefiltered(t *testing.T) {
	for i, row := range catalog.LogPatterns() {
		p := newPattern(row, i)
		if shortest(p.needs) < 5 && row.ID != "torch-available" {
			t.Errorf("%s: %q", row.ID, p.needs)
		}
		if !p.maybe(row.Example) {
			t.Errorf("%s: the example holds none of %q", row.ID, p.needs)
		}
	}
}

// FuzzChunks checks that neither the way the stream is cut nor skipping most lines changes the verdict.
func FuzzChunks(f *testing.F) {
	f.Add(block+creating, uint64(1))
	f.Add("a\r\nb\rc\x1b[0m\x1b]x\n\xff"+skipping, uint64(2))
	f.Add("\x1b", uint64(3))
	f.Add("x\n"+strings.Repeat("a\nname: Tesla K80\nmajor: 3 minor: 7 memoryClockRate (GHz) 0.8235\nb\nc\n\n", 3)+"\r\nd\r"+creating, uint64(4))
	compiled := New(catalog.LogPatterns()) // once: compiling takes longer than reading a log
	fresh := func() *Scanner {
		return &Scanner{window: compiled.window, other: compiled.other, patterns: compiled.patterns, needles: compiled.needles}
	}
	f.Fuzz(func(t *testing.T, log string, seed uint64) {
		one, s := fresh(), fresh()
		_, _ = io.WriteString(one.Stream(), log)
		whole := one.Verdict()
		w, r := s.Stream(), rand.New(rand.NewPCG(seed, 0))
		for rest := log; rest != ""; {
			n := 1 + r.IntN(min(len(rest), 7))
			_, _ = io.WriteString(w, rest[:n])
			rest = rest[n:]
		}
		testkit.Same(t, whole, s.Verdict())
		slow := fresh()
		slow.needles = nil
		_, _ = io.WriteString(slow.Stream(), log)
		testkit.Same(t, slow.Verdict(), whole)
		if whole.Line > whole.Lines || strings.ContainsAny(whole.Sentence(), "\n\r\x1b") {
			t.Errorf("%+v", whole)
		}
	})
}

// TestLinesThatAreLeftOut checks that lines skipped because no pattern needs them change no verdict, wherever they are.
func TestLinesThatAreLeftOut(t *testing.T) {
	compiled := New(catalog.LogPatterns())
	parts := []string{"\n", "\n", "\n", "\r", "\r\n", "epoch 1: loss 0.5", block, "name: Tesla K80\n", strings.SplitAfterN(block, "\n", 2)[1], creating, skipping, "\x1b[1m", "cuda:0", "cud", "a:0\n",
		"Creating Tensor", strings.Repeat("x", lineLimit), "STAND-IN", fmt.Sprintf(created, 1)}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		fast := &Scanner{window: compiled.window, other: compiled.other, patterns: compiled.patterns, needles: compiled.needles}
		slow := &Scanner{window: compiled.window, other: compiled.other, patterns: compiled.patterns}
		one, two := fast.Stream(), slow.Stream()
		for range r.IntN(4) {
			var piece strings.Builder
			for range r.IntN(12) {
				piece.WriteString(parts[min(r.IntN(len(parts)), r.IntN(len(parts)))])
			}
			_, _ = io.WriteString(one, piece.String())
			_, _ = io.WriteString(two, piece.String())
		}
		testkit.Same(t, slow.Verdict(), fast.Verdict(), fmt.Sprint("seed ", seed))
	}
}

func BenchmarkScanner(b *testing.B) {
	line := []byte("epoch 12/100 step 345: loss 0.3145, accuracy 0.9217, 123.4 images/s, learning rate 0.0010\n")
	w := New(catalog.LogPatterns()).Stream()
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		_, _ = w.Write(line)
	}
}

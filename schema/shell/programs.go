package shell

import (
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

func words(text string) []string { return strings.Fields(text) }

func python() program {
	return program{kind: interpreter, takes: Python, letters: true, module: "-m", ends: words("-c -V --version -h --help --help-all --help-env"),
		flags: words("-b -B -d -E -i -I -O -P -q -s -S -u -v -x"), values: words("-W -X --check-hash-based-pycs")}
}

func shells() program {
	return program{kind: interpreter, takes: Shell, letters: true, command: "-c",
		flags: words("-e -u -x -l -v -i -n -a -f -h -p -E -T --login --norc --noprofile --posix"), values: words("-o -O +o")}
}

// torchrun is based on `torchrun --help` of PyTorch 2.9 and of 1.9, its first release.
func torchrun() program {
	return program{kind: launcher, takes: Python, module: "--module",
		flags: words("--standalone --run_path --use_env"),
		values: words("--nnodes --nproc_per_node --rdzv_backend --rdzv_endpoint --rdzv_id --rdzv_conf --max_restarts --monitor_interval --start_method --role --log_dir -r --redirects " +
			"-t --tee --local_ranks_filter --node_rank --master_addr --master_port --local_addr --logs_specs --event_log_handler --numa_binding --virtual_local_rank --signals_to_handle")}
}

// accelerate is based on `accelerate launch --help` of accelerate 1.12.
func accelerate() program {
	return program{kind: launcher, takes: Python, module: "--module", sub: "launch",
		flags: words("--cpu --multi_gpu --tpu --ipex --use_deepspeed --use_fsdp --use_megatron_lm --use_xpu --use_parallelism_config --use_fp8 --same_network --enable_cpu_affinity " +
			"--debug --dynamo_use_fullgraph --dynamo_use_dynamic --dynamo_use_regional_compilation --tpu_use_cluster --no_tpu_cluster --quiet -q"),
		values: words("--config_file --num_processes --num_machines --machine_rank --main_process_ip --main_process_port --mixed_precision --gpu_ids --dynamo_backend --dynamo_mode " +
			"--num_cpu_threads_per_process --rdzv_backend --rdzv_conf --max_restarts --monitor_interval -t --tee --role --log_dir --zero_stage --offload_optimizer_device " +
			"--offload_param_device --offload_optimizer_nvme_path --offload_param_nvme_path --gradient_accumulation_steps --gradient_clipping --zero3_init_flag --zero3_save_16bit_model " +
			"--deepspeed_* --fsdp_* --megatron_lm_* --fp8_* --mpirun_* --parallelism_config_* --downcast_bf16 --main_training_function --env --vm --aws_access_key_id --aws_secret_access_key")}
}

// mpirun is based on the manual pages of mpirun in Open MPI 5 and 4, and of mpiexec in MPICH 4.
func mpirun() program {
	return program{kind: wrapper,
		flags: words("--allow-run-as-root --oversubscribe --report-bindings --tag-output --bind-to-none --bind-to-core --nooversubscribe --verbose -v -q --quiet --timestamp-output " +
			"-allow-run-as-root -oversubscribe -report-bindings -tag-output -bynode --bynode -byslot --byslot -genvall -l -prepend-rank --display-map"),
		values: words("-n -np --np -c -N -npernode --npernode -ppn --ppn -perhost -H -host --host -hosts --hosts -f -hostfile --hostfile -machinefile --machinefile -x -bind-to --bind-to " +
			"-map-by --map-by -rank-by --rank-by --output-filename -output-filename --prefix --timeout --display -genvlist -envlist -iface"),
		pairs: words("-mca --mca -gmca --gmca -genv -env --prtemca --pmixmca")}
}

// deepspeed is based on `deepspeed --help` of DeepSpeed 0.18.
func deepspeed() program {
	return program{kind: launcher, takes: Python, module: "--module",
		flags: words("--no_local_rank --no_ssh_check --no_ssh --force_multi --enable_each_rank_log --elastic_training --bind_cores_to_rank"),
		values: words("-H --hostfile -i --include -e --exclude --num_nodes --min_elastic_nodes --max_elastic_nodes --num_gpus --master_port --master_addr --node_rank --launcher " +
			"--launcher_args --save_pid --autotuning --bind_core_list --venv_script --ssh_port")}
}

// horovodrun is based on `horovodrun --help` of Horovod 0.28.
func horovodrun() program {
	return program{kind: wrapper, flags: words("--verbose --gloo --mpi --disable-cache --autotune"),
		values: words("-np --num-proc -H --hosts -hostfile --hostfile -p --ssh-port --network-interfaces --fusion-threshold-mb --cycle-time-ms --min-np --max-np --host-discovery-script --start-timeout")}
}

// programs are the programs that jobs run, by name.
var programs = plain.Once[map[string]program]{Make: func() map[string]program {
	return map[string]program{
		"python": python(), "python2": python(), "python3": python(), "pypy3": python(),
		"bash": shells(), "sh": shells(), "dash": shells(), "zsh": shells(), "ksh": shells(),
		"Rscript": {kind: interpreter, takes: Other, ends: words("-e --version --help"), flags: words("--*")},
		"node":    {kind: interpreter, takes: Other, ends: words("-e -p --eval --print -v --version"), flags: words("--*")},
		"julia": {kind: interpreter, takes: Other, ends: words("-e -E --eval --print -v --version -h --help"), values: words("-p -t -J -L -C -O"),
			flags: words("-i -q --*")},
		"perl": {kind: interpreter, takes: Other, ends: words("-e -E -v"), flags: words("-w -T")},
		"spark-submit": {kind: interpreter, takes: Python, flags: words("--verbose -v --supervise"), values: words("--master --deploy-mode --class --name --jars --packages " +
			"--exclude-packages --repositories --py-files --files --archives --conf -c --properties-file --driver-memory --driver-java-options --driver-library-path " +
			"--driver-class-path --executor-memory --proxy-user --driver-cores --total-executor-cores --executor-cores --num-executors --principal --keytab --queue")},
		"torchrun": torchrun(), "accelerate": accelerate(), "accelerate-launch": accelerate(), "deepspeed": deepspeed(),
		"mpirun": mpirun(), "mpiexec": mpirun(), "mpiexec.hydra": mpirun(), "orterun": mpirun(), "horovodrun": horovodrun(),
		"time": {kind: wrapper, flags: words("-p -v")}, "nohup": {kind: wrapper}, "exec": {kind: wrapper}, "command": {kind: wrapper}, "setsid": {kind: wrapper, flags: words("-w")},
		"nice": {kind: wrapper, values: words("-n")}, "ionice": {kind: wrapper, values: words("-c -n")}, "sudo": {kind: wrapper, flags: words("-E -H -n"), values: words("-u")},
		"env": {kind: wrapper, flags: words("-i -"), values: words("-u")}, "unbuffer": {kind: wrapper}, "catchsegv": {kind: wrapper}, "xvfb-run": {kind: wrapper, flags: words("-a --auto-servernum"), values: words("-s -n")},
		"stdbuf": {kind: wrapper, flags: words("-o* -e* -i*")}, "numactl": {kind: wrapper, flags: words("--*"), values: words("-m -N -C -l")},
		"timeout": {kind: wrapper, flags: words("--foreground --preserve-status -v"), values: words("-k -s --kill-after --signal")},
		"conda":   condaRun(), "mamba": condaRun(), "micromamba": condaRun(),
		"poetry": {kind: wrapper, sub: "run"}, "pipenv": {kind: wrapper, sub: "run"}, "pdm": {kind: wrapper, sub: "run"}, "hatch": {kind: wrapper, sub: "run"},
		"uv": {kind: wrapper, sub: "run", takes: Python, module: "-m", flags: words("-s --script --no-sync --frozen --locked --no-project --isolated --system --active --no-dev --all-extras -q --quiet"),
			values: words("--python -p --with --with-requirements --extra --group --env-file --project --package")},
	}
}}

func condaRun() program {
	return program{kind: wrapper, sub: "run", flags: words("--no-capture-output --live-stream -v --verbose"), values: words("-n --name -p --prefix")}
}

// others are programs that do not run scripts of the job. Each is in one of the lists, and not in programs.
var others = plain.Once[map[kind][]string]{Make: func() map[kind][]string {
	return map[kind][]string{
		quiet: words(". : [ apt apt-cache apt-get arch awk basename blobfuse2 cat chmod chown conda-env cut date declare df dirname dotnet dpkg du echo egrep exit export false flake8 fgrep file find free " +
			"getconf git-lfs grep groups gunicorn head hostname htop huggingface-cli id ifconfig ip jobs kill ldconfig ldd less let local lsb_release lscpu ls lsof lspci md5sum mkdir mlflow nproc " +
			"nvidia-smi nvtop papermill ping pip pip2 pip3 pkill popd printenv printf ps pwd pwsh pytest ray read readlink readonly realpath return rm rmdir rocm-smi seq service set sha256sum shift shopt " +
			"sleep sort source stat streamlit sync sysctl tail tensorboard test top tr trap tree true type ulimit umask uname typeset unalias uniq unset uptime uvicorn wait wandb wc which whoami yes yum"),
		maker: words("7z ar azcopy az aws bunzip2 bzip2 cmake cp curl dd dvc gcc gcloud gdown git gsutil g++ gunzip gzip install java javac jupyter jupyter-nbconvert kaggle kedro ln make mktemp mv mvn " +
			"nbconvert ninja npm nvcc ollama oras patch rename rsync scp sed sftp split ssh svn tar tee touch unrar unxz unzip virtualenv wget xz yarn yolo zip"),
	}
}}

// byName returns what is known about a program found on the search path.
func byName(name string) (program, bool) {
	if p, ok := programs.Get()[name]; ok {
		return p, true
	}
	if version, ok := strings.CutPrefix(name, "python3."); ok && strings.Trim(version, "0123456789") == "" {
		return python(), true
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
		if p.takes != "" && p.sub == "" || name == "accelerate" || name == "mpirun" {
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

// Package catalog holds facts about the outside world: container images, package variants, wheels, CUDA versions, GPUs,
// virtual machine sizes, log messages and names. The facts are CSV tables under tables/, embedded. Those that a lint
// may need are also Go literals, generated from them; the others are parsed on first use.
//
// "Exists" means "was published" throughout. Look-ups are exact, never by prefix, and return false for what is not
// recorded: unknown things get no verdict. All functions are safe for concurrent use. Callers must not modify the
// returned lists, nor the slices inside returned values: they may be those of the tables.
//
// Every table ends in three columns. source names the place where the row can be checked (a repository path, an issue,
// a project page). seen is the day on which it was last compared with that place, or written. certainty is "sourced" if
// the row was read there, and "general knowledge" if it was not. Lists are separated by semicolons, flags are yes or
// no, and an empty cell means "not recorded" or "does not apply". The columns before the | are the key, which is
// unique.
//
//	images            repo, tag | gpu, plus (Workbench supports it), spark, python, cuda, cudnn, os, released, moving (the tag
//	                  was reused), evidence that it was published (used by public projects, documented by the vendor, or only built
//	                  by the vendor's script; the code does not read it), twin (repo:tag of the CPU image of the same
//	                  version; GPU rows only), note. The tag * stands for every tag of a repository with dated tags.
//	repositories      repo | complete (all release tags are listed), removed (gone from its registry), status (current,
//	                  deprecated, replaced), since, successor, python (of the base environment), note
//	systems           os | end_of_support (month)
//	wheels            flavour, dist, version, python_tag, platform | abi_tag, superseded. The URL is
//	                  https://cntk.ai/PythonWheel/FLAVOUR/DIST-VERSION-PYTHON-ABI-PLATFORM.whl
//	package_variants  id | manager (pip, conda), cpu and gpu (normalised names), versions and python (PEP 440), local (local
//	                  version label), channel, safety (safe, choice, report, none), optional, keep_version, gpu_only, unpinned
//	                  (same, pin, no), condition, note
//	conda_builds      name | gpu_package, since (from which version on it only selects a build of this one): conda packages whose build
//	                  string says whether they are CPU or GPU builds
//	cuda_needs        package, versions (PEP 440) | cuda, cudnn, cusolver: what the pip wheels load from the image
//	frameworks        package, version (minor or patch) | released, pythons, cuda and cudnn (of the default build), cudas
//	                  (variants), selector (of conda), gpu_package, cpu_package, gpu (where CUDA comes from; see GPUSource):
//	                  FrameworkBuild
//	kernels           package, cuda, since | until (versions, both included), capabilities, ptx: Build.Kernels, Build.Runs
//	cntk              version | cuda; for people: gpu_dist (name of the GPU wheel), flavours, pythons, cudnn, pypi
//	cuda_drivers      cuda (minor or major) | min_driver, min_driver_compat: Linux
//	gpus              model | architecture, capability, first_cuda, last_cuda_major; for people: last_driver_branch
//	vm_sizes          size | series, gpu, gpus (a fraction for shared cards), gpu_memory_gb (of all), cuda (no: AMD),
//	                  vcpus, memory_gb, status (current, preview, announced, retired), retired_on (date), replacement,
//	                  note: VMSize
//	vm_series         series | pattern (RE2), status, retired_on, replacement: sizes without GPUs that are retired: VMSize
//	vm_families       family | gpu, note: NoGPU
//	skypilot_gpus     model, memory_gb (of one) | accelerator: the names that SkyPilot has for GPUs: VM.Accelerator
//	vm_cpus           size | vcpus, memory_gb: sizes without GPUs: MachineSize
//	curated           name | gpu, status (current, removed, renamed, superseded), since, image, os, python, cuda, cudnn,
//	                  packages (NAME=VERSION), successor, successor_by (vendor, framework), note: Curated
//	log_patterns      id | framework, versions, verdict, lines, regexp (RE2), example; the order of rows matters
//	stdlib            module | since, removed (minor versions of Python), managers (which have a package of that name)
//	misspelt          name, manager | right, kind (misspelt, import-name, wrong-manager, stub)
//	packages          name |
//	communicators     communicator | frameworks it is documented for
//	namesakes         name | conda, pip: what the name means to each
//	public_tokens     host, path (its beginning) | note: places whose signed addresses the vendor's templates published
//	migration_defaults  id, value | kind (image, size, spark, python: its support may end), note: what a migration writes
//	                  if the old files have no usable value, the first that is supported: MigrationDefault
//	pythons           version (minor) | end_of_life (month): PythonEnd
//	wheel_indexes     host, folder | packages, build (cpu, cuda), counterpart (the folder of the same wheel for GPUs): where
//	                  pip may look besides PyPI, and wheels: LookupWheelIndex
//	removed_tags      repo, tags (patterns such as 10.*, several with ";") | why: RemovedTag
//	nccl              variable | value and unless (RE2), when (nodes, gpus, infiniband), severity, why: NCCL
//	infiniband        size: HasInfiniBand
//	no_gpu            name: UsesNoGPU
//	lists             list, item: names whose only fact is that they belong together: List
//	modules           module | packages that contain it, the one to install first: LookupModule
//	brings            package | brings: packages of modules that it may install, too: Brings
//	estimators        class | package: what estimators of SDK v1 install: Estimator
//	time_zones        name | v2: time zones of SDK v1 that v2 does not call by the same words: TimeZone
//	python_wheels     package | latest (release), status (current, ended: no Python installs the latest), pythons: a minor
//	                  version each, with the releases that need no compiler (1.0..1.9, !1.5 for gaps), and up to
//	                  which one there are sources to compile (<=1.9): WheelFor
//	source_only       package | conda (its name in conda-forge), why, needs (of its build), instead: SourceOnly
//	spark_runtimes    version | status (current, unsupported, disabled), ended_on, successor, python: SparkRuntime
//	retired_packages  name | action (drop, keep, replace, sdk: drop unless a script imports azureml), status (see
//	                  RetiredPackage), versions (PEP 440), replacement, why: Gone
//	azureml_mlflow    version | released, accepts, breaks (PEP 440 specifiers of mlflow): MLflowPair
//	conflicts         package, versions, with | with_versions, kind (see ConflictKind), effect, taken (PEP 440, of
//	                  Python): Conflicts
//	limits            id | least, most (numbers), unit, of (kind), key (of v2), note: LookupLimit, LimitsOf
//	endpoint_sizes    family | sizes (in lower case, without Standard_): EndpointSize
//	services          id | ended_on (date), successor, note: Service
//	windows_zones     name: TimeZones
//	spark_sizes       size | cores, memory_gb: the machines of serverless Spark, smallest first
//	preinstalled      module | package: what the mmlspark images held, and what to install for it
//	script_needs      id | pattern (a text), imports, works, what, instead: what does not work in a script after a migration
//	dead_keys         dialect, key (path; /* for all below), when | why: keys of old files that have no counterpart
//	credentials       id | kind (reference, placeholder), holds (texts of which a match has one, in lower case), regexp
//	                  (RE2), example; the first match wins
//	secret_shapes     id | what, mark, before, letters, min, max: what vendors' tokens look like
//
// Three decisions behind the rows:
//
// microsoft/mmlspark:plus-0.7.dev7_2.gcfbc920 has a GPU twin because the preview reference of Workbench names it; its
// CUDA version was never written down and stays empty.
//
// Azure ML base images are twins if the vendor's own SDK used the two as its CPU and GPU defaults (base:0.2.4 and
// base-gpu:0.2.4), or if their names differ only in the CUDA part.
//
// A pip requirement on keras, torch or xgboost says nothing about CPU or GPU: its row has safety none.
package catalog

//go:generate go test -run TestLiteralsAreFresh -update

package migrate_test

import (
	"strings"
	"testing"
)

// conda returns a project with a script and a conda file with packages.
func conda(script string, packages ...string) string {
	return "-- .azureml/job.runconfig --\nscript: train.py\ntarget: cpu\n-- train.py --\n" + script +
		"\n-- .azureml/conda_dependencies.yml --\nname: x\nchannels: [conda-forge]\ndependencies:\n" + strings.Join(packages, "\n") + "\n"
}

const newPython = "- python=3.11\n- pip=24.0\n- pip:"

// TestPackages checks that packages that can no longer be installed, or not together, are not written.
func TestPackages(t *testing.T) {
	const sdk = "from azureml.core import Run\nRun.get_context()"
	const file = "conda_dependencies.yml: "
	checkWorked(t, []worked{
		{name: "a pip that takes old metadata", project: conda("", "- python=3.8", "- pip=23.3", "- pip:", "  - pytorch-lightning>=1.6,<1.7"), has: []string{file + "- pip>=23.3,<24.1\n"}},
		{name: "any pip for new metadata", project: conda("", "- python=3.8", "- pip=23.3", "- pip:", "  - pytorch-lightning>=1.6"), has: []string{file + "- pip>=23.3\n"}},
		{name: "any pip for what is loosened", project: conda("", "- python=3.8", "- pip=23.3", "- pip:", "  - pytorch-lightning==1.6.5", "  - numpy==1.19.5"), has: []string{file + "- pip>=23.3\n", file + "- pytorch-lightning>=1.6.5\n"}},
		{name: "a pip that only pip lists", project: conda("", "- python=3.11", "- pip:", "  - pip==23.3", "  - numpy"), has: []string{file + "  - pip\n  - pip:\n      - pip==23.3\n"}},
		{name: "mlflow is added", project: conda(sdk, newPython, "  - azureml-core"), has: []string{file + "- mlflow\n", file + "- azureml-mlflow>=1.61.0\n"}},
		{name: "for an old Python", project: conda(sdk, "- python=3.7\n- pip:\n  - azureml-core"), answers: "python=3.7", has: []string{file + "- azureml-mlflow\n"}},
		{name: "mlflow first", project: conda("import mlflow", newPython, "  - mlflow\n  - azureml-mlflow"), has: []string{file + "- azureml-mlflow>=1.61.0"}},
		{name: "mlflow last", project: conda("import mlflow", newPython, "  - azureml-mlflow>=1.50\n  - mlflow>=2"), has: []string{file + "- azureml-mlflow>=1.61.0"}},
		{name: "a pair that works", project: conda("import mlflow", newPython, "  - mlflow==2.16.0\n  - azureml-mlflow==1.58.0"), has: []string{file + "- azureml-mlflow==1.58.0"}},
		{name: "a pair that breaks", project: conda("import mlflow", newPython, "  - mlflow==3.4.0\n  - azureml-mlflow==1.58.0"), has: []string{file + "- azureml-mlflow>=1.61.0"}},
		{name: "a new one", project: conda("import mlflow", newPython, "  - mlflow\n  - azureml-mlflow==1.62.0"), has: []string{file + "- azureml-mlflow==1.62.0"}},
		{name: "pins of the SDK", project: conda(sdk, "- python=3.6.2\n- pip:\n  - azureml-core==1.19.0\n  - azureml-sdk==1.0.33.*"), has: []string{file + "- azureml-core>=1.19.0\n", file + "- azureml-sdk>=1.0.33\n"}},
		{name: "pins beside a new Python", project: conda(sdk, newPython, "  - azureml-core==1.19.0\n  - numpy==1.16.4\n  - scikit-learn<0.24"), has: []string{file + "- azureml-core>=1.", file + "- numpy>=1.2", file + "- scikit-learn>=1."}, lacks: []string{file + "- azureml-core==1.19.0\n"}},
		{name: "minor versions", project: conda("", "- python=3.7\n- numpy~=1.21.6\n- scikit-learn~=1.0\n- pip:\n  - pandas~=1.1.5"), has: []string{file + "- numpy>=1.21.6\n", file + "- scikit-learn~=1.0\n", file + "- pandas>=1.5.0\n"}},
		{name: "an mlflow whose pin is loosened", project: conda("import mlflow", "- python=3.7\n- pip:\n  - mlflow== 1.26.1\n  - azureml-mlflow==1.42.0\n  - mine==1.0"), has: []string{file + "- mlflow>=1.26.1\n", file + "- azureml-mlflow>=1.61.0\n"}},
		{name: "an exact keras beside TensorFlow, without a Python", project: conda("", "- pip:\n  - keras==2.2.4\n  - tensorflow==1.10"), has: []string{file + "- keras\n", file + "was: keras==2.2.4 (TensorFlow requires the keras of its own time)"}},
		{name: "an exact keras of a TensorFlow of today", project: conda("", newPython, "  - keras==3.10.0\n  - tensorflow"), has: []string{file + "- keras==3.10.0\n"}},
		{name: "an old keras beside TensorFlow", project: conda("", "- python=3.6\n- pip:\n  - keras<=2.3.1\n  - tensorflow==1.15"), has: []string{file + "- keras\n", file + "was: keras<=2.3.1 (TensorFlow requires the keras of its own time)"}},
		{name: "an old keras that is kept", project: conda("", "- python=3.6\n- pip:\n  - keras<=2.3.1\n  - tensorflow==1.15"), answers: "pins=keep", has: []string{file + "- keras<=2.3.1\n"}},
		{name: "an old keras alone", project: conda("", "- python=3.6\n- pip:\n  - keras<=2.3.1"), has: []string{file + "- keras<=2.3.1\n"}},
		{name: "a newer keras", project: conda("", "- python=3.7\n- pip:\n  - keras<4\n  - tensorflow"), has: []string{file + "- keras<4\n"}},
		{name: "pins that fit", project: conda("", newPython, "  - numpy==1.26.4\n  - scikit-learn<1.5"), has: []string{file + "- numpy==1.26.4\n", file + "- scikit-learn<1.5\n"}},
		{name: "azure as a whole", project: conda("import azure.storage", newPython, "  - azure"), open: "package-azure"},
		{name: "azure before 5", project: conda("import azure.storage", newPython, "  - azure==4.0.0"), has: []string{file + "- azure==4.0.0"}},
		{name: "azure that nothing imports", project: conda("", newPython, "  - azure\n  - numpy"), open: "package-azure", has: []string{"MIGRATION.md: `--answer package-azure=none`"}, lacks: []string{file + "- azure"}},
		{name: "absent", project: conda(sdk, newPython, "  - azureml-requirements\n  - automl-defaults\n  - azureml-core"), open: "package-automl-defaults", lacks: []string{file + "requirements", file + "- automl"}},
		{name: "absent, on an index of one's own", project: conda("import automl_defaults", newPython, "  - --extra-index-url https://packages.example.com/simple\n  - automl-defaults"), has: []string{file + "- automl-defaults\n"}},
		{name: "a signed wheel of Workbench", project: conda("", newPython, `  - "https://azuremldownloads.blob.core.windows.net/wheels/latest/azureml.pyrecipes.dataframe-0.1.0-py3-none-any.whl?sv=2016-05-31&sig=`+strings.Repeat("a1B2", 11)+`%3D"`+"\n  - numpy"),
			lacks: []string{file + "pyrecipes", file + "DECIDE"}},
		{name: "a wheel of Machine Learning Server", project: conda("", newPython, "  - https://example.com/revoscalepy-9.3.0-py3-none-any.whl\n  - numpy"), open: "package-revoscalepy", lacks: []string{file + "- https"}},
		{name: "and without it", project: conda("", newPython, "  - https://example.com/revoscalepy-9.3.0-py3-none-any.whl\n  - numpy"), answers: "package-revoscalepy=none", lacks: []string{file + "revoscalepy"}},
		{name: "one that is imported", project: conda("import revoscalepy", newPython, "  - https://example.com/revoscalepy-9.3.0-py3-none-any.whl"), open: "package-revoscalepy"},
		{name: "an index that is gone", project: conda("", newPython, "  - --index-url https://azuremlsdktestpypi.azureedge.net/sdk-release/Preview/E7501C02541B433786111FE8E140CAA1\n  - numpy"), lacks: []string{file + "index-url"}},
		{name: "PyPI under its old name", project: conda("", newPython, "  - --extra-index-url https://pypi.python.org/simple\n  - numpy"), lacks: []string{file + "index-url"}},
		{name: "an index that is not", project: conda("", newPython, "  - --index-url https://packages.example.com/simple\n  - numpy"), has: []string{file + "index-url"}},
		{name: "renamed", project: conda("", newPython, "  - fix_yahoo_finance==0.0.21"), has: []string{file + "- yfinance\n"}, lacks: []string{file + "- fix_yahoo_finance"}},
		{name: "of Windows", project: conda("", "- python=3.11\n- vc=14.1=h0510ff6_4\n- vs2015_runtime=14.15\n- m2w64-gcc-libs=5.3.0\n- numpy"), lacks: []string{file + "- vc", file + "- vs2015", file + "- m2w64"}},
		{name: "of Windows, for scripts", project: conda("import win32api", newPython, "  - pywin32==224"), open: "package-pywin32", lacks: []string{file + "- pywin32"}},
		{name: "a placeholder", project: conda("", newPython, "  - sklearn"), has: []string{file + "- scikit-learn\n"}},
	})
}

// sdk returns an SDK v1 project: a run configuration without script and target, and a conda file with CPU packages.
func sdk(lines string) string {
	return conda("", "- python=3.11", "- numpy") + "-- .azureml/job.runconfig --\nscript: train.py\ntarget: cpu\n" + lines + "\n"
}

func image(name, more string) string {
	return sdk("environment:\n  docker:\n    enabled: true\n    baseImage: " + name + "\n" + more)
}

// TestImages checks that the migration asks about an image that is filled in later or contained the job's packages.
func TestImages(t *testing.T) {
	const own = "  python: {userManagedDependencies: true, interpreterPath: /opt/py/bin/python}\n"
	const job, env = "job-job.yml: ", "environment-cpu.yml: "
	checkWorked(t, []worked{
		{name: "a registry of yours", project: image("your-acr.azurecr.io/train:1", ""), open: "image", has: []string{env + "image: DECIDE\n"}},
		{name: "a registry", project: image("yard.azurecr.io/train:1", ""), has: []string{env + "image: yard.azurecr.io/train:1"}},
		{name: "a placeholder", project: image("<REGISTRY_NAME>.azurecr.io/train:1", ""), open: "image", has: []string{env + "image: DECIDE\n", "MIGRATION.md: --answer image="}},
		{name: "of a template", project: image("'{{ registry }}.azurecr.io/train:1'", ""), open: "image"},
		{name: "of a shell", project: image("${ACR}/train:1", ""), open: "image"},
		{name: "no name at all", project: image("'train image'", ""), open: "image"},
		{name: "answered", project: image("<R>.azurecr.io/train:1", own), answers: "image=acr.azurecr.io/train:1", has: []string{job + "command: /opt/py/bin/python train.py\n", "environment-cpu-bare.yml: image: acr.azurecr.io/train:1\n"}},
		{name: "for Compose", to: "compose", project: image("<R>.azurecr.io/train:1", ""), open: "image", has: []string{"Dockerfile: FROM decide\n"}},
		{name: "its Python", project: image("mcr.microsoft.com/azureml/base:0.2.4", own), has: []string{job + "command: python train.py\n"}},
		{name: "an image that is kept", project: image("acr.azurecr.io/train:1", own), has: []string{job + "command: /opt/py/bin/python train.py\n"}},
		{name: "the packages were in it", project: image("microsoft/mmlspark:plus-0.9.9", own), open: "image"},
		{name: "the packages are in the conda file", project: image("microsoft/mmlspark:plus-0.9.9", "")},
	})
}

// TestEnvironments checks that the migration asks about an environment without packages, that versions that fit a
// supported Python are kept, and that an answer can replace any package.
func TestEnvironments(t *testing.T) {
	missing := "-- train.py --\n-- .azureml/job.runconfig --\nscript: train.py\ntarget: cpu\nenvironment:\n  docker: {enabled: true}\n  python: {condaDependenciesFile: gone.yml}\n"
	mpi := strings.Replace(image("mcr.microsoft.com/azureml/base-gpu:0.2.4", "communicator: OpenMpi\nmpi: {processCountPerNode: 4}\namlcompute: {vmSize: STANDARD_NC6}"), "target: cpu", "target: amlcompute", 1)
	fits := "- python=3.8\n- pip:\n  - pandas==2.0.3\n  - numpy==1.24.4\n"
	spark := "-- train.py --\nimport pyspark\n-- .azureml/job.runconfig --\nscript: train.py\nframework: PySpark\ntarget: hdi\nenvironment: {python: {condaDependenciesFile: c.yml}}\n-- c.yml --\ndependencies: [python=3.6, {pip: [pyspark==2.4.0, numpy]}]\n"
	checkWorked(t, []worked{
		{name: "no conda file", project: missing, open: "conda-file", has: []string{"job-job.yml: DECIDE", "MIGRATION.md: names gone.yml, which does not exist"}},
		{name: "none is needed", project: missing, answers: "conda-file=none"},
		{name: "no environment in it", project: missing + "-- gone.yml --\nname: x\n-numpy\n", open: "conda-file", has: []string{"MIGRATION.md: which is not a conda environment"}},
		{name: "the user's image", project: strings.Replace(missing, "python: {", "python: {userManagedDependencies: true, ", 1)},
		{name: "conda's versions without a Python", project: conda("print(1)", "- scikit-learn==0.22.1\n- pandas=2.2\n"), has: []string{"conda_dependencies.yml: - scikit-learn>=1.1.3\n", "conda_dependencies.yml: - pandas=2.2\n", "MIGRATION.md: What should happen to exact versions"}},
		{name: "versions that fit", project: conda("print(1)", fits), has: []string{"conda_dependencies.yml: - pandas==2.0.3\n", "MIGRATION.md: 3.11 is the newest version for which PyPI has wheels of all pinned packages"}, lacks: []string{"MIGRATION.md: What should happen to exact versions"}},
		{name: "versions that do not", project: conda("print(1)", fits+"  - scipy==1.2.0\n"), has: []string{"conda_dependencies.yml: - pandas>=2.0.3\n", "MIGRATION.md: What should happen to exact versions"}, lacks: []string{"MIGRATION.md: is the newest"}},
		{name: "another package", project: conda("print(1)", fits), answers: "package-pandas=polars", has: []string{"conda_dependencies.yml: - polars\n"}, lacks: []string{"conda_dependencies.yml: - pandas"}},
		{name: "another Python", project: conda("print(1)", "- python=3.11\n- pip:\n  - numpy\n"), answers: "python=3.12", has: []string{"conda_dependencies.yml: - python=3.12\n"}},
		{
			name: "only as source", project: conda("import lime", newPython, "  - lime==0.2.0.0", "  - glob2>=0.6"),
			has: []string{"conda_dependencies.yml: \n  - lime", "conda_dependencies.yml: \n  - glob2>=0.6\n", "MIGRATION.md: PyPI has it only as source, conda-forge built"}, lacks: []string{"conda_dependencies.yml:       - glob2"},
		},
		{name: "only as source that does not build", project: conda("import horovod.torch", newPython, "  - horovod==0.19.5", "  - torch"), open: "package-horovod", has: []string{"conda_dependencies.yml: # DECIDE: horovod"}},
		{name: "misspelt, too", project: conda("import horovod.torch", newPython, "  - horovord", "  - torch"), open: "package-horovod"},
		{name: "and that no script needs", project: conda("print(1)", newPython, "  - horovod", "  - torch"), open: "package-horovod", has: []string{"MIGRATION.md: no script in the project imports it"}},
		{name: "a range of Pythons", project: conda("", "- python>=3.6\n- pip:\n  - numpy\n"), has: []string{"conda_dependencies.yml: - python=3.11\n"}},
		{name: "a range of Pythons that ended", project: conda("", "- python>=3.6,<3.8\n- pip:\n  - numpy==1.16.2\n"), has: []string{"conda_dependencies.yml: - python=3.11\n", "conda_dependencies.yml: - numpy>=1.23.2\n", "MIGRATION.md: support for all of these has ended"}},
		{name: "a list beside the file", project: conda("", newPython, "  - -r requirements.txt"), open: "pip-list", has: []string{"MIGRATION.md: `--answer pip-list='NAME==VERSION'`"}},
		{name: "a module with another name", project: conda("from fbprophet import Prophet", newPython, "  - fbprophet"), open: "rewrite"},
		{name: "the old name after all", project: conda("from fbprophet import Prophet", newPython, "  - fbprophet"), answers: "package-fbprophet=fbprophet"},
		{name: "a function that is gone", project: conda("from azure.storage.blob import BlockBlobService", newPython, "  - azure-storage"), open: "rewrite"},
		{name: "a target that is filled in", project: strings.ReplaceAll(sdk(""), "target: cpu", "target: ${CPU}"), open: "target", has: []string{"job-job.yml: compute: azureml:DECIDE\n"}},
		{name: "a package of Spark's", project: spark, has: []string{"MIGRATION.md: a Spark session has its own pyspark", "c.yml: - numpy\n"}, lacks: []string{"c.yml: - pyspark"}},
		{name: "more processes than GPUs", project: mpi, open: "processes", has: []string{"job-job.yml: DECIDE", "MIGRATION.md: 4 processes, but Standard_NC4as_T4_v3 has 1 GPU"}},
		{name: "as many as GPUs", project: mpi, answers: "vm-size=Standard_NC64as_T4_v3"},
		{name: "fewer processes", project: mpi, answers: "processes=1", has: []string{"job-job.yml: process_count_per_instance: 1\n"}},
	})
}

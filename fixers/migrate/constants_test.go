package migrate_test

import (
	"strings"
	"testing"
)

// TestConstantsOfModules checks that constants of the project's other modules are read, and only those.
func TestConstantsOfModules(t *testing.T) {
	project := func(imports, arguments string) string {
		return "-- src/train.py --\nprint(1)\n-- jobs/submit.py --\nfrom azureml.core import Environment, ScriptRunConfig\n" + imports + "\nScriptRunConfig('src', 'train.py', environment=Environment('e'), " + arguments + ")\n" +
			"-- config.py --\nimport os\nfrom base import NAME\nCOMPUTE = 'cpu'\nWORDS = ['--a', 1]\nDB_PASSWORD = 'hunter2'\nTWICE = 1\nTWICE = 2\nITEMS = []\nITEMS.append(1)\nif os.name:\n  MAYBE = 1\ndef f():\n  HERE = 1\nPATH = os.path.join('a', NAME)\nFOLDER = os.path.dirname(os.path.abspath(__file__))\nclass Settings:\n  NODES = 2\n" +
			"-- base.py --\nfrom config import COMPUTE\nNAME = 'b'\n-- own/__init__.py --\nSIZE = 7\n-- own/more.py --\nSIZE = 8\n"
	}
	const job = "job-submit.yml: "
	checkWorked(t, []worked{
		{name: "by name", project: project("from config import COMPUTE, WORDS, PATH as p", "compute_target=COMPUTE, arguments=WORDS + [f'{COMPUTE}-x', p]"), has: []string{job + "compute: azureml:cpu\n", job + "train.py --a 1 cpu-x a/b\n"}},
		{name: "by module", project: project("import config as c\nimport own.more as m, own", "compute_target=c.COMPUTE, arguments=[f'{c.Settings.NODES}', c.NAME, m.SIZE, own.SIZE]"), has: []string{job + "compute: azureml:cpu\n", job + "train.py 2 b 8 7\n"}},
		{name: "of a class, and a package", project: project("from config import Settings\nfrom own import SIZE, more", "compute_target='cpu', arguments=[Settings.NODES, SIZE, more.SIZE]"), has: []string{job + "train.py 2 7 8\n"}},
		{name: "relative", project: strings.Replace(project("from ..base import NAME\nfrom .more import X", "compute_target='cpu', arguments=[NAME, X]"), "-- base.py", "-- jobs/more.py --\nX = 3\n-- base.py", 1), has: []string{job + "train.py b 3\n"}},
		{name: "not constant", project: project("from config import *\nimport config", "compute_target='cpu', arguments=[config.TWICE, config.MAYBE, config.HERE, config.GONE, config.FOLDER]"), open: "argument-1 argument-2 argument-3 argument-4 argument-5"},
		{name: "changed here, and secret", project: project("from config import COMPUTE\nimport config\nCOMPUTE = f()", "compute_target=COMPUTE, arguments=[config.DB_PASSWORD]"), open: "argument-1 target", lacks: []string{job + "hunter2"}},
		{name: "of a package that is not in the project", project: project("from gone import COMPUTE", "compute_target=COMPUTE"), open: "target"},
	})
}

// TestUsualVariables checks that the defaults of variables of the environment are followed through a class of another
// module, and taken from an example of an environment file.
func TestUsualVariables(t *testing.T) {
	project := func(class, arguments string) string {
		return "-- src/train.py --\nprint(1)\n-- jobs/submit.py --\nimport os\nfrom azureml.core import Environment, ScriptRunConfig\nfrom util import settings\nfrom util.settings import Env\ndef main():\n  e = Env()\n  ScriptRunConfig('src', 'train.py', environment=Environment('e'), " + arguments + ")\n" +
			"-- util/__init__.py --\n-- util/settings.py --\nimport os\n" + class + "-- .env.example --\n# sample\nCLUSTER = 'cpu' # small\nexport EPOCHS=5\nAPI_KEY=hunter2\nEMPTY=\n"
	}
	const job = "job-submit.yml: "
	const own = "class Env:\n  kind: str = 'own'\n  cluster: str = os.environ.get('CLUSTER')\n  rate = os.getenv('RATE', '0.1')\n  key = os.environ['API_KEY']\n  gone = os.environ.get('EMPTY')\nclass Other:\n  cluster = 1\n"
	const property = "class Env(metaclass=Single):\n  def __init__(self):\n    self._cluster = os.environ.get('CLUSTER')\n  @property\n  def cluster(self):\n    return self._cluster\n"
	checkWorked(t, []worked{
		{name: "of a class", project: project(own, "compute_target=e.cluster, arguments=[e.kind, e.rate]"), has: []string{job + "compute: azureml:cpu\n", job + "train.py own 0.1\n", "MIGRATION.md: jobs/submit.py:7 takes it from the variable CLUSTER, which .env.example sets to this"}},
		{name: "by a property", project: project(property, "compute_target=e.cluster"), has: []string{job + "compute: azureml:cpu\n"}},
		{name: "by a module, or here", project: project(own, "compute_target=settings.Env.cluster, arguments=[os.environ['EPOCHS']]"), has: []string{job + "compute: azureml:cpu\n", job + "train.py 5\n"}},
		{name: "a step's script and folder", project: strings.Replace(project(own+"class Steps:\n  folder = os.environ.get('FOLDER', 'src')\n  script = os.environ.get('SCRIPT', 'train.py')\n  gone = os.environ.get('GONE', 'gone.py')\n", ""), "def main", "from azureml.pipeline.core import Pipeline\nfrom azureml.pipeline.steps import PythonScriptStep\ns = settings.Steps()\nPipeline(None, [PythonScriptStep(s.script, 'a', source_directory=s.folder, compute_target='cpu'), PythonScriptStep('train.py', 'b', source_directory=s.folder, compute_target='cpu'), PythonScriptStep(s.gone, 'c', compute_target='cpu')])\ndef main", 1), open: "script",
			has: []string{"job-submit-pipeline.yml:     code: ../src\n    command: python train.py\n", "job-submit-pipeline.yml:   c:\n    type: command\n    display_name: c\n    code: ..\n    # DECIDE"}},
		{name: "secret and unset", project: project(own, "compute_target='cpu', arguments=[e.key, e.gone]"), open: "argument-1 argument-2", lacks: []string{job + "hunter2", "MIGRATION.md: hunter2"}},
		{name: "changed", project: project("class Env:\n  cluster = 'a'\n  def f(self):\n    self.cluster = 1\n", "compute_target=e.cluster"), open: "target"},
		{name: "by properties that name each other", project: project("class Env:\n  @property\n  def cluster(self):\n    return self.other\n  @property\n  def other(self):\n    return self.cluster\n", "compute_target=e.cluster"), open: "target"},
		{name: "of a class that sets it twice", project: project("class Env:\n  cluster = 'a'\n  cluster = 'b'\n", "compute_target=e.cluster"), open: "target"},
	})
}

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

package tracking_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema/testkit"
)

const sdk = "from azureml.core import Run\nrun = Run.get_context()\n"

// logValue is the function, after the imports, that logs what is known only at run time.
const logValue = `

def log_value(name, value, step=None):
    """Log what run.log took: a number, numbers with a step each, or a text."""
    name = "".join(c if c.isalnum() or c in "_-.:/ " else "_" for c in str(name))
    value = value.tolist() if hasattr(value, "tolist") else value
    if isinstance(value, (list, tuple)):
        for i, one in enumerate(value):
            log_value(name, one, i)
    elif hasattr(value, "__float__"):
        mlflow.log_metric(name, float(value), step=step)
    else:
        mlflow.set_tag(name, value)


`

// helped is what replaces sdk together with that function.
const helped = "import mlflow\n" + logValue

// idOf is the expression for the run's id.
const idOf = "(mlflow.active_run() or mlflow.start_run()).info.run_id"

// parentID is the expression for the id of the run's parent.
const parentID = "mlflow.get_run(" + idOf + `).data.tags["mlflow.parentRunId"]`

// logTo is logValue for scripts that also log to the parent.
const logTo = `

def log_value(name, value, step=None, run_id=None):
    """Log what run.log took, to this run or another: a number, numbers with a step each, or a text."""
    name = "".join(c if c.isalnum() or c in "_-.:/ " else "_" for c in str(name))
    value = value.tolist() if hasattr(value, "tolist") else value
    run_id = run_id or (mlflow.active_run() or mlflow.start_run()).info.run_id
    if isinstance(value, (list, tuple)):
        for i, one in enumerate(value):
            log_value(name, one, i, run_id)
    elif hasattr(value, "__float__"):
        mlflow.MlflowClient().log_metric(run_id, name, float(value), step=step)
    else:
        mlflow.MlflowClient().set_tag(run_id, name, value)


`

// readsOne returns the code that reads the path of one dataset.
func readsOne(option, name string) string {
	return fmt.Sprintf("dataset_parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)\ndataset_parser.add_argument(\"--%s\", required=True, help=\"path of the input dataset %s\")\ndatasets, sys.argv[1:] = dataset_parser.parse_known_args()\n", option, name)
}

// cases have a script, the rewritten script ("" for no changes), and what is left, as "LINE CODE".
var cases = []struct {
	name, in, want string
	left           []string
}{
	{"metric", sdk + "run.log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"keywords", sdk + "run.log(name='a', value=1.5, description='text', step=2)\n", "import mlflow\nmlflow.log_metric(key='a', value=1.5, step=2)\n", nil},
	{"positions", sdk + "run.log('a', 1, 'text', 7)\n", "import mlflow\nmlflow.log_metric('a', 1, step=7)\n", nil},
	{"text", sdk + "run.log('model', 'resnet')\n", "import mlflow\nmlflow.log_param('model', 'resnet')\n", nil},
	{"two texts", sdk + "run.log('m', 'a')\nrun.log('m', 'b')\n", "", []string{"3 run.log", "4 run.log"}},
	{"unknown value", sdk + "run.log('a', f(x))\n", helped + "log_value('a', f(x))\n", nil},
	{"unknown value, keywords", sdk + "run.log(name='a', value=f(x), description='b', step=3)\n", helped + "log_value(name='a', value=f(x), step=3)\n", nil},
	{"unknown text", sdk + "run.log('a', str(x))\n", helped + "log_value('a', str(x))\n", nil},
	{"unknown value, counted", sdk + "for i in range(3):\n    run.log('a', x[i])\n", helped + "for i in range(3):\n    log_value('a', x[i], step=i)\n", nil},
	{"the helper's name is taken", sdk + "def log_value(): pass\nrun.log('a', f(x))\n", "", []string{"4 run.log"}},
	{"helper behind what imports", "import sys\ntry:\n    import torch\nexcept ImportError:\n    torch = None\nsys.path.append('.')\n" + sdk + "import os\nrun.log('a', f(x))\n",
		"import sys\ntry:\n    import torch\nexcept ImportError:\n    torch = None\nsys.path.append('.')\nimport mlflow\nimport os\n" + logValue + "log_value('a', f(x))\n", nil},
	{"helper without imports", "'''text'''\n\n# a comment\ndef f(x):\n    from azureml.core import Run\n    Run.get_context().log('a', x)\n", "'''text'''\n\n# a comment\nimport mlflow\n" + strings.TrimPrefix(logValue, "\n\n") + "def f(x):\n    log_value('a', x)\n", nil},
	{"helper before semicolons", "import os; from azureml.core import Run; run = Run.get_context()\nrun.log('a', f(x))\n", strings.TrimPrefix(logValue, "\n\n") + "import os; import mlflow; pass\nlog_value('a', f(x))\n", nil},
	{"unknown name", sdk + "run.log(k, 1)\n", helped + "log_value(k, 1)\n", nil},
	{"no value", sdk + "run.log(k)\nrun.log_list(k)\nrun.log_table('k')\n", "", []string{"3 run.log", "4 run.log_list", "5 run.log_table"}},
	{"name that MLflow refuses", sdk + "run.log('# of epochs', 1)\nrun.log('../a', 1)\n", "", []string{"3 run.log", "4 run.log"}},
	{"unpacked", sdk + "run.log(*pair)\nrun.log(**pair)\n", "", []string{"3 run.log", "4 run.log"}},
	{"alias", "from azureml.core.run import Run as R\nr = R.get_context(allow_offline=False)\nr.log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"module", "import azureml.core\nrun = azureml.core.Run.get_context()\nrun.log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"module by another name", "import azureml.core as ac\nrun = ac.Run.get_context()\nrun.log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"without a name", "from azureml.core import Run\nRun.get_context().log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"Workbench", "from azureml.logging import get_azureml_logger\nlogger = get_azureml_logger()\nlogger.log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"another Run", "from sacred import Run\nrun = Run.get_context()\nrun.log('a', 1)\n", "", []string{"3 run.log"}},
	{"own module", "from azureml.core import Workspace, Run, Dataset\nws = Workspace.get('a')\nd = Dataset\nrun = Run.get_context()\nrun.log('a', 1)\n",
		"import mlflow\nfrom azureml.core import Workspace, Dataset\nws = Workspace.get('a')\nd = Dataset\nmlflow.log_metric('a', 1)\n", nil},
	{"last of a list", "from azureml.core import (\n    Workspace,\n    Run,\n)\nws = Workspace\nrun = Run.get_context()\nrun.log('a', 1)\n",
		"import mlflow\nfrom azureml.core import (\n    Workspace,\n)\nws = Workspace\nmlflow.log_metric('a', 1)\n", nil},
	{"never used", "from azureml.core import Run, Workspace\nfrom azureml.core import Dataset\nrun = Run.get_context()\nrun.log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"set again", sdk + "run = None\nrun.log('a', 1)\n", "", []string{"4 run.log"}},
	{"either", "from azureml.core import Run\nif x:\n    run = Run.get_context()\nelse:\n    run = Mine()\nrun.log('a', 1)\n", "", []string{"6 run.log"}},
	{"tried", "try:\n    from azureml.core import Run\n    run = Run.get_context()\nexcept ImportError:\n    run = None\nif run:\n    run.log('a', 1)\nif x and run is not None: run.complete()\n", "try:\n    import mlflow\n    run = mlflow\nexcept ImportError:\n    run = None\nif run:\n    mlflow.log_metric('a', 1)\nif x and run is not None: pass\n", nil},
	{"tried, and a switch", "try:\n    from azureml.core import Run\n    HAS = True\n    run = Run.get_context()\nexcept ImportError:\n    HAS = False\ndef f():\n    if HAS:\n        run.log('a', 1)\n", "try:\n    import mlflow\n    HAS = True\nexcept ImportError:\n    HAS = False\ndef f():\n    if HAS:\n        mlflow.log_metric('a', 1)\n", nil},
	{"tried, and more of it", "try:\n    from azureml.core import Run\n    run = Run.get_context()\nexcept ImportError:\n    run = None\nif run:\n    run.log('a', 1)\n    print(run.tags)\n", "", []string{"7 run.log"}},
	{"tried, or another", "try:\n    from azureml.core import Run\n    run = Run.get_context()\nexcept ImportError:\n    run = Mine()\nrun.log('a', 1)\n", "", []string{"6 run.log"}},
	{"tried, and compared", "try:\n    from azureml.core import Run\n    run = Run.get_context()\nexcept ImportError:\n    run = None\nif run == x: run.log('a', 1)\n", "", []string{"6 run.log"}},
	{"run of a job", "from azureml.core.run import Run, _OfflineRun\nrun = Run.get_context()\nif type(run) == _OfflineRun:\n    f()\nif not isinstance(run, _OfflineRun) and x:\n    print(run)\ny = type(run) is not _OfflineRun\n",
		"import mlflow\nimport os\nif \"MLFLOW_RUN_ID\" not in os.environ:\n    f()\nif (\"MLFLOW_RUN_ID\" in os.environ) and x:\n    print(mlflow.active_run() or mlflow.start_run())\ny = \"MLFLOW_RUN_ID\" in os.environ\n", nil},
	{"run of another class", "from azureml.core.run import Run\nrun = Run.get_context()\nif isinstance(run, Run):\n    f()\n", "", []string{"3 run"}},
	{"tried run", "from azureml.core import Run\ntry:\n    run = Run.get_context()\nexcept Exception:\n    pass\nrun.log('a', 1)\n", "", []string{"6 run.log"}},
	{"parameter", sdk + "def f(run):\n    run.log('a', 1)\nrun.log('b', 2)\n", "import mlflow\ndef f(run):\n    run.log('a', 1)\nmlflow.log_metric('b', 2)\n", []string{"4 run.log"}},
	{"passed on", sdk + "train(run)\nrun.log('a', 1)\n", "import mlflow\n" + sdk + "train(run)\nmlflow.log_metric('a', 1)\n", []string{"3 run"}},
	{"as an argument", sdk + "def f(a, run):\n    run.log('a', 1)\ndef g(run, x):\n    f(1, run)\ng(run, 2)\ng(x=3, run=run)\n", "import mlflow\ndef f(a):\n    mlflow.log_metric('a', 1)\ndef g(x):\n    f(1)\ng(2)\ng(x=3)\n", nil},
	{"as an argument beside those by name", sdk + "def f(a, /, run, b=1, *, c):\n    run.log('a', 1)\nf(1, run, c=2)\n", "import mlflow\ndef f(a, /, b=1, *, c):\n    mlflow.log_metric('a', 1)\nf(1, c=2)\n", nil},
	{"as an argument by name alone", sdk + "def f(a, *, c=1, run):\n    run.log('a', 1)\nf(1, run=run)\n", "import mlflow\ndef f(a, *, c=1):\n    mlflow.log_metric('a', 1)\nf(1)\n", nil},
	{"as an argument behind others", sdk + "def f(*args, run):\n    run.log('a', 1)\nf(1, run=run)\n", "", []string{"4 run.log", "5 run"}},
	{"as the only argument by name", sdk + "def f(a, *, run):\n    run.log('a', 1)\nf(1, run=run)\n", "", []string{"4 run.log", "5 run"}},
	{"as the only argument by place", sdk + "def f(run, /, a=1):\n    run.log('a', 1)\nf(run)\n", "", []string{"4 run.log", "5 run"}},
	{"as the only argument", sdk + "def f(run):\n    run.log('a', 1)\nif __name__ == '__main__':\n    f(Run.get_context())\n", "import mlflow\ndef f():\n    mlflow.log_metric('a', 1)\nif __name__ == '__main__':\n    f()\n", nil},
	{"as an argument with a type", sdk + "def f(run: Run, a=3) -> int:\n    run.log('a', 1)\nf(run)\n", "import mlflow\ndef f(a=3) -> int:\n    mlflow.log_metric('a', 1)\nf()\n", nil},
	{"as an argument, and another run", sdk + "def f(run):\n    run.log('a', 1)\nf(run)\nf(None)\n", "", []string{"4 run.log", "5 run"}},
	{"as an argument that has other uses", sdk + "def f(run):\n    run.log('a', 1)\n    g(run)\nf(run)\n", "import mlflow\n" + sdk + "def f(run):\n    mlflow.log_metric('a', 1)\n    g(run)\nf(run)\n", []string{"5 run"}},
	{"as an argument of what is handed on", sdk + "def f(run):\n    run.log('a', 1)\nf(run)\ng(f)\n", "", []string{"4 run.log", "5 run"}},
	{"as an argument in a circle", sdk + "def f(run):\n    run.log('a', 1)\n    f(run)\nf(run)\n", "", []string{"4 run.log", "6 run"}},
	{"as an argument of a decorated function", sdk + "@cached\ndef f(run):\n    run.log('a', 1)\nf(run)\n", "", []string{"5 run.log", "6 run"}},
	{"as an argument that is set again", sdk + "def f(run):\n    run = run or None\n    run.log('a', 1)\nf(run)\n", "", []string{"5 run.log", "6 run"}},
	{"callback with a run", sdk + "class C(Callback):\n    def __init__(self, run, n=3):\n        super().__init__()\n        self.run = run\n    def on_epoch_end(self, epoch, logs={}):\n        self.run.log('loss', logs['loss'])\nmodel.fit(callbacks=[C(run)])\n",
		helped + "class C(Callback):\n    def __init__(self, n=3):\n        super().__init__()\n    def on_epoch_end(self, epoch, logs={}):\n        log_value('loss', logs['loss'], step=epoch)\nmodel.fit(callbacks=[C()])\n", nil},
	{"callback with a run that is inherited", sdk + "class C:\n    def __init__(self, run):\n        self.run = run\n    def f(self):\n        self.run.log('a', 1)\nclass D(C):\n    pass\nC(run)\n", "", []string{"7 self.run.log", "10 run"}},
	{"by another name", sdk + "r = run\nr.log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"in a lambda", sdk + "f = lambda run: run.log('a', 1)\n", "", []string{"3 run", "3 run.log"}},
	{"callback", sdk + "class C(Callback):\n    def on_epoch_end(self, epoch, logs):\n        run.log('a', float(logs['a']))\n",
		"import mlflow\nclass C(Callback):\n    def on_epoch_end(self, epoch, logs):\n        mlflow.log_metric('a', float(logs['a']), step=epoch)\n", nil},
	{"attribute", "from azureml.core import Run\nclass C:\n    def __init__(self):\n        self.run = Run.get_context()\n    def f(self):\n        self.run.log('a', 1)\n",
		"import mlflow\nclass C:\n    def __init__(self):\n        pass\n    def f(self):\n        mlflow.log_metric('a', 1)\n", nil},
	{"attribute set from outside", "from azureml.core import Run\nclass C:\n    def __init__(self):\n        self.run = Run.get_context()\n    def f(self):\n        self.run.log('a', 1)\nC().run = 3\n", "", []string{"6 self.run.log"}},
	{"in a function", "def main():\n    from azureml.core import Run\n    run = Run.get_context()\n    run.log('a', 1)\n", "import mlflow\ndef main():\n    mlflow.log_metric('a', 1)\n", nil},
	{"star before", "from utils import *\n" + sdk + "run.log('a', 1)\n", "from utils import *\nimport mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"star behind", sdk + "from utils import *\nrun.log('a', 1)\n", "", []string{"4 run.log"}},
	{"star itself", "from azureml.core import *\nrun = Run.get_context()\nrun.log('a', 1)\n", "", []string{"3 run.log"}},
	{"f-string", sdk + "run.log('a', 1)\nprint(f'{run.tags}')\n", "import mlflow\n" + sdk + "mlflow.log_metric('a', 1)\nprint(f'{run.tags}')\n", []string{"4 run"}},
	{"id in an f-string", sdk + "print(f'the run {{run}} {run.id!r} {run.experiment.name:>9} {x:{y}}')\n", "import mlflow\nprint(f'the run {{run}} {" + idOf + "!r} {mlflow.get_experiment((mlflow.active_run() or mlflow.start_run()).info.experiment_id).name:>9} {x:{y}}')\n", nil},
	{"mlflow of its own", sdk + "mlflow = 3\nrun.log('a', 1)\n", "", []string{"4 run.log"}},
	{"mlflow is there", "import mlflow\n" + sdk + "run.log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"mlflow starts runs", "import mlflow\n" + sdk + "run.log('a', 1)\nprint(f'{run.id}')\nwith mlflow.start_run():\n    pass\n", "", []string{"4 run.log", "5 run"}},
	{"docstring", "'''text'''\nfrom __future__ import division\nx = 1\ndef f():\n    from azureml.core import Run\n    Run.get_context().log('a', x)\n", "'''text'''\nfrom __future__ import division\nimport mlflow\nx = 1\ndef f():\n    mlflow.log_metric('a', x)\n", nil},
	{"semicolons", "import os; from azureml.core import Run; run = Run.get_context()\nrun.log('a', 1); run.complete()\n", "import os; import mlflow; pass\nmlflow.log_metric('a', 1); pass\n", nil},
	{"one line", sdk + "if x: run.log('a', 1)\nif x: run.complete()\n", "import mlflow\nif x: mlflow.log_metric('a', 1)\nif x: pass\n", nil},
	{"comments", sdk + "run.log(  # why\n    'a',  # name\n    1  # value\n)  # end\n", "import mlflow\nmlflow.log_metric(  # why\n    'a',  # name\n    1  # value\n)  # end\n", nil},
	{"comment behind what goes", "from azureml.core import Run\nrun = Run.get_context()  # the run\nrun.log('a', 1)\n", "import mlflow\n# the run\nmlflow.log_metric('a', 1)\n", nil},
	{"comment in what goes", sdk + "run.log('a', 1,  # one\n    description='b')\n", "", []string{"3 run.log"}},
	{"continued line", sdk + "run \\\n  .log('a', \\\n  1)\n", "import mlflow\nmlflow.log_metric('a', \\\n  1)\n", nil},
	{"empty block", sdk + "def end():\n    run.complete()\nrun.log('a', 1)\n", "import mlflow\ndef end():\n    pass\nmlflow.log_metric('a', 1)\n", nil},
	{"decorator", sdk + "@cached\ndef f():\n    run.log('a', 1)\n", "import mlflow\n@cached\ndef f():\n    mlflow.log_metric('a', 1)\n", nil},
	{"counted", sdk + "for i in range(3):\n    run.log('a', i)\n", "import mlflow\nfor i in range(3):\n    mlflow.log_metric('a', i, step=i)\n", nil},
	{"counted twice", sdk + "for i in range(3):\n    for j in range(2):\n        run.log('a', i)\n", "import mlflow\nfor i in range(3):\n    for j in range(2):\n        mlflow.log_metric('a', i)\n", nil},
	{"enumerated", sdk + "for i, (x, y) in enumerate(data):\n    run.log('a', 1)\nfor j, x in mine(data):\n    run.log('a', 1)\n", "import mlflow\nfor i, (x, y) in enumerate(data):\n    mlflow.log_metric('a', 1, step=i)\nfor j, x in mine(data):\n    mlflow.log_metric('a', 1)\n", nil},
	{"epochs that are set again", sdk + "class C:\n    def on_epoch_end(self, epoch, logs):\n        epoch = f(epoch)\n        run.log('a', 1)\ndef on_epoch_end(x, y):\n    run.log('a', 1)\n", "import mlflow\nclass C:\n    def on_epoch_end(self, epoch, logs):\n        epoch = f(epoch)\n        mlflow.log_metric('a', 1)\ndef on_epoch_end(x, y):\n    mlflow.log_metric('a', 1)\n", nil},
	{"list", sdk + "run.log_list('a', [1, 2.5])\n", "import mlflow\nfor _step, _value in enumerate([1, 2.5]): mlflow.log_metric('a', _value, step=_step)\n", nil},
	{"list of anything", sdk + "run.log_list('a', values, 'why')\n", helped + "log_value('a', values)\n", nil},
	{"list in a condition", sdk + "if x: run.log_list('a', [1])\n", helped + "if x: log_value('a', [1])\n", nil},
	{"row of anything", sdk + "if x:\n    run.log_row('t', x=f(y), y=2)\n", helped + "if x:\n    log_value(\"t.x\", f(y))\n    log_value(\"t.y\", 2)\n", nil},
	{"properties", sdk + "run.add_properties({'c': 'd'})\nrun.set_tags(tags=x)\n", "import mlflow\nmlflow.set_tags({'c': 'd'})\nmlflow.set_tags(tags=x)\n", nil},
	{"offline", "import os\n" + sdk + "if run.id.startswith('OfflineRun'):\n    print(os.name)\nx = not run.id.lower().startswith(\"offlinerun_\") and y\n",
		"import os\nimport mlflow\nif \"MLFLOW_RUN_ID\" not in os.environ:\n    print(os.name)\nx = not (\"MLFLOW_RUN_ID\" not in os.environ) and y\n", nil},
	{"offline in the id", "import os\n" + sdk + "if 'OfflineRun' in run.id:\n    f()\nx = y and 'Offline' not in run.id\nz = 'O' + 'OfflineRun' in run.id\n",
		"import os\nimport mlflow\nif \"MLFLOW_RUN_ID\" not in os.environ:\n    f()\nx = y and (\"MLFLOW_RUN_ID\" in os.environ)\nz = 'O' + 'OfflineRun' in " + idOf + "\n", nil},
	{"offline without os", sdk + "if run.id.startswith('OfflineRun'):\n    f()\n", "import mlflow\nimport os\nif \"MLFLOW_RUN_ID\" not in os.environ:\n    f()\n", nil},
	{"an os of one's own", "from mine import os\n" + sdk + "if run.id.startswith('OfflineRun'):\n    f()\n", "from mine import os\nimport mlflow\nif " + idOf + ".startswith('OfflineRun'):\n    f()\n", nil},
	{"id", sdk + "print(run.id, run.experiment.name)\n", "import mlflow\nprint(" + idOf + ", mlflow.get_experiment((mlflow.active_run() or mlflow.start_run()).info.experiment_id).name)\n", nil},
	{"id is set", sdk + "run.id = 3\nws = run.experiment.workspace\n", "", []string{"3 run.id", "4 run.experiment"}},
	{"row", sdk + "run.log_row('t', x=1, y=2.0)\n", "import mlflow\nmlflow.log_metrics({\"t.x\": 1, \"t.y\": 2.0})\n", nil},
	{"table", sdk + "run.log_table('t', {'a': [1]})\n", "import mlflow\nmlflow.log_dict(artifact_file=\"t.json\", dictionary={'a': [1]})\n", nil},
	{"confusion matrix", sdk + "run.log_confusion_matrix(name='c', value=m)\n", "import mlflow\nmlflow.log_dict(artifact_file=\"c.json\", dictionary=m)\n", nil},
	{"confusion matrix as text", "import json\n" + sdk + "run.log_confusion_matrix('c', json.dumps(m))\n", "import json\nimport mlflow\nmlflow.log_text(artifact_file=\"c.json\", text=json.dumps(m))\n", nil},
	{"details", sdk + "print(run.get_details()['runId'])\nrun.get_details()['x']\n", "import mlflow\n" + sdk + "print(" + idOf + ")\nrun.get_details()['x']\n", []string{"4 run.get_details"}},
	{"parent", sdk + "run.parent.log(name='a', value=1.5, step=2, description='d')\nrun.parent.tag('b', 'c')\nprint(run.parent.id)\n", "import mlflow\nmlflow.MlflowClient().log_metric(" + parentID + ", key='a', value=1.5, step=2)\nmlflow.MlflowClient().set_tag(" + parentID + ", 'b', 'c')\nprint(" + parentID + ")\n", nil},
	{"parent, unknown value", sdk + "run.parent.log(k, v, 'd', 3)\nrun.log(k, v)\n", "import mlflow\n" + logTo + "log_value(k, v, step=3, run_id=" + parentID + ")\nlog_value(k, v)\n", nil},
	{"the rest of a parent", sdk + "p = run.parent\nrun.parent.cancel()\nrun.parent.log_list('a', [1])\nrun.parent.tag('b')\nrun.parent.log('a')\n", "", []string{"3 run.parent", "4 run.parent", "5 run.parent", "6 run.parent", "7 run.parent"}},
	{"plot", "import matplotlib.pyplot as plt\n" + sdk + "run.log_image('roc', plot=plt)\n", "import matplotlib.pyplot as plt\nimport mlflow\nmlflow.log_figure(artifact_file=\"roc.png\", figure=plt.gcf())\n", nil},
	{"picture", sdk + "run.log_image('roc', path=p)\n", "import mlflow\nmlflow.log_artifact(p)\n", nil},
	{"another plot", sdk + "run.log_image('roc', plot=figure)\n", "", []string{"3 run.log_image"}},
	{"file", sdk + "name = 'm.pkl'\nrun.upload_file(name='./outputs/' + name, path_or_stream=name)\n", "import mlflow\nname = 'm.pkl'\nmlflow.log_artifact(name, \"outputs\")\n", nil},
	{"file under another name", sdk + "run.upload_file('model', 'm.pkl')\n", "", []string{"3 run.upload_file"}},
	{"file of any name", "import os\n" + sdk + "def f(x):\n    run.upload_file('./outputs/' + x, x)\n    run.upload_file(name=a.b, path_or_stream=a.b)\n    run.upload_file('a' + x, x)\n",
		"import os\nimport mlflow\n" + sdk + "def f(x):\n    mlflow.log_artifact(x, os.path.dirname(\"outputs/\" + x))\n    mlflow.log_artifact(a.b, os.path.dirname(a.b))\n    run.upload_file('a' + x, x)\n", []string{"7 run.upload_file"}},
	{"files", sdk + "if x:\n\trun.upload_files(['a/x', 'y'], ['x', 'b/y'])\n", "import mlflow\nif x:\n\tmlflow.log_artifact('x', \"a\")\n\tmlflow.log_artifact('b/y')\n", nil},
	{"folder", sdk + "run.upload_folder('logs', path)\n", "import mlflow\nmlflow.log_artifacts(path, \"logs\")\n", nil},
	{"model of MLflow", sdk + "import mlflow.sklearn\nmlflow.sklearn.log_model(m, 'model')\nrun.register_model('name', 'model', tags={'a': 'b'})\n", "import mlflow.sklearn\nmlflow.sklearn.log_model(m, 'model')\nmlflow.register_model(\"runs:/\" + " + idOf + " + \"/model\", 'name', tags={'a': 'b'})\n", nil},
	{"model of scikit-learn", "import joblib\nfrom sklearn.linear_model import Ridge\n" + sdk + "m = Ridge(alpha=3).fit(x, y)\njoblib.dump(value=m, filename='outputs/m.pkl')\nrun.register_model(model_name='name', model_path='outputs/m.pkl', description='d')\n",
		"import joblib\nfrom sklearn.linear_model import Ridge\nimport mlflow\nm = Ridge(alpha=3).fit(x, y)\njoblib.dump(value=m, filename='outputs/m.pkl')\nmlflow.sklearn.log_model(m, \"name\", registered_model_name='name', serialization_format=\"cloudpickle\")\n", nil},
	{"model of scikit-learn by pickle", "import pickle\nfrom sklearn import svm\n" + sdk + "p = 'outputs/m.pkl'\nm = svm.SVC()\nwith open(p, 'wb') as f:\n    pickle.dump(m, f)\nrun.register_model('name', model_path=p)\n",
		"import pickle\nfrom sklearn import svm\nimport mlflow\np = 'outputs/m.pkl'\nm = svm.SVC()\nwith open(p, 'wb') as f:\n    pickle.dump(m, f)\nmlflow.sklearn.log_model(m, \"name\", registered_model_name='name', serialization_format=\"cloudpickle\")\n", nil},
	{"model of anything", "import joblib\n" + sdk + "joblib.dump(m, 'outputs/m.pkl')\nrun.register_model('name', 'outputs/m.pkl')\nx = run.register_model('name', 'outputs/m.pkl')\nrun.register_model('name', p)\n", "", []string{"5 run.register_model", "6 run.register_model", "7 run.register_model"}},
	{"tag", sdk + "run.tag('a', value=1)\nrun.tag('b')\nrun.set_tags({'c': 'd'})\n", "import mlflow\n" + sdk + "mlflow.set_tag('a', value=1)\nrun.tag('b')\nmlflow.set_tags({'c': 'd'})\n", []string{"4 run.tag"}},
	{"the rest of a run", sdk + "x = run.parent.get_metrics()\nrun.register_model('m')\nx = run.input_datasets['d']\nrun.child_run('c')\n", "", []string{"3 run.parent", "4 run.register_model", "5 run.input_datasets", "6 run.child_run"}},
	{"another run", "run = experiment.start_logging()\nrun.log('a', 1)\n# get_context\n", "", []string{"2 run.log"}},
	{"kinds", sdk + "import numpy as np\nfrom sklearn.metrics import r2_score, f1_score\nn = 3\nn += 1\nrun.log('a', n / 2)\nrun.log('b', np.float64(n))\nrun.log('i', np.float64(x))\nrun.log('j', np.mean(x))\nrun.log('c', r2_score(x, y))\nrun.log('d', f1_score(x, y, average=None))\nrun.log('e', 1 if x else 2.5)\nrun.log('f', -n)\nrun.log('g', n or 'x')\n",
		"import mlflow\nimport numpy as np\nfrom sklearn.metrics import r2_score, f1_score\n" + logValue + "n = 3\nn += 1\nmlflow.log_metric('a', n / 2)\nmlflow.log_metric('b', np.float64(n))\nlog_value('i', np.float64(x))\nmlflow.log_metric('j', np.mean(x))\nmlflow.log_metric('c', r2_score(x, y))\nlog_value('d', f1_score(x, y, average=None))\nmlflow.log_metric('e', 1 if x else 2.5)\nmlflow.log_metric('f', -n)\nlog_value('g', n or 'x')\n", nil},
	{"mean of a frame", "import pandas\nimport numpy as np\n" + sdk + "run.log('a', np.mean(x))\nrun.log('b', np.average(x))\n", "import pandas\nimport numpy as np\nimport mlflow\n" + logValue + "log_value('a', np.mean(x))\nmlflow.log_metric('b', np.average(x))\n", nil},
	{"a float of one's own", sdk + "def float(x): return str(x)\nrun.log('a', float(1))\n", helped + "def float(x): return str(x)\nlog_value('a', float(1))\n", nil},
	{"argument", "import argparse\n" + sdk + "p = argparse.ArgumentParser()\np.add_argument('--reg', type=float, default=0.5)\np.add_argument('--name')\nargs = p.parse_args()\nrun.log('reg', args.reg)\nrun.log('name', args.name)\n",
		"import argparse\nimport mlflow\n" + logValue + "p = argparse.ArgumentParser()\np.add_argument('--reg', type=float, default=0.5)\np.add_argument('--name')\nargs = p.parse_args()\nmlflow.log_metric('reg', args.reg)\nlog_value('name', args.name)\n", nil},
	{"Python 2", sdk + "print 'x'\nrun.log('a', 1)\n", "", []string{"3 "}},
	{"Python 2 exception", sdk + "try:\n    f()\nexcept E, e:\n    pass\nrun.log('a', 1)\n", "", []string{"5 "}},
	{"end in a lambda", sdk + "f = lambda: run.complete()\n", "", []string{"3 run.complete"}},
	{"end in an annotation", sdk + "f: run.complete()\n", "", []string{"3 run.complete"}},
	{"end behind else", sdk + "if x: f()\nelse: run.complete()\nrun.log('a', 1)\n", "import mlflow\nif x: f()\nelse: pass\nmlflow.log_metric('a', 1)\n", nil},
	{"a range of one's own", "from mine import range\n" + sdk + "for i in range(3):\n    run.log('a', 1)\n    run.log('b', i)\n", "from mine import range\nimport mlflow\n" + logValue + "for i in range(3):\n    mlflow.log_metric('a', 1)\n    log_value('b', i)\n", nil},
	{"dataset", "import os\n" + sdk + "os.listdir(run.input_datasets['d'])\n", "import os\nimport argparse\nimport sys\n\n" + readsOne("d", "d") + "os.listdir(datasets.d)\n", nil},
	{"dataset, own parser", "import argparse\nimport os\n" + sdk + "p = argparse.ArgumentParser()\np.add_argument('--d', type=float)\nargs = p.parse_args()\nx = run.input_datasets['d']\nos.listdir(x)\ny = run.output_datasets['a b'] + '/c'\n",
		"import argparse\nimport os\np = argparse.ArgumentParser()\np.add_argument('--d', type=float)\np.add_argument(\"--d_dataset\", required=True, help=\"path of the input dataset d\")\np.add_argument(\"--a_b\", required=True, help=\"path of the output dataset a b\")\nargs = p.parse_args()\nx = args.d_dataset\nos.listdir(x)\ny = args.a_b + '/c'\n", nil},
	{"dataset in a function", "import argparse\nimport os\n" + sdk + "p = argparse.ArgumentParser()\nargs = p.parse_args()\ndef f():\n    return os.listdir(run.input_datasets['in'])\n",
		"import argparse\nimport os\nimport sys\n\n" + readsOne("data_in", "in") + "p = argparse.ArgumentParser()\nargs = p.parse_args()\ndef f():\n    return os.listdir(datasets.data_in)\n", nil},
	{"dataset that is a table", sdk + "run.input_datasets['a'].to_pandas_dataframe()\nx = run.input_datasets['b']\nx.to_pandas_dataframe()\n", "", []string{"3 run.input_datasets", "4 run.input_datasets"}},
	{"dataset of any name", sdk + "run.input_datasets[k] + '/a'\nrun.input_datasets['d'] = 3\nfor d in run.input_datasets: pass\n", "", []string{"3 run.input_datasets", "4 run.input_datasets", "5 run.input_datasets"}},
	{"dataset, names taken", "import os\n" + sdk + "datasets = 3\nos.listdir(run.input_datasets['d'])\n", "", []string{"5 run.input_datasets"}},
	{"annotated", "from azureml.core import Run\nrun: Run = Run.get_context()\nrun.log('a', 1)\n", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"global", sdk + "def f():\n    global run\n    run = Run.get_context()\n    run.log('a', 1)\n", "import mlflow\ndef f():\n    global run\n    mlflow.log_metric('a', 1)\n", nil},
	{"nonlocal", "from azureml.core import Run\ndef f():\n    run = Run.get_context()\n    def g():\n        nonlocal run\n        run.log('a', 1)\n", "", []string{"6 run.log"}},
	{"deleted", sdk + "run.log('a', 1)\ndel run\n", "", []string{"3 run.log", "4 run"}},
	{"with", "from azureml.core import Run\nwith Run.get_context() as run:\n    run.log('a', 1)\n", "", []string{"2 Run.get_context()", "3 run.log"}},
	{"assigned within", "from azureml.core import Run\nif (run := Run.get_context()):\n    run.log('a', 1)\n", "", []string{"2 Run.get_context()", "3 run.log"}},
	{"comprehension", sdk + "[run.log('a', 1) for run in runs]\n", "", []string{"3 run.log", "3 run"}},
	{"returned", sdk + "def f():\n    return run.log('a', 1)\n", "import mlflow\ndef f():\n    return mlflow.log_metric('a', 1)\n", nil},
	{"positions in a loop", sdk + "for i in range(3):\n    run.log('a', 1, 'text')\n", "import mlflow\nfor i in range(3):\n    mlflow.log_metric('a', 1, step=i)\n", nil},
	{"notebook", "%matplotlib inline\n" + sdk + "run.log('a', 1)\n", "", []string{"1 "}},
	{"f-string of Python 3.12", sdk + "run.log('a', 1)\nprint(f'{d['x']}')\n", "", []string{"4 "}},
	{"encoding", "# -*- coding: latin-1 -*-\n" + sdk + "run.log('a', 1) # \xe4\n", "# -*- coding: latin-1 -*-\nimport mlflow\nmlflow.log_metric('a', 1) # \xe4\n", nil},
	{"unknown encoding", "# coding: shift_jis\n" + sdk + "run.log('a', 1) # \x83\\\n", "", []string{"1 "}},
	{"no end of line", sdk + "run.log('a', 1)\nrun.complete()", "import mlflow\nmlflow.log_metric('a', 1)\n", nil},
	{"not Python", sdk + "run.log('a', 1\n", "", []string{"1 "}},
}

func TestRewrite(t *testing.T) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := tracking.Rewrite([]byte(c.in), tracking.Options{})
			testkit.Same(t, c.want, string(got.Text), "text")
			var left []string
			for _, l := range got.Skipped {
				left = append(left, fmt.Sprintf("%d %s", l.Line, l.Code))
			}
			testkit.Same(t, c.left, left, "left")
		})
	}
}

// TestForms checks that a script's line ends, byte order mark and tabs do not change.
func TestForms(t *testing.T) {
	for _, c := range cases {
		for name, form := range map[string]func(string) string{
			"CRLF": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"BOM":  func(s string) string { return "\ufeff" + s },
			"tabs": func(s string) string { return strings.ReplaceAll(s, "    ", "\t") },
		} {
			if strings.Contains(c.name, "encoding") && name == "BOM" {
				continue
			}
			if name == "tabs" && (strings.Contains(c.want, logValue[2:]) || strings.Contains(c.want, logTo)) && !strings.Contains(c.in, "    ") {
				continue // nothing in the script shows that it uses tabs
			}
			want := c.want
			if want != "" {
				want = form(want)
			}
			testkit.Same(t, want, string(tracking.Rewrite([]byte(form(c.in)), tracking.Options{}).Text), "%s, %s", c.name, name)
		}
	}
}

// TestAgain checks that rewriting a rewritten script changes nothing.
func TestAgain(t *testing.T) {
	for _, c := range cases {
		if again := tracking.Rewrite([]byte(c.want), tracking.Options{}); again.Text != nil {
			t.Errorf("%s: rewritten once more:\n%s", c.name, again.Text)
		}
	}
}

func TestTooLarge(t *testing.T) {
	got := tracking.Rewrite([]byte(sdk+"run.log('a', 1)\n#"+strings.Repeat("x", tracking.MaxSize)), tracking.Options{})
	if got.Text != nil || len(got.Skipped) != 1 || !strings.Contains(got.Skipped[0].Why, "256 KB") {
		t.Errorf("%+v", got.Skipped)
	}
}

// TestCost checks that the time for a large script is proportional to its size, whatever it repeats.
func TestCost(t *testing.T) {
	const size = tracking.MaxSize - 100 // bytes
	for name, part := range map[string]string{
		"calls": "run.log('a', 1)\n", "lists": "run.log_list('a', [1])\n", "names": "run.log('a', b)\nb = c\nc = b\n", "runs": "r%d = Run.get_context()\nr%[1]d.log('a', 1)\n",
		"strings": "f'{run}'\n", "functions": "def f%d(run, b=run):\n  run.log('a', b)\n", "brackets": "run.log('a', ((((1))))) ; ", "imports": "from azureml.core import Run, A\n",
		"sums": "1+run.log('a', 1)+", "texts": "run.log('a%d', 'b')\n", "ends": "run.complete()\n", "lambdas": "lambda run: run.log('a', 1)\n",
		"passed": "def g%d(run):\n  run.log('a', 1)\ng%[1]d(run)\n", "passed often": "g(run)\n", "datasets": "open(run.input_datasets['a%d'])\n", "fields": "f'{run.id}'\n",
		"models": "joblib.dump(m, 'a')\nrun.register_model('a', 'a')\n", "guards": "if run.id.startswith('OfflineRun'): pass\n", "aliases": "run%d = run\n", "chain": "run = run\n",
	} {
		var b strings.Builder
		b.WriteString(sdk + "def g(run): pass\n")
		for n := 0; b.Len() < size; n++ {
			if strings.Contains(part, "%") {
				fmt.Fprintf(&b, part, n)
			} else {
				b.WriteString(part)
			}
		}
		start := time.Now()
		tracking.Rewrite([]byte(b.String()), tracking.Options{})
		if took := time.Since(start); took > 10*time.Second { // far more than it takes, for busy machines
			t.Errorf("%s: %v", name, took)
		} else {
			t.Logf("%s: %v", name, took)
		}
	}
}

// TestShared checks that a name that another file may use is kept.
func TestShared(t *testing.T) {
	got := tracking.Rewrite([]byte(sdk+"run.log('a', 1)\n"), tracking.Options{Shared: func(name string) bool { return name == "run" }})
	testkit.Same(t, "import mlflow\n"+sdk+"mlflow.log_metric('a', 1)\n", string(got.Text))
}

// TestCompiles checks that Python can compile what is rewritten, and cannot compile what is skipped as Python 2.
func TestCompiles(t *testing.T) {
	testkit.Program(t, "python3")
	var texts [][]int // JSON has no bytes
	for _, c := range cases {
		for _, text := range []string{c.in, c.want} {
			var numbers []int
			for _, b := range []byte(text) {
				numbers = append(numbers, int(b))
			}
			texts = append(texts, numbers)
		}
	}
	in, err := json.Marshal(texts)
	testkit.OK(t, err)
	cmd := exec.Command("python3", "-I", "-c", `
import ast, json, sys
def ok(text):
    try:
        ast.parse(bytes(text or []))
        return True
    except (SyntaxError, ValueError):
        return False
print(json.dumps([ok(t) for t in json.load(sys.stdin)]))`)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	testkit.OK(t, err)
	var compiles []bool
	testkit.OK(t, json.Unmarshal(out, &compiles))
	for i, c := range cases {
		whole := !strings.HasPrefix(c.name, "Python 2") && c.name != "not Python" && c.name != "notebook"
		if strings.Contains(c.name, "3.12") {
			continue // as in the Python version that runs the test
		}
		if compiles[2*i] != whole && c.name != "unknown encoding" {
			t.Errorf("%s: Python says %v of the script", c.name, compiles[2*i])
		}
		if !compiles[2*i+1] {
			t.Errorf("%s: the rewritten script is not Python", c.name)
		}
	}
}

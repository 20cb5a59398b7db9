package prepare

import "path"

// scripts returns where conda packages put scripts that set what they need, such as CUDA_HOME or MKL_INTERFACE_LAYER.
func (p place) scripts() string { return path.Join(p.prefix(), "etc/conda/activate.d") }

// starting returns a shell program that runs another program with the activation scripts. It checks whether there are
// any and, if so, runs them with bash if the image has it, because some packages' scripts are written for bash. Both
// shells are replaced by the program, so its signals and exit code are unaffected. The scripts run in a function, so
// they cannot change the program's arguments.
func (p place) starting() string {
	return `[ -d ` + p.scripts() + ` ] || exec "$@"
if command -v bash >/dev/null 2>&1; then exec bash -c "$0" bash "$@"; fi
exec sh -c "$0" sh "$@"`
}

func (p place) activating() string {
	return `amlfix_activate() {
for amlfix_script in ` + p.scripts() + `/*.sh; do [ ! -r "$amlfix_script" ] || . "$amlfix_script"; done
}
amlfix_activate
exec "$@"`
}

// Start returns the arguments to put before a program so that, in the environment, it finds what "conda activate" would
// have set: the image's variables, and the effects of the packages' own scripts, in order of their names. It is empty
// for environments not made by conda.
func (e Env) Start() []string {
	if e.Way != ByConda {
		return nil
	}
	return []string{"sh", "-c", inImage.starting(), inImage.activating()}
}

package prepare

import "path"

// scripts is where conda packages leave scripts that set what they need, such as CUDA_HOME or MKL_INTERFACE_LAYER.
func (p place) scripts() string { return path.Join(p.prefix(), "etc/conda/activate.d") }

// Programs of the shell. The first checks whether there is anything to do, and has the second, its $0, done by bash where
// the image has it, because some packages' scripts are written for it. Both give way to the program, so its signals and
// its exit code are as without them. A script that sets its arguments does so in a function, and not the program's.
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

// Start is what comes before a program that is started in the environment, so that it finds what "conda activate" would
// have set: variables of the image, and what the packages' own scripts do, in the order of their names. It is empty for
// environments that conda has not made.
func (e Env) Start() []string {
	if e.Way != ByConda {
		return nil
	}
	return []string{"sh", "-c", inImage.starting(), inImage.activating()}
}

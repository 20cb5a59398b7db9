package prepare

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema/requirement"
)

// Error reports why an environment cannot be built. Its text says what to do.
type Error struct {
	Spec    Spec
	Tools   Tools
	Way     Way    // how it was tried; empty: it was not tried
	Code    int    // the tool's exit code
	Note    string // details about its end
	Trouble Trouble
	Disk    string // which disk is full; empty: the Docker engine's
	Running string // the container in which the same environment is being made, perhaps for a killed amlfix
}

func (e *Error) Error() string {
	file := e.Spec.File
	if e.Running == "" && e.Way == "" {
		file = cmp.Or(e.Spec.At, file)
	}
	at := fmt.Sprintf("%s: the environment cannot be built on image %s: ", file, e.Spec.Image)
	switch {
	case e.Running != "":
		return at + fmt.Sprintf("container %[1]s is building it, for another amlfix process or one that was killed: wait until it has ended, or remove it with `docker rm -f %[1]s`", e.Running)
	case e.Trouble == FullDisk && e.Disk != "":
		return at + "its packages do not fit on " + e.Disk + ": use a larger one"
	case e.Trouble == FullDisk:
		return at + "its packages do not fit on the disk of the Docker engine: free some of it with `docker system prune -a`, or give it a larger one"
	case e.Trouble == NoAuthorities:
		return at + e.ended() + ", because the image lacks the file of trusted certificates that its output above names: install the package ca-certificates in the image, or correct PIP_CERT or REQUESTS_CA_BUNDLE there"
	case e.Trouble == Untrusted:
		return at + e.ended() + ", because the certificate of a server is not trusted in the image; see its output above: add the certificate of your network to the image, and name its file in PIP_CERT and SSL_CERT_FILE, or use an index that it trusts"
	case e.Trouble == Unreachable:
		return at + e.ended() + ", because it cannot reach the package index; see its output above: check the network and DNS of containers, set HTTPS_PROXY in the image if there is a proxy, or name another index (--index-url under pip, channels for conda)"
	case e.Way == ByConda:
		return at + e.ended() + "; see its output above: correct the packages that it mentions, or run `amlfix check` to find misspelled and impossible ones"
	case e.Way == ByVenv:
		return at + e.ended() + "; see its output above: correct the packages under pip"
	case e.Tools.Python != "":
		return at + fmt.Sprintf("it has Python %s but no conda, so %s cannot be installed: use an image with conda, or move these packages under pip if PyPI has them",
			e.Tools.PythonVersion, list(e.Spec.Recipe.Conda))
	case e.Tools.PythonVersion != "":
		return at + fmt.Sprintf("its Python %s has no module venv, and there is no conda: use an image with conda, or with a complete Python 3", e.Tools.PythonVersion)
	}
	return at + "it has neither conda nor Python: use an image with conda, such as mcr.microsoft.com/azureml/base or continuumio/miniconda3, or with Python 3"
}

// ended returns how the tool ended.
func (e *Error) ended() string {
	tool, note := "conda", ""
	if e.Way == ByVenv {
		tool = "venv or pip"
	}
	if e.Note != "" {
		note = " (" + e.Note + ")"
	}
	return fmt.Sprintf("%s ended with exit code %d%s", tool, e.Code, note)
}

// list names up to three items.
func list(names []string) string {
	if n := len(names); n > 3 {
		return fmt.Sprintf("%s and %d more conda packages", strings.Join(names[:3], ", "), n-3)
	}
	return strings.Join(names, ", ")
}

// StoppedError reports that ctx was cancelled while an environment was built.
type StoppedError struct {
	File string // as in Spec
	Left string // what is left of it; empty: nothing
	Err  error  // the cause of ctx
}

func (e *StoppedError) Error() string { return e.Err.Error() }
func (e *StoppedError) Unwrap() error { return e.Err }

// Stopped returns what was stopped, and what is left of it.
func (e *StoppedError) Stopped() string {
	return fmt.Sprintf("the environment of %s was being built, and %s is left of it", e.File, cmp.Or(e.Left, "nothing"))
}

// Possible checks whether an image's tools can make an environment. The error is an *Error, or nil.
func Possible(spec Spec, tools Tools) error {
	if tools.Conda != "" || tools.Python != "" && len(spec.Recipe.Conda) == 0 {
		return nil
	}
	return &Error{Spec: spec, Tools: tools}
}

// AllowsPython reports whether a requirement in a conda file, such as "python=3.5.2", allows a version. It returns true
// if there is no requirement or either cannot be parsed.
func AllowsPython(required, version string) bool {
	r, err := requirement.ParseConda(required)
	if required == "" || err != nil {
		return true
	}
	allowed, err := r.Versions()
	v, verr := requirement.ParseVersion(version)
	return err != nil || verr != nil || allowed.Allows(v)
}

// Package attach creates the two files that `az ml computetarget attach` wrote when Azure ML Workbench existed: a
// compute target and a run configuration with the same name. The keys, their order and the style are those of the
// original: alphabetical, no comments, no quotes.
package attach

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The types of targets that can be attached.
const (
	RemoteDocker = "remotedocker" // a container on a Linux machine, over SSH
	Cluster      = "cluster"      // an HDInsight cluster, over SSH
	Remote       = "remote"       // a Linux machine with its own Python, over SSH
	LocalDocker  = "localdocker"  // a container on this computer
)

// Types returns the types in the order of the documentation.
func Types() []string { return []string{RemoteDocker, Cluster, Remote, LocalDocker} }

// The images that a target gets by default: the last ones that Workbench wrote (MicrosoftDocs/azure-docs,
// articles/machine-learning/desktop-workbench/how-to-use-gpu.md, 2018; the GPU image is the same build with CUDA).
const (
	DefaultImage    = "microsoft/mmlspark:plus-0.9.9"
	DefaultGPUImage = "microsoft/mmlspark:plus-gpu-0.9.9"
)

// Target says what to attach.
type Target struct {
	Name string
	// Type is one of Types.
	Type string
	// Address and Username are the SSH host and user of a remote target.
	Address, Username string
	// Key means that the target is accessed with an SSH key rather than a password.
	Key bool
	// GPU makes it a GPU target: a GPU image, nvidiaDocker, Framework: Python.
	GPU bool
	// Image is the base image; "" for the default.
	Image string
}

// Container reports whether the target's jobs run in a container.
func (t Target) Container() bool { return t.Type == RemoteDocker || t.Type == LocalDocker }

// remote reports whether the target is another machine.
func (t Target) remote() bool { return t.Type != LocalDocker }

// Check returns an error if no files can be created for t. The error is worded for the user and refers to what they
// entered.
func (t Target) Check() error {
	switch {
	case !slices.Contains(Types(), t.Type):
		return fmt.Errorf("unknown type %q: use %s", t.Type, strings.Join(Types(), ", "))
	case t.Name == "":
		return errors.New("the target needs a name: --name NAME")
	case !validName(t.Name):
		return fmt.Errorf("%q cannot be a target's name: use letters, digits, '-', '_' and '.', beginning with a letter or digit", t.Name)
	case isDevice(t.Name):
		return fmt.Errorf("%q cannot be a target's name: Windows takes it for a device, and cannot open its files", t.Name)
	case t.remote() && t.Address == "":
		return fmt.Errorf("a %s target needs the machine's address: --address HOST", t.Type)
	case t.remote() && t.Username == "":
		return fmt.Errorf("a %s target needs the user to log in as: --username USER", t.Type)
	case !t.remote() && (t.Address != "" || t.Username != ""):
		return errors.New("a localdocker target is this computer: it has no address and no username")
	case t.GPU && !t.Container():
		return fmt.Errorf("a %s target does not run a container, so --gpu has no effect: leave it out", t.Type)
	case t.Image != "" && !t.Container():
		return fmt.Errorf("a %s target does not run a container: leave --image out", t.Type)
	}
	for _, value := range []string{t.Address, t.Username, t.Image} {
		if !utf8.ValidString(value) || strings.ContainsFunc(value, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }) {
			return fmt.Errorf("%q contains a space or a control character", value)
		}
	}
	return nil
}

// isDevice reports whether Windows takes a file of that name, whatever its extension, for a device.
func isDevice(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	if port := strings.TrimRight(name, "0123456789"); len(name) == 4 && len(port) == 3 {
		return port == "com" || port == "lpt"
	}
	return slices.Contains([]string{"con", "prn", "aux", "nul"}, name)
}

// validName reports whether name is a safe file name on every system.
func validName(name string) bool {
	for i, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		if !letter && (i == 0 || !strings.ContainsRune("-_.", r)) {
			return false
		}
	}
	return len(name) <= 100 && !strings.HasSuffix(name, ".")
}

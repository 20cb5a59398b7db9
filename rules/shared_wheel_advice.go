package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/finding"
)

// A CNTK wheel can be wrong in three ways at once: it can be for the CPU, for Windows, and for another Python. Each is
// a finding, and all suggest the one wheel that is right in every way: two fixes on one line would undo each other.

// wheelFault is one way in which a wheel is wrong.
type wheelFault int

const (
	noWheelFault wheelFault = iota
	wheelForCPU
	wheelForOther // system
	wheelForPython
)

// worstFault returns the fault of a wheel that determines its replacement.
func worstFault(p *Pass, e *schema.Environment, pkg schema.Package) wheelFault {
	wheel, known := knownWheel(pkg)
	switch {
	case known && wheel.Flavour == catalog.FlavourCPU && p.shared.usersOf(e).gpu:
		return wheelForCPU
	case p.shared.usersOf(e).linux && forOther(pkg):
		return wheelForOther
	case forPython(e, pkg):
		return wheelForPython
	}
	return noWheelFault
}

// forOther reports whether a wheel is for a system other than Linux.
func forOther(pkg schema.Package) bool {
	return pkg.Err == nil && pkg.Requirement.Wheel != nil && !otherPlatform(pkg) && systemOf(*pkg.Requirement.Wheel) != ""
}

// users records where an environment's jobs run.
type users struct{ gpu, linux bool }

// usersOf returns the users of an environment, cached because there may be thousands of jobs and findings.
func (s *shared) usersOf(e *schema.Environment) users {
	return s.users.of(e, func() users {
		return users{gpu: e.IsUsedBy(gpuContainer), linux: e.IsUsedBy(linux)}
	})
}

// forPython reports whether a wheel is for a Python version other than its environment's.
func forPython(e *schema.Environment, pkg schema.Package) bool {
	return pkg.Err == nil && pkg.Requirement.Wheel != nil && pkg.Requirement.Marker == "" && otherPython(e, *pkg.Requirement.Wheel)
}

// rightWheel returns the published wheel that is right in as many ways as possible; ok is false if there is none.
func rightWheel(p *Pass, e *schema.Environment, pkg schema.Package, wheel catalog.Wheel) (right catalog.Wheel, ok bool) {
	switch worstFault(p, e, pkg) {
	case wheelForCPU:
		gpu, ok := gpuWheel(p.Project, e, wheel)
		return gpu.Wheel, ok
	case wheelForPython:
		return catalog.WheelForPython(wheel, tagOfPython(pythonPin(e)))
	default:
		return wheelFor(e, wheel, wheel.Flavour)
	}
}

// cureWheel adds to a finding what to do about a wheel in the catalog, and returns the fix, or nil if there is none.
func cureWheel(p *Pass, e *schema.Environment, pkg schema.Package, wheel catalog.Wheel, at *finding.Location) *finding.Fix {
	fault := worstFault(p, e, pkg)
	if fault == wheelForCPU {
		return cureCPUWheel(p, e, pkg, wheel, at)
	}
	right, ok := rightWheel(p, e, pkg, wheel)
	title := "use the Linux wheel"
	if fault == wheelForPython {
		title = fmt.Sprintf("use the %s wheel", right.PythonTag)
	}
	if !ok {
		at.Message += "; no such wheel of this release was published"
		return nil
	}
	at.Message += "; use " + wheelAt(*pkg.Requirement, right)
	text, ok := atWheel(*pkg.Requirement, right)
	if !ok {
		at.Message += notRepaired(pkg.Requirement.Bound())
		return nil
	}
	// safe, because all users of the environment run Linux
	return rewriteItem(e, pkg.Node, finding.Safe, title, text)
}

// cureCPUWheel is cureWheel for the CPU wheel of a GPU target.
func cureCPUWheel(p *Pass, e *schema.Environment, pkg schema.Package, wheel catalog.Wheel, at *finding.Location) *finding.Fix {
	gpu, ok := gpuWheel(p.Project, e, wheel)
	switch {
	case !ok:
		at.Message += "; no GPU wheel of this version was published"
		return nil
	case gpu.undecided:
		at.Message += "; the chosen wheel with 1-bit SGD has its own license, which must be accepted first"
		return &finding.Fix{Title: "use the GPU wheel with or without 1-bit SGD", Applicability: finding.Choice, Notice: licenceNotice, Answers: []finding.Answer{
			choose(choiceLicence, acceptance, "accept the license and use "+gpu.URL),
			choose(choiceCNTK, cntkGPU, "use the GPU wheel without 1-bit SGD")}}
	}
	at.Message += "; use " + wheelAt(*pkg.Requirement, gpu.Wheel)
	text, ok := atWheel(*pkg.Requirement, gpu.Wheel)
	if !ok {
		at.Message += notRepaired(pkg.Requirement.Bound())
		return nil
	}
	fix := environmentFix(p, e, gpuSide, at, "use the GPU wheel", pkg, text)
	if fix != nil {
		fix.Notice = noticeOf(gpu.URL)
	}
	return fix
}

// linux reports whether a target's jobs run on Linux whatever the machine is.
func linux(t *schema.Target) bool { return t.Contained() || t.Type.Text == "cluster" }

// wheelFor returns the published wheel of the same version in a flavour, for Linux and, if there is one, for the
// environment's Python.
func wheelFor(e *schema.Environment, wheel catalog.Wheel, flavour string) (catalog.Wheel, bool) {
	if tag := tagOfPython(pythonPin(e)); tag != "" {
		other := wheel
		other.PythonTag = tag
		if found, ok := catalog.WheelVariant(other, flavour, catalog.PlatformLinux); ok {
			return found, true
		}
	}
	return catalog.WheelVariant(wheel, flavour, catalog.PlatformLinux)
}

// notRepaired returns the end of a message about an item that is not changed.
func notRepaired(reason string) string {
	if reason == "" {
		return ""
	}
	return "; not repaired here, because " + reason
}

package docker

import "strings"

// outputsDir is the folder in the container that is brought back.
const outputsDir = WorkDir + "/outputs"

// collect has the outputs read. Engines start a process of their own for every archive that they make, so an outputs
// folder in which nothing was ever made is not asked for.
func (r *run) collect(untouched bool) error {
	if untouched {
		return r.spec.Collect(r.own, strings.NewReader(""))
	}
	stream, err := r.eng.CopyOut(r.own, r.id, outputsDir)
	if Is(err, PathNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = stream.Close() }()
	return r.spec.Collect(r.own, stream)
}

// untouched reports whether nothing was made in the outputs folder since Upload. It was made by that, so there was nothing
// in it; whatever is made in a folder changes its time; and no clock shows the time that Upload has given it.
func (r *run) untouched() bool {
	if !r.fresh {
		return false
	}
	s, err := r.eng.Stat(r.own, r.id, outputsDir)
	return err == nil && s.Mode.IsDir() && s.ModTime.Equal(r.spec.Fresh)
}

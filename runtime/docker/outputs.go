package docker

import "strings"

// outputsDir is the folder in the container that is copied back.
const outputsDir = WorkDir + "/outputs"

// collect reads the outputs. It does not ask for an outputs folder in which nothing was ever made, because engines
// start a separate process for every archive.
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

// untouched reports whether nothing was created in the outputs folder since Upload made it. Upload makes it empty and
// gives it a time that no clock shows; creating anything in a folder changes its time.
func (r *run) untouched() bool {
	if !r.fresh {
		return false
	}
	s, err := r.eng.Stat(r.own, r.id, outputsDir)
	return err == nil && s.Mode.IsDir() && s.ModTime.Equal(r.spec.Fresh)
}

package pool

import "fmt"

// Guarded calls do and turns a panic into an error that names a project: one that
// amlfix fails on must not keep the others from being done.
func Guarded[R any](project string, do func() R) (result R, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: amlfix failed on this project, which is a bug in amlfix: please report it with the files: %v", project, cause)
		}
	}()
	return do(), nil
}

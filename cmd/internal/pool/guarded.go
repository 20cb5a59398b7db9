package pool

import "fmt"

// Guarded calls do and converts a panic to an error that names a project: if amlfix fails on one project, the others
// must still be processed.
func Guarded[R any](project string, do func() R) (result R, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%s: amlfix failed on this project, which is a bug in amlfix: please report it with the files: %v", project, cause)
		}
	}()
	return do(), nil
}

package disk

import "errors"

// ErrIrregular is why folders, pipes and devices are not read.
var ErrIrregular = errors.New("it is not a regular file")

package schema

import (
	"errors"

	"github.com/amlfix/amlfix/schema/source"
)

// errIrregular is why folders, pipes and devices are not read.
var errIrregular = errors.New("it is not a regular file")

// readFile reads a regular file up to just beyond the size that is refused, so
// that no file can fill the memory and no device or pipe can block the program.
func readFile(name string) ([]byte, error) {
	text, _, err := readUpTo(name, source.MaxSize+1)
	return text, err
}

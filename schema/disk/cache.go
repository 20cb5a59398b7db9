package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// CacheFolder returns amlfix's folder in the user's cache folder. The error says what the operating system lacks to
// name it: a relative path would be another folder for each working directory.
func CacheFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err == nil && !filepath.IsAbs(cache) {
		err = errors.New("path in $HOME is relative")
	}
	if err != nil {
		return "", fmt.Errorf("%w: set HOME or XDG_CACHE_HOME to an absolute path", err)
	}
	return filepath.Join(cache, "amlfix"), nil
}

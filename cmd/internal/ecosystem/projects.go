package main

import (
	"fmt"
	"os"
)

// projects lists the folders in dir.
func projects(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s holds no folders: name the folder above the projects", dir)
	}
	return names, nil
}

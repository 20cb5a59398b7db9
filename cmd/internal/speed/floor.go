package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"gopkg.in/yaml.v3"
)

// asFloor makes this program the floor: it only walks, reads and parses the files in a folder with yaml.v3, with as
// many workers as amlfix.
const asFloor = "floor"

func floor(dir string) {
	names := make(chan string, 64)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for name := range names {
				if text, err := os.ReadFile(name); err == nil {
					_ = yaml.NewDecoder(bytes.NewReader(text)).Decode(new(yaml.Node)) // some files are invalid
				}
			}
		})
	}
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names <- name
		}
		return err
	})
	close(names)
	workers.Wait()
}

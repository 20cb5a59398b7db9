package disk

import "os"

// Link creates a hard link to a regular file below d in another folder. The new name must be free, and links are never
// followed. If the file systems do not allow it, Link returns an error and creates nothing.
func (d *Dir) Link(name string, to *Dir, second string) error {
	return d.in(name, func(from *os.Root, leaf string) error {
		info, err := from.Lstat(leaf)
		if err != nil {
			return err
		}
		if err := regular(leaf, info); err != nil {
			return err
		}
		return to.in(second, func(into *os.Root, newLeaf string) error { return hardLink(from, leaf, into, newLeaf) })
	})
}

package disk

import "github.com/amlfix/amlfix/schema/plain"

// Link creates a hard link to a regular file below d in another folder. The new name must be free, and links are never
// followed. If the file systems do not allow it, Link returns an error and creates nothing.
func (d *Dir) Link(name string, to *Dir, second string) error {
	from, leaf, done, err := d.at(name)
	if err != nil {
		return err
	}
	defer done()
	info, err := from.Lstat(leaf)
	if err != nil {
		return plain.Cause(err)
	}
	if err := regular(leaf, info); err != nil {
		return err
	}
	into, newLeaf, newDone, err := to.at(second)
	if err != nil {
		return err
	}
	defer newDone()
	return plain.Cause(hardLink(from, leaf, into, newLeaf))
}

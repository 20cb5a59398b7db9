package disk

import "github.com/amlfix/amlfix/schema/plain"

// Link creates a hard link to a regular file below d in another folder. The new name must be free, and links are never
// followed. If the file systems do not allow it, Link returns an error and creates nothing.
func (d *Dir) Link(name string, to *Dir, second string) error {
	f, err := d.OpenRead(name) // only a regular file, not a link
	if err != nil {
		return err
	}
	_ = f.Close()
	from, leaf, done, err := d.at(name)
	if err != nil {
		return err
	}
	defer done()
	into, newLeaf, newDone, err := to.at(second)
	if err != nil {
		return err
	}
	defer newDone()
	return plain.Cause(hardLink(from, leaf, into, newLeaf))
}

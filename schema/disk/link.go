package disk

import "github.com/amlfix/amlfix/schema/plain"

// Link gives a regular file below d a second name below another folder, a hard
// link. Nothing may have that name yet, and a link is never followed. The error
// tells when the file systems do not allow it; then nothing is made.
func (d *Dir) Link(name string, to *Dir, second string) error {
	f, err := d.OpenRead(name) // only a regular file, and no link
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

package disk

import (
	"path"
	"time"

	"github.com/amlfix/amlfix/schema/plain"
)

// freshName returns an unpredictable name for something under construction. Unlike a transaction's files, which its
// journal names, such files are worthless once their program was killed.
func freshName() string { return TempName() + ".new" }

var isFresh = plain.Regexp{Text: `^\.amlfix-[0-9a-f]{32}\.tmp\.new$`}

// freshFor is how long a program may take to construct something.
const freshFor = time.Hour

// sweep removes from the folder of name what killed programs left there.
func (d *Dir) sweep(name string) {
	folder := path.Dir(path.Clean(name))
	f, err := d.openDir(folder)
	if err != nil {
		return
	}
	names, _ := f.Readdirnames(-1) // ReadDir would also look at each file
	_ = f.Close()
	for _, name := range names {
		if !isFresh.Get().MatchString(name) {
			continue
		}
		name = path.Join(folder, name)
		if info, err := d.Lstat(name); err == nil && time.Since(info.ModTime()) > freshFor {
			_ = d.RemoveAll(name) // tried again the next time
		}
	}
}

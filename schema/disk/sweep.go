package disk

import (
	"path"
	"regexp"
	"sync"
	"time"
)

// freshName returns a name, which nobody can foresee, for what is put together
// before it gets its own. Unlike a transaction's, whose journal names them, such
// files are worth nothing when their program was killed.
func freshName() string { return TempName() + ".new" }

var isFresh = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.amlfix-[0-9a-f]{32}\.tmp\.new$`) })

// freshFor is how long a program may take to put something together.
const freshFor = time.Hour

// sweep removes from the folder of name what killed programs have left there.
func (d *Dir) sweep(name string) {
	folder := path.Dir(path.Clean(name))
	list, err := d.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range list {
		if !isFresh().MatchString(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > freshFor {
			_ = d.RemoveAll(path.Join(folder, e.Name())) // tried again the next time
		}
	}
}

package archtest

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Doors returns a sentence for every use, in type-checked packages, of something that could change the file system, and
// of a package that nobody has reviewed. doorlists.go lists what is allowed; everything else is forbidden.
func Doors(pkgs []*packages.Package) (list []string) {
	for _, p := range pkgs {
		d := &door{p: p, system: find(p.Types, "os", map[*types.Package]bool{}), calls: map[*ast.Ident]*ast.CallExpr{}}
		for _, f := range p.Syntax {
			d.file(f)
		}
		for at, object := range p.TypesInfo.Uses {
			if why := d.forbids(at, object); why != "" {
				d.list = append(d.list, d.at(at)+": "+why)
			}
		}
		list = append(list, d.list...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// door checks one package.
type door struct {
	p      *packages.Package
	system *types.Package               // package os as seen by this package; nil if it does not import it
	calls  map[*ast.Ident]*ast.CallExpr // by the name of the function
	list   []string
}

func (d *door) at(n ast.Node) string {
	pos := d.p.Fset.Position(n.Pos())
	return fmt.Sprintf("%s: %s:%d", d.p.PkgPath, filepath.Base(pos.Filename), pos.Line)
}

// file checks the imports and directives of a file, and remembers its calls.
func (d *door) file(f *ast.File) {
	for _, spec := range f.Imports {
		path := strings.Trim(spec.Path.Value, `"`)
		_, partly := allowed[path]
		if !partly && !strings.HasPrefix(path, Module+"/") && !slices.Contains(harmless, path) && known[path] == "" {
			d.list = append(d.list, d.at(spec)+": imports "+path+", which is on no list")
		}
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:linkname") {
				d.list = append(d.list, d.at(c)+": links to a name behind the type checker's back")
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch fun := ast.Unparen(call.Fun).(type) {
			case *ast.Ident:
				d.calls[fun] = call
			case *ast.SelectorExpr:
				d.calls[fun.Sel] = call
			}
		}
		return true
	})
}

// forbids returns why an object must not be used, or "" if it may be.
func (d *door) forbids(at *ast.Ident, object types.Object) string {
	if object.Pkg() == nil {
		return ""
	}
	if f, ok := object.(*types.Func); ok {
		for _, of := range []string{"File", "Root"} {
			if d.disguised(f, of) {
				return "a method of an interface that may be os." + of + "." + f.Name()
			}
		}
	}
	path, name := object.Pkg().Path(), objectName(object)
	list, watched := allowed[path]
	kind, _, _ := strings.Cut(name, ".")
	switch {
	case !watched, name == "", slices.Contains(list, name), name != kind && slices.Contains(list, kind+".*"):
		return ""
	case path == "os" && (name == "OpenFile" || name == "Root.OpenFile") && d.reads(at):
		return ""
	}
	return path + "." + name + " may change files"
}

// objectName returns "Name", or "Type.Name" for a method; "" for what is harmless: constants, fields, package names,
// and what is local to a function.
func objectName(object types.Object) string {
	switch o := object.(type) {
	case *types.TypeName:
		return o.Name()
	case *types.Var:
		if o.Parent() == o.Pkg().Scope() {
			return o.Name()
		}
	case *types.Func:
		recv := o.Signature().Recv()
		if recv == nil {
			return o.Name()
		}
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := t.(*types.Named); ok {
			return named.Obj().Name() + "." + o.Name()
		}
		return "interface." + o.Name()
	}
	return ""
}

// reads reports whether this is a call of os.OpenFile with constant flags that only read.
func (d *door) reads(at *ast.Ident) bool {
	call := d.calls[at]
	if call == nil || len(call.Args) != 3 {
		return false
	}
	value := d.p.TypesInfo.Types[call.Args[1]].Value
	if value == nil {
		return false
	}
	flags, exact := constant.Int64Val(value)
	return exact && flags&^nonBlocking == 0
}

// nonBlocking combines O_NONBLOCK of Linux and of macOS. On no supported system is either a flag that writes or
// creates.
const nonBlocking = 0x800 | 0x4

// disguised reports whether an interface method may be a forbidden method of a type in os: it has the same name,
// parameters and results.
func (d *door) disguised(f *types.Func, of string) bool {
	recv := f.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) || slices.Contains(allowed["os"], of+"."+f.Name()) {
		return false
	}
	if d.system == nil {
		return false
	}
	t := d.system.Scope().Lookup(of).Type()
	object, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, d.system, f.Name())
	method, ok := object.(*types.Func)
	return ok && sameCall(f.Signature(), method.Signature())
}

func sameCall(a, b *types.Signature) bool {
	return types.Identical(a.Params(), b.Params()) && types.Identical(a.Results(), b.Results()) && a.Variadic() == b.Variadic()
}

// find returns a package that another one imports, directly or indirectly.
func find(from *types.Package, path string, seen map[*types.Package]bool) *types.Package {
	if seen[from] {
		return nil
	}
	seen[from] = true
	if from.Path() == path {
		return from
	}
	for _, next := range from.Imports() {
		if found := find(next, path, seen); found != nil {
			return found
		}
	}
	return nil
}

// Package difftest holds what repairs do against the readers of YAML that the
// users' own tools have. It has tests only.
package difftest

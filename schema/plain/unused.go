package plain

import "strconv"

// Unused returns name or, if it is taken, name with sep and the first number from 2 on that makes it free.
func Unused(name, sep string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		free = name + sep + strconv.Itoa(n)
	}
	return free
}

package catalog

import (
	"slices"
	"strings"
	"unicode"
)

// ImageNameSaysGPU reports whether the repository or the tag mentions a GPU: the word gpu, which may be part of a
// longer word in the last path element or the tag (mlgpu, gpu2), or the word cuda, alone or with its version (cuda90).
// The registry host, negations (nogpu, without-gpu), and a repository named after GPUs whose tag says cpu do not count.
// A name is only a hint; call LookupImage first.
func ImageNameSaysGPU(repo, tag string) bool {
	parts := strings.Split(repo, "/")
	if len(parts) > 1 && (strings.ContainsAny(parts[0], ".:") || parts[0] == "localhost") {
		parts = parts[1:]
	}
	tagWords := words(tag)
	if saysGPU(tagWords, true) {
		return true
	}
	if slices.Contains(tagWords, "cpu") {
		return false
	}
	for i, part := range parts {
		if saysGPU(words(part), i == len(parts)-1) {
			return true
		}
	}
	return false
}

// words lowercases a name and splits it at every character that is neither a letter nor a digit.
func words(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// saysGPU reports whether list has a GPU word that the words around it do not negate. inside allows gpu within a longer
// word.
func saysGPU(list []string, inside bool) bool {
	for i, w := range list {
		if !gpuWord(w, inside) {
			continue
		}
		before := i > 0 && slices.Contains([]string{"no", "non", "not", "without"}, list[i-1])
		after := i+1 < len(list) && slices.Contains([]string{"less", "free"}, list[i+1])
		if !before && !after {
			return true
		}
	}
	return false
}

func gpuWord(w string, inside bool) bool {
	if w == "gpu" || w == "gpus" {
		return true
	}
	if version, ok := strings.CutPrefix(w, "cuda"); ok {
		return strings.Trim(version, "0123456789x") == ""
	}
	if !inside || !strings.Contains(w, "gpu") {
		return false
	}
	denied := strings.HasPrefix(w, "nogpu") || strings.HasPrefix(w, "nongpu") ||
		strings.HasSuffix(w, "gpuless") || strings.HasSuffix(w, "gpufree")
	return !denied
}

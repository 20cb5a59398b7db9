package catalog

import "strings"

// PublicToken is a place whose signed addresses the vendor itself published, in the project templates.
type PublicToken struct {
	// Host is the storage host; Path is the prefix of the paths on it.
	Host, Path string
	Note       string
	Origin
}

var publicTokenRows = &table[PublicToken]{name: "public_tokens"}

// LookupPublicToken returns the place that a URL belongs to. A signature in such a URL came with the vendor's template
// and is not the author's secret. The scheme and the host's case do not matter.
func LookupPublicToken(url string) (PublicToken, bool) {
	key, ok := urlKey(url)
	if !ok {
		return PublicToken{}, false
	}
	host, path, _ := strings.Cut(key, "/")
	for _, row := range publicTokenRows.all() {
		if row.Host == host && strings.HasPrefix("/"+path, row.Path) {
			return row, true
		}
	}
	return PublicToken{}, false
}

package catalog

import "testing"

func TestLookupPublicToken(t *testing.T) {
	for url, want := range map[string]bool{
		"https://azuremldownloads.blob.core.windows.net/wheels/latest/a.whl?sv=1&sig=x":         true,
		"HTTP://AzureMLDownloads.blob.core.windows.net/x?sig=x":                                 true,
		"https://runhistorycurrentwestus.blob.core.windows.net/drops/latest/wheels/a.whl?sig=x": true,
		"https://runhistorycurrentwestus.blob.core.windows.net/other/a.whl?sig=x":               false,
		"https://azuremldownloads.blob.core.windows.net.example.com/a?sig=x":                    false,
		"https://example.com/azuremldownloads.blob.core.windows.net/a?sig=x":                    false,
		"https://me@azuremldownloads.blob.core.windows.net/a?sig=x":                             false,
		"azuremldownloads.blob.core.windows.net/a?sig=x":                                        false,
		"": false,
	} {
		if _, ok := LookupPublicToken(url); ok != want {
			t.Errorf("%q: %v, want %v", url, ok, want)
		}
	}
}

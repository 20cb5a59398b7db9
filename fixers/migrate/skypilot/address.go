package skypilot

import (
	"net/url"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/plain"
)

// address returns the address that SkyPilot can copy data from: the one in the files, or the datastore's if a file of
// the project describes it; "" if there is none.
func (t *task) address(d migrate.Data) string {
	f := d.Source.URI
	if !f.Explicit {
		return ""
	}
	if at := blob(f.Text); at != "" {
		return at
	}
	_, below, in := strings.Cut(f.Text, "/paths/")
	store := t.m.Project.Linked("datastore", f)
	if !in || store == nil || !strings.HasPrefix(f.Text, "azureml:") {
		return ""
	}
	root := store.Root()
	text := func(key string) string { return root.Get(key).Text() }
	switch text("type") {
	case "azure_blob":
		return blob("https://" + text("account_name") + ".blob.core.windows.net/" + text("container_name") + "/" + strings.Trim(below, "/"))
	case "azure_data_lake_gen2":
		return blob("https://" + text("account_name") + ".blob.core.windows.net/" + text("filesystem") + "/" + strings.Trim(below, "/"))
	}
	return ""
}

// inAzure matches what SkyPilot accepts as an address in an Azure container.
var inAzure = plain.Regexp{Text: `^https://[a-z0-9]{3,24}\.blob\.core\.windows\.net(/[^/?#*]+)+$`}

// inCloud matches addresses in other clouds' buckets.
var inCloud = plain.Regexp{Text: `^(s3|gs|r2|cos|oci|nebius|cw)://[^/?#*]+(/[^/?#*]+)*$`}

// blob returns a storage address in the form that SkyPilot accepts; "" for other addresses and for signed ones.
func blob(address string) string {
	at := strings.TrimRight(address, "/")
	if u, err := url.Parse(at); err == nil && u.User != nil && u.RawQuery == "" {
		account, host, _ := strings.Cut(u.Host, ".")
		switch {
		case (u.Scheme == "wasb" || u.Scheme == "wasbs") && host == "blob.core.windows.net",
			(u.Scheme == "abfs" || u.Scheme == "abfss") && host == "dfs.core.windows.net":
			at = strings.TrimRight("https://"+account+".blob.core.windows.net/"+u.User.Username()+u.EscapedPath(), "/")
		}
	}
	if inAzure.Get().MatchString(at) || inCloud.Get().MatchString(at) {
		return at
	}
	return ""
}

// fetched reports whether anyone can fetch a file from its address.
func fetched(f schema.Field) bool {
	u, err := url.Parse(f.Text)
	return f.Explicit && err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil && u.RawQuery == "" && !strings.HasSuffix(u.Path, "/")
}

package plan

import (
	"cmp"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
)

// host plans the other machine that a job runs on.
func (d *Draft) host() error {
	h := &d.Plan.Host
	address, user := HostOf(d.Compute)
	h.Address = Field[string]{address, d.At(d.Compute.Address())}
	if address == "" {
		o := d.At(d.Compute.Type)
		o.Path = cmp.Or(o.Path, d.Name(d.Compute.File))
		return &Error{Origin: o, Text: "the target has no machine: add address with its IP address or full name"}
	}
	h.User = Field[string]{user, d.At(d.Compute.Username())}
	h.Stored = d.stored()
	if h.Stored.Value != "" {
		d.Plan.Notes = append(d.Plan.Notes, h.Stored)
	}
	return nil
}

// HostOf returns the machine that a compute target names, and the user there.
func HostOf(t *schema.Target) (address, user string) {
	return strings.TrimSpace(t.Address().Text), strings.TrimSpace(t.Username().Text)
}

// stored describes credentials in the file that cannot be used to log in; its Value is empty if there are none.
func (d *Draft) stored() Field[string] {
	const instead = ": log in with a key, ssh-agent or AMLFIX_SSH_PASSWORD"
	password, key := d.Compute.Password(), d.Compute.PrivateKey()
	switch catalog.CredentialKind(password.Text) {
	case catalog.CredentialReference:
		return Field[string]{"password is a reference into the credential store of Azure ML Workbench, which is gone, and cannot be used" + instead, d.At(password)}
	case catalog.CredentialLiteral:
		return Field[string]{"password is not used, because many people can read the file: remove it from the file, and change it" + instead, d.At(password)}
	case catalog.CredentialEmpty, catalog.CredentialPlaceholder: // the key counts
	}
	if catalog.CredentialKind(key.Text) != catalog.CredentialEmpty {
		return Field[string]{"privateKey is a reference into the credential store of Azure ML Workbench, which is gone, and cannot be used" + instead, d.At(key)}
	}
	return Field[string]{}
}

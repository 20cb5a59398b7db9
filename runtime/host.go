package runtime

import (
	"strings"

	"github.com/amlfix/amlfix/schema/catalog"
)

// host plans the machine that a job runs on when that is another one.
func (b *planner) host(p *Plan) error {
	switch b.target.Type.Text {
	case "remotedocker", "virtualmachine", "remote", "cluster":
	default:
		return nil
	}
	address := b.target.Address
	p.Host = Field[string]{strings.TrimSpace(address.Text), b.at(address)}
	if p.Host.Value == "" {
		o := b.at(b.target.Type)
		if o.Path == "" {
			o.Path = b.name(b.target.File)
		}
		return &PlanError{Origin: o, Text: "the target names no machine: add address with its IP address or full name"}
	}
	p.User = Field[string]{strings.TrimSpace(b.target.Username.Text), b.at(b.target.Username)}
	p.Stored = b.stored()
	if p.Stored.Value != "" {
		p.Notes = append(p.Notes, p.Stored)
	}
	return nil
}

// stored tells of credentials in the file that cannot log in anybody; its Value is empty when there are none.
func (b *planner) stored() Field[string] {
	const instead = ": log in with a key, ssh-agent or AMLFIX_SSH_PASSWORD"
	password, key := b.target.Password, b.target.PrivateKey
	switch catalog.CredentialKind(password.Text) {
	case catalog.CredentialReference:
		return Field[string]{"password is a reference into the credential store of Azure ML Workbench, which is gone, and cannot be used" + instead, b.at(password)}
	case catalog.CredentialLiteral:
		return Field[string]{"password is not used, because files are read by many: remove it from the file, and change it" + instead, b.at(password)}
	}
	if catalog.CredentialKind(key.Text) != catalog.CredentialEmpty {
		return Field[string]{"privateKey is a reference into the credential store of Azure ML Workbench, which is gone, and cannot be used" + instead, b.at(key)}
	}
	return Field[string]{}
}

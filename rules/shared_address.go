package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/template"
)

// addresses reports addresses of targets that no machine can have.
func addresses(p *Pass) {
	for _, t := range p.Project.Targets {
		at := t.Address()
		if t.File.Kind != schema.Compute || !at.Explicit || !at.Node.IsString() {
			continue
		}
		if _, _, reported := sshAddress(at.Text); reported {
			continue
		}
		if fault := addressFault(at.Text); fault != "" {
			p.report(at.Location(`"address" `+fault), nil)
		}
	}
}

// addressFault says why a text cannot be a machine's IP address or name, or returns "": it may be a name in the user's
// SSH configuration, or stand for an address. What is before an @ can be a secret.
func addressFault(text string) string {
	host := strings.TrimSpace(text)
	if strings.Trim(host, "-.0123456789") != "" && strings.Trim(host, "-.0123456789abcdefghijklmnopqrstuvwxyz") == "" {
		return "" // a name, as nearly always
	}
	if template.In(host) || asksForYours(strings.ToUpper(host)) || !strings.Contains(host, ".") || len(strings.Fields(host)) > 2 {
		return ""
	}
	_, rest, scheme := strings.Cut(host, "://")
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		name, _, _ := strings.Cut(host[at+1:], "/")
		return fmt.Sprintf(`is only the name of the machine: write %q here, and the user in "username"`, name)
	}
	if scheme {
		name, _, _ := strings.Cut(rest, "/")
		return fmt.Sprintf("is only the name of the machine, without a scheme: write %q", name)
	}
	if i := strings.IndexAny(host, " \t,;/\\"); i >= 0 {
		return fmt.Sprintf("cannot contain %q: write the machine's IP address or full name", host[i:i+1])
	}
	name, _, _ := strings.Cut(host, ":")
	numbers := strings.Split(name, ".")
	if strings.Trim(name, "0123456789.") == "" && (len(numbers) != 4 || slices.ContainsFunc(numbers, noByte)) {
		return fmt.Sprintf("is not an IP address, which consists of four numbers from 0 to 255: %q", name)
	}
	return ""
}

func noByte(text string) bool {
	_, err := strconv.ParseUint(text, 10, 8)
	return err != nil
}

package rules

import (
	"fmt"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/finding"
)

var imageRegistryLogin = Rule{
	ID:       "image/registry-login",
	Severity: finding.Warning,
	Since:    "2026-11-22",
	Doc:      "A private registry has a user without a password, or a password without a user.",
	Why: `The service logs in to the registry only with both, and rejects an environment with only one of them. A
registry that is connected to the workspace needs neither, and a password in the file can be read by everyone who gets
the file.`,
	Bad:  sdkImage + "    baseImageRegistry:\n      address: acme.azurecr.io\n      username: robot\n      password:\n",
	Good: sdkImage + "    baseImageRegistry:\n      address: acme.azurecr.io\n      username:\n      password:\n",
	Check: func(p *Pass) {
		for _, j := range p.Project.Jobs {
			if j.Dialect != schema.SDKv1 || len(j.Passwords) == 0 || j.SDK.RegistryUser.File.Broken() {
				continue
			}
			user, password := j.SDK.RegistryUser, j.Passwords[0]
			given, lacking := user, "password"
			if password.Explicit {
				given, lacking = password, "username"
			}
			if user.Explicit == password.Explicit || !hasText(given) {
				continue
			}
			p.report(finding.Location{Source: given.File.Source, Span: given.Key.Span, Message: fmt.Sprintf(
				"the registry has a %s but no %s, so the service rejects the environment: connect the registry to the workspace, and remove both here", given.Key.Value, lacking)}, nil)
		}
	},
}

package migrate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/plain"
)

// oldScala ends the name of an artifact for a Scala that Spark 3 does not have.
var oldScala = plain.Regexp{Text: `^(.+)_2\.1[01]$`}

// SparkPackages returns the Maven packages that Spark 3 can load and the repositories they come from, which are empty
// if no package is left. It records in the ledger that kept ones become packagesAs and repositoriesAs, and why others
// are dropped: Spark 3 is built with Scala 2.12 and cannot load packages built for 2.11 or older.
func (m *Migration) SparkPackages(j *Job, packagesAs, repositoriesAs string) (packages, repositories []string) {
	for _, p := range j.Source.SparkSettings.Packages {
		if old := oldScala.Get().FindStringSubmatch(p.Artifact.Text); old != nil {
			if catalog.SparkTemplate.Has(old[1]) && !m.scripts.AnyImports(old[1]) {
				m.Ledger.Drop(j.Name, "built for an old Scala version, and no script in the project imports it", p.Entry)
			} else if answer := m.askScala(j, p, old[1]); answer != "" && answer != "none" {
				packages = append(packages, answer)
			}
			continue
		}
		packages = append(packages, p.Coordinates())
		m.Ledger.Map(j.Name, packagesAs, "", p.Entry)
	}
	for _, r := range j.Source.SparkSettings.Repositories {
		gone := func(host string) bool { return strings.Contains(r.Text, host) }
		if len(packages) == 0 || slices.ContainsFunc(catalog.GoneRepositories.Items(), gone) {
			m.Ledger.Drop(j.Name, "no package is installed from there now", r)
			continue
		}
		repositories = append(repositories, r.Text)
		m.Ledger.Map(j.Name, repositoriesAs, "", r)
	}
	return packages, repositories
}

// askScala asks for the successor of a package that Spark 3 cannot load.
func (m *Migration) askScala(j *Job, p schema.SparkPackage, stem string) string {
	id := "package-" + account.Slug(stem)
	answer, _ := m.Decide(&account.Question{ID: id, Scope: j.Name, Ask: "What replaces " + account.Name(p.Artifact.Text) + "?", Example: "'GROUP:ARTIFACT_2.12:VERSION'", OrNone: true,
		Why: account.Place(p.Artifact) + ": built for an old Scala version; Spark 3 has 2.12; `none` leaves it out"})
	m.Ledger.Decide(j.Name, cmp.Or(answer, "left out"), id, p.Entry)
	return answer
}

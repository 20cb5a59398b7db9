package migrate

import "strings"

// SparkPackages returns the Maven packages that Spark 3 can load and the repositories they come
// from, which are empty if no package is left. It records in the ledger that kept ones become
// packagesAs and repositoriesAs, and why others are dropped: Spark 3 is built with Scala 2.12 and
// cannot load packages built for 2.11 or older.
func (m *Migration) SparkPackages(j *Job, packagesAs, repositoriesAs string) (packages, repositories []string) {
	for _, p := range j.Source.SparkSettings.Packages {
		if strings.HasSuffix(p.Artifact.Text, "_2.11") || strings.HasSuffix(p.Artifact.Text, "_2.10") {
			m.Ledger.Drop(j.Name, "built for an old Scala version; Spark 3 has 2.12: find its successor if the script uses it", p.Entry)
			continue
		}
		packages = append(packages, p.Coordinates())
		m.Ledger.Map(j.Name, packagesAs, "", p.Entry)
	}
	for _, r := range j.Source.SparkSettings.Repositories {
		if len(packages) == 0 || strings.Contains(r.Text, "mmlspark.azureedge.net") {
			m.Ledger.Drop(j.Name, "no package is installed from there now", r)
			continue
		}
		repositories = append(repositories, r.Text)
		m.Ledger.Map(j.Name, repositoriesAs, "", r)
	}
	return packages, repositories
}

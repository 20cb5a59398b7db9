package schema

import (
	"slices"

	"github.com/amlfix/amlfix/schema/document"
)

// SparkSettings are Spark's configuration and packages: the spark file of Workbench, or the same inside an SDK v1 run
// configuration.
type SparkSettings struct {
	// Configuration are the Spark properties in file order.
	Configuration []Variable
	// Packages are Maven packages, Repositories where they come from.
	Packages     []SparkPackage
	Repositories []Field
}

// SparkPackage is a Maven package.
type SparkPackage struct {
	Group, Artifact, Version Field
	Entry                    Field
}

// Coordinates returns the package as spark-submit takes it: group:artifact:version.
func (p SparkPackage) Coordinates() string {
	return p.Group.Text + ":" + p.Artifact.Text + ":" + p.Version.Text
}

// sparkSettings reads Spark's configuration from one mapping, its packages and repositories from another.
func sparkSettings(f *File, configuration *document.Node, packagesFile *File, packages *document.Node) SparkSettings {
	s := SparkSettings{
		Configuration: variables(f, sdkGet(configuration, "configuration")),
		Repositories:  items(packagesFile, sdkGet(packages, "repositories")),
	}
	list := sdkGet(packages, "packages").List()
	s.Packages = slices.Grow(s.Packages, len(list))
	for _, n := range list {
		s.Packages = append(s.Packages, SparkPackage{
			Group: sdkField(packagesFile, n, "group"), Artifact: sdkField(packagesFile, n, "artifact"), Version: sdkField(packagesFile, n, "version"),
			Entry: Field{File: packagesFile, Node: n, Explicit: true},
		})
	}
	return s
}

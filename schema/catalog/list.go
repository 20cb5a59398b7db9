package catalog

import "strings"

// List names one of the lists in table lists: names whose only fact is that they belong together.
type List string

const (
	// WindowsRuntimes are conda packages that only Windows needs and that scripts do not import: conda env export lists
	// them there. No well-known channel has them for Linux.
	WindowsRuntimes List = "windows-runtime"
	// WindowsLeftovers are others, which a channel may have for Linux, too.
	WindowsLeftovers List = "windows-leftover"
	// WindowsModules are packages that scripts import, and that have no files for Linux.
	WindowsModules List = "windows-module"
	// SparkTemplate are the Maven artifacts, without the version of Scala, of Workbench's and SDK v1's templates, which
	// are in files whose scripts never use them.
	SparkTemplate List = "spark-template"
	// GoneIndexes are parts of the URLs of package indexes that Microsoft ran for Workbench and for tests of SDK v1.
	// None of them still exists.
	GoneIndexes List = "gone-index"
	// GoneRepositories are parts of the URLs of Maven repositories that no longer exist.
	GoneRepositories List = "gone-repository"
	// HorovodFrameworks are the packages that Horovod can be built for, under their names in both package managers.
	HorovodFrameworks List = "horovod-framework"
	// CondaCUDA are the conda packages whose version is the CUDA version that is installed.
	CondaCUDA List = "conda-cuda"
	// Launchers are words in commands that start a job's processes themselves, on all GPUs of a machine.
	Launchers List = "launcher"
	// SDKServing are the packages of SDK v1 that deployments need or once needed.
	SDKServing List = "sdk-serving"
	// SDKSeries are packages of SDK v1 whose releases require an azureml-core with the same first two numbers.
	SDKSeries List = "sdk-series"
	// SDKFamilies are prefixes of the names of SDK v1 packages that table retired_packages does not list one by one.
	// Other names that begin with azureml- may belong to v2.
	SDKFamilies List = "sdk-family"
	// RandomSampling are the distributions of a sweep's parameters that its random sampling supports, which are all.
	RandomSampling List = "random-sampling"
	// LogsNoMetric are names with "log" in them that Python scripts use, and that log no metric, as written in Python.
	LogsNoMetric List = "logs-no-metric"
	// LogsMetrics are other names, as written in Python, that may log some.
	LogsMetrics List = "logs-metrics"
	// WithoutMLflow are packages of Azure ML that do not install azureml-mlflow. Whether others do is not recorded.
	WithoutMLflow List = "without-mlflow"
	// WithoutServer are packages of Azure ML that do not install azureml-inference-server-http. Others may or may not.
	WithoutServer List = "without-server"
	// MacBuilds are hashes in build strings of conda packages for macOS.
	MacBuilds List = "mac-build"
	// WindowsBuilds are those for Windows.
	WindowsBuilds List = "windows-build"
	// CondaChannels are names of well-known conda channels.
	CondaChannels List = "conda-channel"
	// FlowTypes are the types of the inputs and outputs of a prompt flow.
	FlowTypes List = "flow-type"
	// FlowNodeTypes are those of its nodes.
	FlowNodeTypes List = "flow-node-type"
	// ComponentAttributes are what Azure ML's client accepts as an expression in a component's command because its
	// object has an attribute of that name.
	ComponentAttributes List = "component-attribute"
	// UnreadSchemes are those of addresses that people give for data and that Azure ML cannot read.
	UnreadSchemes List = "unread-scheme"
)

// WindowsRuntime reports whether a conda package is one of WindowsRuntimes or of those that MinGW consists of.
func WindowsRuntime(name string) bool {
	return WindowsRuntimes.Has(name) || strings.HasPrefix(name, "m2w64-")
}

// Opens reports whether a package leaves the version of another one, such as numpy, open: no release for Python 3.9 or
// later is known to require an old version of it, nor does what it installs. Most packages are not recorded.
func Opens(name, other string) bool { return List("open").Has(name) || List("open-"+other).Has(name) }

// FlowType returns the type of prompt flows that Python, JSON or Azure ML has another name for, or "".
func FlowType(word string) string {
	for _, t := range FlowTypes.Items() {
		if (FlowTypes + "-" + List(t)).Has(strings.ToLower(word)) {
			return t
		}
	}
	return ""
}

// Sampling returns the list of the distributions that a sweep's sampling algorithm supports, ignoring the case of its
// name. It is empty for an unknown algorithm.
func Sampling(algorithm string) List { return List(strings.ToLower(algorithm) + "-sampling") }

// listRow is one item of a list.
type listRow struct {
	List List
	Item string
}

var (
	listRows  = &table[listRow]{name: "lists"}
	listIndex = &index[listRow, listRow]{rows: listRows, key: func(r listRow) listRow { return r }}
)

// Items returns what a list holds, in the order of the table. No list is complete.
func (l List) Items() (items []string) {
	for _, row := range listRows.all() {
		if row.List == l {
			items = append(items, row.Item)
		}
	}
	return items
}

// Has reports whether a list holds an item as it is written there; names of packages are in the form of
// plain.PackageName.
func (l List) Has(item string) bool { return listIndex.has(listRow{l, item}) }

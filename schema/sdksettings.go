package schema

import "github.com/amlfix/amlfix/schema/document"

// SDKSettings holds what only SDK v1 run configurations have. Migrations need it; rules and runs do not. All fields are
// unset in jobs of other dialects.
type SDKSettings struct {
	// CommandWords are the words of a command that is a list.
	CommandWords []Field
	// JobName is the display name of early configurations.
	JobName Field
	// MaxDuration (in seconds) and Priority say how much of the target the job may use.
	MaxDuration, Priority Field
	// WorkerCount and ParameterServerCount belong to TensorFlow with parameter servers, ProcessCount (of all nodes) to
	// PyTorch.
	WorkerCount, ParameterServerCount, ProcessCount Field
	// VMPriority, ClusterName, MaxNodes and Retain describe the cluster that the service creates for the run;
	// InstanceType is the one for Kubernetes.
	VMPriority, ClusterName, MaxNodes, Retain Field
	InstanceType                              Field
	// EnvironmentName and EnvironmentVersion refer to a registered environment, or name the one described.
	EnvironmentName, EnvironmentVersion Field
	// Dockerfile is the text of a Dockerfile or its path; ContextPath, ContextType and ContextFile are
	// docker.buildContext.
	Dockerfile                            Field
	ContextPath, ContextType, ContextFile Field
	// Registry is the private registry of the image, RegistryUser its user.
	Registry, RegistryUser Field
	// Passthrough runs the job with the user's own identity.
	Passthrough Field
	// OutputCollection is history.outputCollection; Watched are the folders whose files are uploaded while the job
	// runs.
	OutputCollection Field
	Watched          []Field
	// Inputs and Outputs are what dataReferences, data and outputData name.
	Inputs, Outputs []Data
	// Endpoints are the services beside the job: type and port, by name.
	Endpoints []Endpoint
	// BaseConda is python.baseCondaEnvironment; EnvironmentVariables is environment.environmentVariables, from which
	// early versions read variables.
	BaseConda, EnvironmentVariables Field
	// R is environment.r, if set.
	R Field
}

// Data is data that a job reads or writes, by name.
type Data struct {
	Name string
	// Datastore and Path say where it is. Alternatively, Dataset, DatasetID and Version name a registered dataset, or
	// URI gives an address.
	Datastore, Path             Field
	Dataset, DatasetID, Version Field
	URI                         Field
	// Mode is mount, download, upload or direct.
	Mode Field
	// OnCompute is where it appears on the machine, Variable the environment variable with that path; Overwrite
	// replaces what is there.
	OnCompute, Variable, Overwrite Field
	// Reference tells dataReferences from data.
	Reference bool
	// Register is the name that an output is registered under.
	Register Field
}

// Endpoint is a service that runs beside a job.
type Endpoint struct {
	Name       string
	Type, Port Field
	Entry      Field
}

// readSDK reads the settings in the run configuration f and in its environment, which may be another file.
func readSDK(f *File, root *document.Node, envFile *File, environment *document.Node) *SDKSettings {
	docker, context := sdkGet(environment, "docker"), sdkGet(sdkGet(environment, "docker"), "buildContext")
	cluster, history := sdkGet(root, "amlcompute"), sdkGet(root, "history")
	if cluster == nil {
		cluster = sdkGet(root, "amlCompute")
	}
	s := &SDKSettings{
		JobName: sdkField(f, root, "jobName"), MaxDuration: sdkField(f, root, "maxRunDurationSeconds"), Priority: sdkField(f, root, "priority"),
		WorkerCount:          sdkField(f, sdkGet(root, "tensorflow"), "workerCount"),
		ParameterServerCount: sdkField(f, sdkGet(root, "tensorflow"), "parameterServerCount"),
		ProcessCount:         sdkField(f, sdkGet(root, "pytorch"), "processCount"),
		VMPriority:           sdkField(f, cluster, "vmPriority"), ClusterName: sdkField(f, cluster, "name"),
		MaxNodes: sdkField(f, cluster, "clusterMaxNodeCount"), Retain: sdkSwitch(f, cluster, "retainCluster"),
		InstanceType:    sdkField(f, sdkGet(root, "kubernetescompute"), "instanceType"),
		EnvironmentName: sdkField(envFile, environment, "name"), EnvironmentVersion: sdkField(envFile, environment, "version"),
		Dockerfile:  sdkField(envFile, docker, "baseDockerfile"),
		ContextPath: sdkField(envFile, context, "location"), ContextType: sdkField(envFile, context, "locationType"),
		ContextFile: sdkField(envFile, context, "dockerfilePath"),
		Registry:    sdkField(envFile, sdkGet(docker, "baseImageRegistry"), "address"), RegistryUser: sdkField(envFile, sdkGet(docker, "baseImageRegistry"), "username"),
		Passthrough:      sdkSwitch(f, root, "credentialPassthrough"),
		OutputCollection: sdkSwitch(f, history, "outputCollection"), Watched: items(f, sdkGet(history, "directoriesToWatch")),
		BaseConda: sdkField(envFile, sdkGet(environment, "python"), "baseCondaEnvironment"), EnvironmentVariables: sdkField(envFile, environment, "environmentVariables"),
		R: sdkField(envFile, environment, "r"),
	}
	s.CommandWords = items(f, sdkGet(root, "command"))
	for _, e := range entries(sdkGet(root, "dataReferences")) {
		s.addData(dataReference(f, e))
	}
	for _, e := range entries(sdkGet(root, "data")) {
		s.addData(dataInput(f, e))
	}
	for _, e := range entries(sdkGet(root, "outputData")) {
		s.Outputs = append(s.Outputs, dataOutput(f, e))
	}
	for _, e := range entries(sdkGet(root, "applicationEndpoints")) {
		s.Endpoints = append(s.Endpoints, Endpoint{e.Key.Value, sdkField(f, e.Value, "type"), sdkField(f, e.Value, "port"), entryField(f, e)})
	}
	return s
}

// addData adds what a job reads or writes.
func (s *SDKSettings) addData(d Data) {
	if d.Mode.Text == "upload" || d.Mode.Text == "Upload" {
		s.Outputs = append(s.Outputs, d)
		return
	}
	s.Inputs = append(s.Inputs, d)
}

func dataReference(f *File, e document.Entry) Data {
	n := e.Value
	return Data{
		Name: e.Key.Value, Reference: true,
		Datastore: sdkField(f, n, "dataStoreName"), Path: sdkField(f, n, "pathOnDataStore"), Mode: sdkField(f, n, "mode"),
		OnCompute: sdkField(f, n, "pathOnCompute"), Overwrite: sdkSwitch(f, n, "overwrite"),
	}
}

func dataInput(f *File, e document.Entry) Data {
	n := e.Value
	location := sdkGet(n, "dataLocation")
	dataset := sdkGet(location, "dataset")
	place := sdkGet(location, "dataPath")
	if place == nil {
		place = sdkGet(location, "datapath") // as real files spell it
	}
	return Data{
		Name:    e.Key.Value,
		Dataset: sdkField(f, dataset, "name"), DatasetID: sdkField(f, dataset, "id"), Version: sdkField(f, dataset, "version"),
		Datastore: sdkField(f, place, "datastoreName"), Path: sdkField(f, place, "relativePath"), URI: sdkField(f, sdkGet(location, "uri"), "path"),
		Mode: sdkField(f, n, "mechanism"), Variable: sdkField(f, n, "environmentVariableName"),
		OnCompute: sdkField(f, n, "pathOnCompute"), Overwrite: sdkSwitch(f, n, "overwrite"),
	}
}

func dataOutput(f *File, e document.Entry) Data {
	n := e.Value
	place := sdkGet(sdkGet(n, "outputLocation"), "dataPath")
	if place == nil {
		place = sdkGet(sdkGet(n, "outputLocation"), "datapath")
	}
	options := sdkGet(n, "additionalOptions")
	return Data{
		Name:      e.Key.Value,
		Datastore: sdkField(f, place, "datastoreName"), Path: sdkField(f, place, "relativePath"),
		URI: sdkField(f, sdkGet(sdkGet(n, "outputLocation"), "uri"), "path"), Mode: sdkField(f, n, "mechanism"),
		OnCompute: sdkField(f, options, "pathOnCompute"), Register: sdkField(f, sdkGet(options, "registrationOptions"), "name"),
		Overwrite: sdkSwitch(f, sdkGet(options, "uploadOptions"), "overwrite"),
	}
}

func entries(n *document.Node) []document.Entry {
	if n = n.Resolve(); !n.IsMapping() {
		return nil
	}
	return n.Entries()
}

func entryField(f *File, e document.Entry) Field {
	out := Field{File: f}
	out.fill(e)
	return out
}

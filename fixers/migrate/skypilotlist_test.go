package migrate_test

// skyPilotSentences returns the reasons that SkyPilot's tasks give.
var skyPilotSentences = func() []sentence {
	const registered = "azureml:mine:1"
	reads := func(path string) string {
		return v2Job("command: ls ${{inputs.d}}\ninputs: {d: {type: uri_folder, path: \"" + path + "\"}}\n")
	}
	steps := func(to string) string {
		return "-- p.yml --\n$schema: https://azuremlschemas.azureedge.net/latest/pipelineJob.schema.json\ntype: pipeline\njobs:\n" +
			"  a: {type: command, command: \"date > ${{outputs." + to + "}}/x\", environment: {image: \"python:3.12\"}, outputs: {" + to + ": {type: uri_folder}}}\n" +
			"  b: {type: command, command: \"ls ${{inputs.i}}\", environment: {image: \"python:3.12\"}, inputs: {i: {type: uri_folder, path: \"${{parent.jobs.a.outputs." + to + "}}\"}}}\n"
	}
	sized := func(size string) string {
		return v2Job("command: python train.py\nresources: {instance_type: " + size + "}\n")
	}
	list := []sentence{
		{text: "the machine keeps what the job writes, until `sky down`", yes: sdk("history: {outputCollection: true}"), no: sdk("")},
		{text: "SkyPilot builds no images: the machine that it rents pulls the one that is built from the Dockerfile and pushed there", yes: on(v2Job(""), "{image: \"python:3.12\"}", "{build: {path: docker}}") + "-- docker/Dockerfile --\nFROM python:3.12\n", no: v2Job("")},
		{text: ", had this; `sky gpus list` shows what your clouds have", yes: sized("Standard_NC6s_v3"), no: sized("Standard_NC4as_T4_v3")},
		{text: "the image contains the environment", yes: workbench("PrepareEnvironment: true", "userManagedEnvironment: true"), no: workbench("PrepareEnvironment: true", "")},
		{text: "`setup` makes the environment on the machine", yes: workbench("PrepareEnvironment: true", ""), no: workbench("PrepareEnvironment: true", "userManagedEnvironment: true")},
		{text: ", for whose GPU amlfix knows no SkyPilot name", yes: sized("Standard_ND128isr_NDR_GB200_v6"), no: sized("Standard_NC4as_T4_v3")},
		{text: "leaves it in the folder that it starts in, on a machine of its own: let it write an output, and name that", yes: on(steps("default"), ", outputs: {default: {type: uri_folder}}", ""), no: steps("made")},
		{text: "each step has a machine of its own, which is gone when the step ends: a bucket, or a container of Azure (https://ACCOUNT.blob.core.windows.net/CONTAINER), is mounted in all of them; for a name without an address, SkyPilot creates a bucket", yes: steps("made"), no: v2Steps("")},
		{text: "the old files do not say which GPU the job had", yes: workbench("", "nvidiaDocker: true"), no: sized("Standard_NC4as_T4_v3")},
		{text: " is the GPU of ", yes: workbench("", "nvidiaDocker: true"), no: sized("Standard_NC6s_v3")},
		{text: ", with which amlfix replaces sizes elsewhere", yes: workbench("", "nvidiaDocker: true"), no: sized("Standard_NC6s_v3")},
		{text: "SkyPilot chooses a machine; name `cpus` and `memory` where that matters", yes: sdk("amlcompute: {vmSize: Standard_X9}"), no: sdk("amlcompute: {vmSize: Standard_DS3_v2}")},
		{text: "start it in `run`, and open its port with `ports` below `resources`", yes: v2Job("command: python train.py\nservices: {j: {type: jupyter_lab}}\n"), no: v2Job("")},
		{text: "SkyPilot rents a machine in place of this one", yes: workbench("", ""), no: sdk("")},
		{text: "SkyPilot finds a machine for each step", yes: v2Steps("    compute: azureml:cpu\n"), no: v2Job("")},
		{text: "one process needs no launcher", yes: sdk("communicator: OpenMpi"), no: sdk("communicator: OpenMpi\nmpi: {processCountPerNode: 2}")},
		{text: "the files do not say which storage the workspace keeps it in", yes: reads(registered), no: reads("s3://own/x")},
		{text: "; a folder of the project is copied to the machine, and so is what is in a bucket", yes: reads(registered), no: reads("s3://own/x")},
		{text: "runs are not tracked outside Azure ML; a script can log to MLflow", yes: workbench("TrackedRun: true", ""), no: workbench("", "")},
		{text: "` leaves them in ~/outputs of the machine, which is lost with `sky down`; a bucket, or a container of Azure, is mounted there instead", yes: v2Job("command: ls ${{outputs.o}}\noutputs: {o: {type: uri_folder}}\n"), no: v2Job("")},
		{text: "outside Azure ML there is no workspace and no workspace identity", yes: sdk("credentialPassthrough: true"), no: sdk("")},
		{text: "amlfix connects only PyTorch's processes by the addresses that SkyPilot gives to a task: write what your launcher needs into `run`, from SKYPILOT_NODE_IPS and SKYPILOT_NODE_RANK, or answer `single` for one process on one machine", yes: sdk("communicator: OpenMpi\nnodeCount: 2"), no: sdk("communicator: OpenMpi\nnodeCount: 1")},
		{text: "SkyPilot accepts only ASCII letters, digits and `_` in names, and reserves those that begin with SKYPILOT_: give it another name in the script and the old file, or answer `drop`", yes: sdk("environmentVariables: {a-b: x}"), no: sdk("environmentVariables: {a_b: x}")},
		{text: "the task always runs in a container", yes: sdk("docker: {useDocker: true}"), no: workbench("", "")},
		{text: "a managed job has `priority` below `resources`", yes: sdk("priority: 1"), no: sdk("")},
		{text: "one machine is the default", yes: sdk("nodeCount: 1"), no: sdk("nodeCount: 2\ncommunicator: Nccl\nframework: PyTorch")},
		{text: "the project is copied to the machine", yes: workbench("", "sharedVolumes: true"), no: workbench("", "")},
		{text: "SkyPilot rents machines for the task, and `sky down` releases them", yes: sdk("amlcompute: {retainCluster: true}"), no: sdk("")},
		{text: "SkyPilot chooses the machine by `resources`", yes: sdk("kubernetescompute: {instanceType: big}"), no: sdk("")},
		{text: "give SkyPilot the login with `--secret`: SKYPILOT_DOCKER_USERNAME, SKYPILOT_DOCKER_PASSWORD and SKYPILOT_DOCKER_SERVER", yes: sdk("environment: {docker: {enabled: true, baseImage: x/y:1, baseImageRegistry: {username: me}}}"), no: sdk("")},
	}
	for i := range list {
		list[i].to = "skypilot"
	}
	return list
}()

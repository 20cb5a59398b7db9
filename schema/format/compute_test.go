package format_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/format"
)

func TestComputeIsFine(t *testing.T) {
	table{
		{"localdocker", "type: \"localdocker\"\nbaseDockerImage: \"microsoft/mmlspark:plus-0.9.9\"\nsharedVolumes: false\nnativeSharedDirectory: ~/.azureml/share/\n", nil},
		{"local", "type: local\npythonLocation: python\nsparkSubmitLocation: spark-submit\nnativeSharedDirectory: ~/.azureml/share/\n", nil},
		{"remotedocker as attached", "address: gpu.example.com:2222\nbaseDockerImage: microsoft/mmlspark:plus-gpu-0.9.9\nnativeSharedDirectory: ~/.azureml/share/\nnvidiaDocker: true\npassword: AzureMlSecret=gpu#user#0123\nsharedVolumes: true\ntype: remotedocker\nuserManagedEnvironment: false\nusername: user\n", nil},
		{"remote with a key", "type: remote\naddress: 203.0.113.7\nusername: user\nprivateKey: 0b6e\npythonLocation: /usr/bin/python3\nuserManagedEnvironment: true\n", nil},
		{"cluster", "address: c-ssh.azurehdinsight.net\npassword: x\ntype: cluster\nusername: sshuser\nyarnDeployMode: client\nuserManagedEnvironment: false\n", nil},
		{"nulls that are allowed", "type: remotedocker\naddress:\nusername: ~\npassword: null\nbaseDockerImage: null\n", nil},
		{"types of the first SDK", "type: amlcompute\nnodeCount: 4\npriority: high\n", nil},
		{"Batch AI", "type: batchai\nsubscriptionId: 00000000-0000-0000-0000-000000000000\nresourceGroup: g\nclusterName: c\nworkspaceName:\n", nil},
		{"JSON", "{\"type\": \"local\", \"pythonLocation\": \"python\"}", nil},
	}.run(t, format.Compute)
}

func TestComputeType(t *testing.T) {
	table{
		{"older spelling", "type: docker\nbaseDockerImage: x\n", []string{
			`1:7 «docker» info schema/deprecated: "docker" is the older spelling of "localdocker"; SDK v1 does not take it for a container: write "localdocker"`,
		}},
		{"pre-release spelling", "type: virtualmachine\naddress: a\nusername: b\n", []string{
			`1:7 «virtualmachine» info schema/deprecated: "virtualmachine" is the 2017 pre-release's spelling of "remotedocker", which later versions expect: write "remotedocker"`,
		}},
		{"pre-release without type", "# comment\naddress: a\nusername: b\npassword: c\ncluster: False\nnative: True\n", []string{
			`2:1 «address» info schema/deprecated: there is no "type", as in files of the 2017 pre-release: add "type" with local, localdocker, remotedocker, remote or cluster, so that every version reads the file in the same way`,
		}},
		{"forgotten", "baseDockerImage: x\nfoo: bar\n", []string{
			`1:1 «baseDockerImage» info schema/deprecated: there is no "type", as in files of the 2017 pre-release: add "type" with local, localdocker, remotedocker, remote or cluster, so that every version reads the file in the same way`,
			`2:1 «foo» warning schema/unknown-key: "foo" is not a key of a compute target, so it has no effect: remove it, or correct its name`,
		}},
		{"misspelt: keys of all types are allowed", "type: localdokcer\nnvidiaDocker: true\nyarnDeployMode: cluster\n", []string{
			`1:7 «localdokcer» error schema/value: "type" cannot be "localdokcer": write local, localdocker, remotedocker, remote or cluster; did you mean localdocker? [unsafe: set "type" to "localdocker": /type = localdocker]`,
		}},
		{"other case", "type: LocalDocker\nnvidiaDocker: true\n", []string{
			`1:7 «LocalDocker» error schema/value: "type" cannot be "LocalDocker": write local, localdocker, remotedocker, remote or cluster; did you mean localdocker? [safe: set "type" to "localdocker": /type = localdocker]`,
		}},
		{"unlike any", "type: kubernetes\n", []string{
			`1:7 «kubernetes» error schema/value: "type" cannot be "kubernetes": write local, localdocker, remotedocker, remote or cluster`,
		}},
		{"no value", "type:\n", []string{
			`1:1 «type» error schema/type: "type" has no value: write local, localdocker, remotedocker, remote or cluster, or remove the line`,
		}},
		{"list", "type: [local]\n", []string{
			`1:7 «[local]» error schema/type: "type" must be local, localdocker, remotedocker, remote or cluster, but the brackets [ ] make it a list: write only the value, or put it in quotes`,
		}},
		{"number", "type: 3\n", []string{
			`1:7 «3» error schema/type: "type" must be local, localdocker, remotedocker, remote or cluster, but 3 is read as a number`,
		}},
	}.run(t, format.Compute)
}

func TestComputeKeys(t *testing.T) {
	table{
		{"typo", "type: localdocker\nnvidiaDoker: true\n", []string{
			`2:1 «nvidiaDoker» warning schema/unknown-key: "nvidiaDoker" is not a key of a localdocker target, so it has no effect: did you mean "nvidiaDocker"? [safe: rename "nvidiaDoker" to "nvidiaDocker": /nvidiaDoker → nvidiaDocker]`,
		}},
		{"other case", "type: localdocker\n'nvidiadocker': true\n", []string{
			`2:1 «'nvidiadocker'» warning schema/unknown-key: "nvidiadocker" is not a key of a localdocker target, so it has no effect: did you mean "nvidiaDocker"? [safe: rename "nvidiadocker" to "nvidiaDocker": /nvidiadocker → nvidiaDocker]`,
		}},
		{"typo and other case", "type: localdocker\nNvidiaDoker: true\n", []string{
			`2:1 «NvidiaDoker» warning schema/unknown-key: "NvidiaDoker" is not a key of a localdocker target, so it has no effect: did you mean "nvidiaDocker"?`,
		}},
		{"typo beside the right key", "type: localdocker\nnvidiaDoker: true\nnvidiaDocker: true\n", []string{
			`2:1 «nvidiaDoker» warning schema/unknown-key: "nvidiaDoker" is not a key of a localdocker target, so it has no effect; "nvidiaDocker", which it resembles, also exists`,
		}},
		{"unlike any", "type: local\nsomething: 1\nelse: 2\n", []string{
			`2:1 «something» warning schema/unknown-key: "something" is not a key of a local target, so it has no effect: its keys are nativeSharedDirectory, nodeCount, priority, pythonLocation, sparkSubmitLocation, type and userManagedEnvironment`,
			`3:1 «else» warning schema/unknown-key: "else" is not a key of a local target, so it has no effect: its keys are nativeSharedDirectory, nodeCount, priority, pythonLocation, sparkSubmitLocation, type and userManagedEnvironment`,
		}},
		{"GPU keys of a cluster", "type: cluster\naddress: a\nusername: b\nnvidiaDocker: true\n", []string{
			`4:1 «nvidiaDocker» warning schema/unknown-key: "nvidiaDocker" has no effect on a cluster target: only localdocker and remotedocker targets use it`,
		}},
		{"image of a local target", "type: local\nbaseDockerImage: x\n", []string{
			`2:1 «baseDockerImage» warning schema/unknown-key: "baseDockerImage" has no effect on a local target: only localdocker and remotedocker targets use it`,
		}},
		{"pre-release key in a typed file", "type: remotedocker\naddress: a\nusername: b\nnative: true\n", []string{
			`4:1 «native» warning schema/unknown-key: "native" has no effect on a remotedocker target: only files of the 2017 pre-release, without a "type", use it`,
		}},
		{"required keys", "type: remotedocker\n", []string{
			`1:1 «type» error schema/missing-key: "address" is missing, so the machine cannot be reached: add "address" with its IP address or full name`,
			`1:1 «type» error schema/missing-key: "username" is missing, so no one can log in to the machine: add "username" with the SSH user`,
		}},
		{"required key misspelt", "type: remote\nusername: b\naddres: a\n", []string{
			`3:1 «addres» error schema/unknown-key: "addres" is not a key of a remote target, which needs the key "address": did you mean that? [safe: rename "addres" to "address": /addres → address]`,
		}},
		{"key with other separators", "type: localdocker\nbase_docker_image: a\nnative-shared-directory: b\n", []string{
			`2:1 «base_docker_image» warning schema/unknown-key: "base_docker_image" is not a key of a localdocker target, so it has no effect: did you mean "baseDockerImage"? [safe: rename "base_docker_image" to "baseDockerImage": /base_docker_image → baseDockerImage]`,
			`3:1 «native-shared-directory» warning schema/unknown-key: "native-shared-directory" is not a key of a localdocker target, so it has no effect: did you mean "nativeSharedDirectory"? [safe: rename "native-shared-directory" to "nativeSharedDirectory": /native-shared-directory → nativeSharedDirectory]`,
		}},
		{"key of the other file, and of the SDK", "type: localdocker\nFramework: Python\nbaseImage: a\n", []string{
			`2:1 «Framework» warning schema/unknown-key: "Framework" is not a key of a localdocker target, so it has no effect: it belongs in the run configuration, the .runconfig file`,
			`3:1 «baseImage» warning schema/unknown-key: "baseImage" is not a key of a localdocker target, so it has no effect: write baseDockerImage`,
		}},
		{"key of the SDK beside its own", "type: localdocker\nbaseDockerImage: a\nbaseImage: a\n", []string{
			`3:1 «baseImage» warning schema/unknown-key: "baseImage" is not a key of a localdocker target, so it has no effect: remove it, or correct its name`,
		}},
		{"key that is a number", "type: local\n1: 2\n", []string{
			`2:1 «1» warning schema/unknown-key: "1" is not a key of a local target, so it has no effect: its keys are nativeSharedDirectory, nodeCount, priority, pythonLocation, sparkSubmitLocation, type and userManagedEnvironment`,
		}},
		{"key that is a list", "type: local\n? [a]\n: b\n", []string{
			`2:3 «[a]» error schema/type: a list or a mapping is used as a key, which readers of this file do not accept: write a plain name`,
		}},
	}.run(t, format.Compute)
}

func TestComputeValues(t *testing.T) {
	table{
		{"placeholder in brackets", "type: remotedocker\naddress: [VM FQDN]\nusername: {user}\n", []string{
			`2:10 «[VM FQDN]» error schema/type: "address" must be text, but the brackets [ ] make it a list: write only the value, or put it in quotes`,
			`3:11 «{user}» error schema/type: "username" must be text, but the braces { } make it a mapping: write only the value, or put it in quotes`,
		}},
		{"numbers for text", "type: remotedocker\naddress: 10.1\nusername: 1000\npassword: 12345678\nbaseDockerImage: 007\n", []string{
			`2:10 «10.1» error schema/type: "address" must be text, but 10.1 is read as a number: put it in quotes [unsafe: set "address" to "10.1": /address = 10.1]`,
			`3:11 «1000» error schema/type: "username" must be text, but 1000 is read as a number: put it in quotes [safe: set "username" to "1000": /username = 1000]`,
			`4:11 «12345678» error schema/type: "password" must be text, but its value is read as a number: put it in quotes`,
			`5:18 «007» error schema/type: "baseDockerImage" must be text, but 007 is read as a number: put it in quotes [unsafe: set "baseDockerImage" to "007": /baseDockerImage = 007]`,
		}},
		{"date, boolean, infinity instead of text", "type: local\npythonLocation: 2018-01-01\nsparkSubmitLocation: true\nnativeSharedDirectory: .inf\n", []string{
			`2:17 «2018-01-01» error schema/type: "pythonLocation" must be text, but 2018-01-01 is read as a date: put it in quotes [unsafe: set "pythonLocation" to "2018-01-01": /pythonLocation = 2018-01-01]`,
			`3:22 «true» error schema/type: "sparkSubmitLocation" must be text, but true is read as a boolean: put it in quotes [unsafe: set "sparkSubmitLocation" to "true": /sparkSubmitLocation = true]`,
			`4:24 «.inf» error schema/type: "nativeSharedDirectory" must be text, but .inf is read as a number: put it in quotes [unsafe: set "nativeSharedDirectory" to ".inf": /nativeSharedDirectory = .inf]`,
		}},
		{"words for true", "type: localdocker\nnvidiaDocker: yes\nsharedVolumes: true.\nuserManagedEnvironment: \"true\"\n", []string{
			`2:15 «yes» error schema/type: "nvidiaDocker" must be true or false, but "yes" is read as text by some programs: write true [safe: set "nvidiaDocker" to true: /nvidiaDocker = true]`,
			`3:16 «true.» error schema/type: "sharedVolumes" must be true or false, but "true." is read as text: write true [safe: set "sharedVolumes" to true: /sharedVolumes = true]`,
			`4:25 «"true"» error schema/type: "userManagedEnvironment" must be true or false, but the quotes make it text: write true without them [safe: set "userManagedEnvironment" to true: /userManagedEnvironment = true]`,
		}},
		{"words for false", "type: localdocker\nnvidiaDocker: no\nsharedVolumes: false.\nuserManagedEnvironment: 'False'\n", []string{
			`2:15 «no» error schema/type: "nvidiaDocker" must be true or false, but "no" is read as text by some programs: write false [safe: set "nvidiaDocker" to false: /nvidiaDocker = false]`,
			`3:16 «false.» error schema/type: "sharedVolumes" must be true or false, but "false." is read as text: write false [unsafe: set "sharedVolumes" to false: /sharedVolumes = false]`,
			`4:25 «'False'» error schema/type: "userManagedEnvironment" must be true or false, but the quotes make it text: write false without them [unsafe: set "userManagedEnvironment" to false: /userManagedEnvironment = false]`,
		}},
		{"numbers for booleans", "type: localdocker\nnvidiaDocker: 1\nsharedVolumes: 0\nuserManagedEnvironment: 2\n", []string{
			`2:15 «1» error schema/type: "nvidiaDocker" must be true or false, but 1 is read as a number: write true [safe: set "nvidiaDocker" to true: /nvidiaDocker = true]`,
			`3:16 «0» error schema/type: "sharedVolumes" must be true or false, but 0 is read as a number: write false [safe: set "sharedVolumes" to false: /sharedVolumes = false]`,
			`4:25 «2» error schema/type: "userManagedEnvironment" must be true or false, but 2 is read as a number`,
		}},
		{"misspelt boolean", "type: localdocker\nnvidiaDocker: flase\nsharedVolumes: maybe\n", []string{
			`2:15 «flase» error schema/type: "nvidiaDocker" must be true or false, but "flase" is read as text: did you mean false?`,
			`3:16 «maybe» error schema/type: "sharedVolumes" must be true or false, but "maybe" is read as text`,
		}},
		{"boolean without value", "type: localdocker\nnvidiaDocker:\n", []string{
			`2:1 «nvidiaDocker» error schema/type: "nvidiaDocker" has no value: write true or false, or remove the line`,
		}},
		{"collections instead of booleans", "type: localdocker\nnvidiaDocker:\n- true\nsharedVolumes:\n  a: b\n  c: d\n", []string{
			`3:1 «- true» error schema/type: "nvidiaDocker" must be true or false, but the dashes make it a list`,
			"5:3 «a: b\n  c: d» error schema/type: \"sharedVolumes\" must be true or false, but the colons make it a mapping",
		}},
		{"counts", "type: local\nnodeCount: two\npriority: true\n", []string{
			`2:12 «two» error schema/type: "nodeCount" must be a whole number, but "two" is read as text: write digits only, without quotes`,
			`3:11 «true» error schema/type: "priority" must be text, but true is read as a boolean: put it in quotes [unsafe: set "priority" to "true": /priority = true]`,
		}},
		{"tagged", "type: local\npythonLocation: !!str 3\nnodeCount: !!int \"3\"\nsparkSubmitLocation: !!float 3\n", []string{
			`4:30 «3» error schema/type: "sparkSubmitLocation" must be text, but 3 is read as a number: put it in quotes`,
		}},
		{"deploy mode", "type: cluster\naddress: a\nusername: b\nyarnDeployMode: Client\n", []string{
			`4:17 «Client» error schema/value: "yarnDeployMode" cannot be "Client": write cluster or client; did you mean client? [safe: set "yarnDeployMode" to "client": /yarnDeployMode = client]`,
		}},
	}.run(t, format.Compute)
}

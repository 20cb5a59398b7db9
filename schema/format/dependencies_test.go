package format_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/format"
)

func TestCondaIsFine(t *testing.T) {
	table{
		{"all of it", "# [AzureMlVersion] = 2\nname: project_environment\nchannels:\n- conda-forge\ndependencies:\n- python=3.5.2\n- pip:\n  - --index-url https://example.com/simple\n  - azureml-sdk[notebooks]\n  - ./local.whl\nprefix: /opt/env\nvariables: {A: 1}\n", nil},
		{"nulls", "name:\nchannels:\ndependencies:\n", nil},
		{"name with a space", "name: project environment\ndependencies: [numpy]\n", nil},
	}.run(t, format.Conda)
}

func TestCondaFaults(t *testing.T) {
	table{
		{"items without value", "dependencies:\n- python=3.5\n-\n- pip:\n  - a\n  -\n", []string{
			`3:1 «-» error schema/type: item 2 of "dependencies" has no value: write a conda package or a pip list, or remove the item`,
			`6:3 «-» error schema/type: item 2 of "pip" has no value: write a pip requirement, or remove the item`,
		}},
		{"numbers", "dependencies:\n- 3.5\n- pip:\n  - 1.0\n", []string{
			`2:3 «3.5» error schema/type: item 1 of "dependencies" must be a conda package or a pip list, but 3.5 is read as a number`,
			`4:5 «1.0» error schema/type: item 1 of "pip" must be a pip requirement, but 1.0 is read as a number`,
		}},
		{"version as a value", "dependencies:\n- numpy: 1.0\n- Pip:\n  - a\n- pip:\n  - keras: 2.0\n", []string{
			`2:3 «numpy» warning schema/unknown-key: "numpy" is not a key of "dependencies", and conda does not support it: a conda package is one string, such as python=3.5.2, and only pip has a list`,
			`3:3 «Pip» warning schema/unknown-key: "Pip" is not a key of "dependencies", and conda does not support it: did you mean "pip"? [safe: rename "Pip" to "pip": /dependencies/1/Pip → pip]`,
			`6:5 «keras: 2.0» error schema/type: item 1 of "pip" must be a pip requirement, but the colon makes it a mapping: write keras==2.0`,
		}},
		{"pip without a list", "dependencies:\n- pip:\n- pip: numpy\n", []string{
			`2:3 «pip» error schema/type: "pip" has no value: write a list, or remove the line`,
			`3:8 «numpy» error schema/type: "pip" must be a list, but "numpy" is a single value: write each item after a dash, on a line of its own [unsafe: write [numpy]: 3: "numpy" → "[numpy]"]`,
		}},
		{"nested list", "dependencies:\n- - numpy\n", []string{
			`2:3 «- numpy» error schema/type: item 1 of "dependencies" must be a conda package or a pip list, but the dashes make it a list: write only the value, or put it in quotes`,
		}},
		{"no list", "dependencies: numpy\nchannels: conda-forge\n", []string{
			`1:15 «numpy» error schema/type: "dependencies" must be a list, but "numpy" is a single value: write each item after a dash, on a line of its own [unsafe: write [numpy]: 1: "numpy" → "[numpy]"]`,
			`2:11 «conda-forge» error schema/type: "channels" must be a list, but "conda-forge" is a single value: write each item after a dash, on a line of its own [unsafe: write [conda-forge]: 2: "conda-forge" → "[conda-forge]"]`,
		}},
		{"words that may be no item, a file, several or none", "channels: none\ndependencies: environment.yml\n", []string{
			`1:11 «none» error schema/type: "channels" must be a list, but "none" is a single value: write each item after a dash, on a line of its own`,
			`2:15 «environment.yml» error schema/type: "dependencies" must be a list, but "environment.yml" is a single value: write each item after a dash, on a line of its own`,
		}},
		{"a list in a block scalar", "channels: >-\n  defaults\ndependencies: [python]\n", []string{
			"1:11 «>-\n  defaults» error schema/type: \"channels\" must be a list, but \"defaults\" is a single value: write each item after a dash, on a line of its own",
		}},
		{"misspelt key", "dependecies:\n- numpy\n", []string{
			`1:1 «dependecies» warning schema/unknown-key: "dependecies" is not a key of a conda environment file, and conda does not support it: did you mean "dependencies"? [safe: rename "dependecies" to "dependencies": /dependecies → dependencies]`,
		}},
	}.run(t, format.Conda)
}

func TestSparkIsFine(t *testing.T) {
	table{
		{"all of it", "configuration:\n  \"spark.driver.memory\":\t\"6g\"\n  spark.cores: 4\n  maximizeResourceAllocation: true\nrepositories:\n- \"https://mmlspark.azureedge.net/maven\"\npackages:\n- group: \"com.microsoft.ml.spark\"\n  artifact: \"mmlspark_2.11\"\n  version: \"0.7.91\"\nversion: 2\n", nil},
		{"nothing in it", "configuration: {}\nrepositories:\npackages:\n", nil},
	}.run(t, format.Spark)
}

func TestSparkFaults(t *testing.T) {
	table{
		{"shapes", "configuration: [a]\nrepositories: x\npackages:\n- foo\n", []string{
			`1:16 «[a]» error schema/type: "configuration" must be a mapping, but the brackets [ ] make it a list`,
			`2:15 «x» error schema/type: "repositories" must be a list, but "x" is a single value: write each item after a dash, on a line of its own [unsafe: write [x]: 2: "x" → "[x]"]`,
			`4:3 «foo» error schema/type: item 1 of "packages" must be a mapping, but "foo" is a single value: write keys and values on indented lines under it`,
		}},
		{"package keys", "packages:\n- group: a\n  artefact: b\n  version: 0.10\n", []string{
			`3:3 «artefact» error schema/unknown-key: "artefact" is not a key of "packages", which needs the key "artifact": did you mean that? [safe: rename "artefact" to "artifact": /packages/0/artefact → artifact]`,
			`4:12 «0.10» error schema/type: "version" must be text, but 0.10 is read as a number: put it in quotes [unsafe: set "version" to "0.10": /packages/0/version = 0.10]`,
		}},
		{"package without its version", "packages:\n- group: a\n  artifact: b\n", []string{
			`2:3 «group» error schema/missing-key: "version" is missing, so Maven cannot find the package: add its version, in quotes`,
		}},
		{"version", "version: two\n", []string{
			`1:10 «two» error schema/type: "version" must be a whole number, but "two" is read as text: write digits only, without quotes`,
		}},
	}.run(t, format.Spark)
}

func TestRoots(t *testing.T) {
	table{
		{"empty file", "", []string{
			`1:1 «» error schema/type: the file is empty, but a conda environment file has keys and values: write them, or remove the file`,
		}},
		{"only comments", "# nothing\n# here\n", []string{
			`1:1 «# nothing» error schema/type: the file is empty, but a conda environment file has keys and values: write them, or remove the file`,
		}},
		{"null", "---\n~\n", []string{
			`2:1 «~» error schema/type: the file is empty, but a conda environment file has keys and values: write them, or remove the file`,
		}},
		{"unwritten null", "---\n", []string{
			`1:1 «---» error schema/type: the file is empty, but a conda environment file has keys and values: write them, or remove the file`,
		}},
		{"list", "- a\n- b\n", []string{
			`1:1 «- a» error schema/type: the file contains a list, but a conda environment file has keys and values: write lines of the form "key: value", such as "dependencies:" with a list, and items for pip in a list under "- pip:"`,
		}},
		{"glued key", "name:x\n", []string{
			`1:1 «name:x» error schema/type: the file contains text, but a conda environment file has keys and values: write lines of the form "key: value", such as "dependencies:" with a list, and items for pip in a list under "- pip:"`,
		}},
		{"text over lines", "a\n b\n", []string{
			`1:1 «a» error schema/type: the file contains text, but a conda environment file has keys and values: write lines of the form "key: value", such as "dependencies:" with a list, and items for pip in a list under "- pip:"`,
		}},
		{"number", "3", []string{
			`1:1 «3» error schema/type: the file contains a number, but a conda environment file has keys and values: write lines of the form "key: value", such as "dependencies:" with a list, and items for pip in a list under "- pip:"`,
		}},
	}.run(t, format.Conda)
}

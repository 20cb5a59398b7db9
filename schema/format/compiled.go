// Code generated from the schema files by "go generate"; DO NOT EDIT.

package format

import (
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

func compiledLocal() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string", "null"}})
	return compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"nativeSharedDirectory": schema1,
			"nodeCount":             compiled(&jsonschema.Schema{Types: []string{"integer", "null"}}),
			"priority":              compiled(&jsonschema.Schema{Types: []string{"integer", "string", "null"}}),
			"pythonLocation":        schema1,
			"sparkSubmitLocation":   schema1,
			"type": compiled(&jsonschema.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Extensions: annotated(annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}}),
			}),
			"userManagedEnvironment": compiled(&jsonschema.Schema{Types: []string{"boolean"}}),
		},
		AdditionalProperties: false,
	})
}

func compiledLocaldocker() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string", "null"}})
	schema2 := compiled(&jsonschema.Schema{Types: []string{"boolean"}})
	return compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"baseDockerImage":       schema1,
			"nativeSharedDirectory": schema1,
			"nodeCount":             compiled(&jsonschema.Schema{Types: []string{"integer", "null"}}),
			"nvidiaDocker":          schema2,
			"priority":              compiled(&jsonschema.Schema{Types: []string{"integer", "string", "null"}}),
			"pythonLocation":        schema1,
			"sharedVolumes":         schema2,
			"type": compiled(&jsonschema.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Extensions: annotated(annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}}),
			}),
			"userManagedEnvironment": schema2,
		},
		AdditionalProperties: false,
	})
}

func compiledRemotedocker() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string", "null"}})
	schema2 := compiled(&jsonschema.Schema{Types: []string{"boolean"}})
	return compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"address", "username"},
		Properties: map[string]*jsonschema.Schema{
			"address": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"}),
			}),
			"baseDockerImage":       schema1,
			"nativeSharedDirectory": schema1,
			"nodeCount":             compiled(&jsonschema.Schema{Types: []string{"integer", "null"}}),
			"nvidiaDocker":          schema2,
			"password":              schema1,
			"priority":              compiled(&jsonschema.Schema{Types: []string{"integer", "string", "null"}}),
			"privateKey":            schema1,
			"pythonLocation":        schema1,
			"sharedVolumes":         schema2,
			"type": compiled(&jsonschema.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Extensions: annotated(annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}}),
			}),
			"userManagedEnvironment": schema2,
			"username": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"}),
			}),
		},
		AdditionalProperties: false,
	})
}

func compiledRemote() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string", "null"}})
	return compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"address", "username"},
		Properties: map[string]*jsonschema.Schema{
			"address": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"}),
			}),
			"nativeSharedDirectory": schema1,
			"nodeCount":             compiled(&jsonschema.Schema{Types: []string{"integer", "null"}}),
			"password":              schema1,
			"priority":              compiled(&jsonschema.Schema{Types: []string{"integer", "string", "null"}}),
			"privateKey":            schema1,
			"pythonLocation":        schema1,
			"sparkSubmitLocation":   schema1,
			"type": compiled(&jsonschema.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Extensions: annotated(annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}}),
			}),
			"userManagedEnvironment": compiled(&jsonschema.Schema{Types: []string{"boolean"}}),
			"username": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"}),
			}),
		},
		AdditionalProperties: false,
	})
}

func compiledCluster() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string", "null"}})
	return compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"address", "username"},
		Properties: map[string]*jsonschema.Schema{
			"address": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"}),
			}),
			"nodeCount":      compiled(&jsonschema.Schema{Types: []string{"integer", "null"}}),
			"password":       schema1,
			"priority":       compiled(&jsonschema.Schema{Types: []string{"integer", "string", "null"}}),
			"privateKey":     schema1,
			"pythonLocation": schema1,
			"type": compiled(&jsonschema.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Extensions: annotated(annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}}),
			}),
			"userManagedEnvironment": compiled(&jsonschema.Schema{Types: []string{"boolean"}}),
			"username": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"}),
			}),
			"yarnDeployMode": compiled(&jsonschema.Schema{
				Types: []string{"string", "null"},
				Enum:  []any{"cluster", "client", interface{}(nil)},
			}),
		},
		AdditionalProperties: false,
	})
}

func compiledOther() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string", "null"}})
	schema2 := compiled(&jsonschema.Schema{Types: []string{"boolean"}})
	return compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"address": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"}),
			}),
			"baseDockerImage":       schema1,
			"clusterName":           schema1,
			"nativeSharedDirectory": schema1,
			"nodeCount":             compiled(&jsonschema.Schema{Types: []string{"integer", "null"}}),
			"nvidiaDocker":          schema2,
			"password":              schema1,
			"priority":              compiled(&jsonschema.Schema{Types: []string{"integer", "string", "null"}}),
			"privateKey":            schema1,
			"pythonLocation":        schema1,
			"resourceGroup":         schema1,
			"sharedVolumes":         schema2,
			"sparkSubmitLocation":   schema1,
			"subscriptionId":        schema1,
			"type": compiled(&jsonschema.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Extensions: annotated(annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}}),
			}),
			"userManagedEnvironment": schema2,
			"username": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"}),
			}),
			"workspaceName": schema1,
			"yarnDeployMode": compiled(&jsonschema.Schema{
				Types: []string{"string", "null"},
				Enum:  []any{"cluster", "client", interface{}(nil)},
			}),
		},
		AdditionalProperties: false,
	})
}

func compiledUntyped() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string", "null"}})
	schema2 := compiled(&jsonschema.Schema{Types: []string{"boolean"}})
	return compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"address": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"}),
			}),
			"baseDockerImage":        schema1,
			"cluster":                schema2,
			"native":                 schema2,
			"nativeSharedDirectory":  schema1,
			"nodeCount":              compiled(&jsonschema.Schema{Types: []string{"integer", "null"}}),
			"nvidiaDocker":           schema2,
			"password":               schema1,
			"priority":               compiled(&jsonschema.Schema{Types: []string{"integer", "string", "null"}}),
			"privateKey":             schema1,
			"pythonLocation":         schema1,
			"sharedVolumes":          schema2,
			"sparkSubmitLocation":    schema1,
			"userManagedEnvironment": schema2,
			"username": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"}),
			}),
			"yarnDeployMode": compiled(&jsonschema.Schema{
				Types: []string{"string", "null"},
				Enum:  []any{"cluster", "client", interface{}(nil)},
			}),
		},
		AdditionalProperties: false,
		Extensions:           annotated(annotation{Deprecated: "there is no \"type\", as in files of the 2017 pre-release: add \"type\" with local, localdocker, remotedocker, remote or cluster, so that every version reads the file in the same way"}),
	})
}

func compiledWorkbenchRunconfig() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string", "null"}})
	schema2 := compiled(&jsonschema.Schema{Types: []string{"boolean"}})
	return compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"Target"},
		Properties: map[string]*jsonschema.Schema{
			"ArgumentVector": compiled(&jsonschema.Schema{
				Types: []string{"array"},
				Items: compiled(&jsonschema.Schema{Types: []string{"string", "number", "boolean"}}),
			}),
			"CondaDependenciesFile": schema1,
			"CondaFile": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Deprecated: "\"CondaFile\" is the 2017 pre-release's name for \"CondaDependenciesFile\", the key that later versions read"}),
			}),
			"DataSourceSettings": compiled(&jsonschema.Schema{
				Types:                []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{Types: []string{"object", "null"}}),
			}),
			"DataSourceSubstitutions": compiled(&jsonschema.Schema{
				Types:                []string{"object", "null"},
				AdditionalProperties: schema1,
			}),
			"Description": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Extensions: annotated(annotation{Deprecated: "\"Description\" is a key of the 2017 pre-release that later versions do not have: make it a comment"}),
			}),
			"EnvironmentVariables": compiled(&jsonschema.Schema{
				Types:                []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{Types: []string{"string", "number", "boolean", "null"}}),
			}),
			"Framework": compiled(&jsonschema.Schema{
				Types: []string{"string"},
				Enum:  []any{"Python", "PySpark"},
			}),
			"ManagedEnvironment": compiled(&jsonschema.Schema{
				Types:      []string{"boolean"},
				Extensions: annotated(annotation{Deprecated: "\"ManagedEnvironment\" is a key of the 2017 pre-release; later versions read \"userManagedEnvironment\" in the .compute file"}),
			}),
			"PrepareEnvironment":    schema2,
			"SparkDependenciesFile": schema1,
			"Target": compiled(&jsonschema.Schema{
				Types:      []string{"string"},
				Extensions: annotated(annotation{Missing: "so nothing says where to run: add \"Target\" with the name of a .compute file, without its extension"}),
			}),
			"TrackedRun":  schema2,
			"UseSampling": schema2,
		},
		AdditionalProperties: false,
	})
}

func compiledSdkRunconfig() *jsonschema.Schema {
	pattern1 := regexp.MustCompile("^ *[+-]?[0-9]+ *$")
	schema2 := compiled(&jsonschema.Schema{
		Title:   "a whole number",
		Types:   []string{"integer", "string", "null"},
		Pattern: pattern1,
	})
	schema3 := compiled(&jsonschema.Schema{
		Types:      []string{"string", "number", "null"},
		Extensions: annotated(annotation{Deprecated: "\"location\" is dropped silently by later SDK versions: the cluster is where the workspace is"}),
	})
	schema4 := compiled(&jsonschema.Schema{Types: []string{"string", "number", "null"}})
	pattern5 := regexp.MustCompile("^(true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|y|Y|n|N|1|0)?$")
	schema6 := compiled(&jsonschema.Schema{
		Title:   "true or false",
		Types:   []string{"boolean", "string", "integer", "null"},
		Pattern: pattern5,
	})
	schema7 := compiled(&jsonschema.Schema{
		Types: []string{"string", "null"},
		Enum:  []any{"dedicated", "lowpriority", interface{}(nil)},
	})
	schema8 := compiled(&jsonschema.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*jsonschema.Schema{
			"clusterMaxNodeCount": schema2,
			"location":            schema3,
			"name":                schema4,
			"retainCluster":       schema6,
			"vmPriority":          schema7,
			"vmSize":              schema4,
		},
		AdditionalProperties: false,
	})
	schema9 := compiled(&jsonschema.Schema{Types: []string{"object", "null"}})
	schema10 := compiled(&jsonschema.Schema{
		Types: []string{"string", "null"},
		Enum:  []any{"Jupyter", "JupyterLab", "SSH", "TensorBoard", "VSCode", "Grafana", "Custom", interface{}(nil)},
	})
	schema11 := compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"port":       schema2,
			"properties": schema9,
			"type":       schema10,
		},
		AdditionalProperties: false,
	})
	schema12 := compiled(&jsonschema.Schema{
		Types:                []string{"object", "null"},
		AdditionalProperties: schema11,
	})
	schema13 := compiled(&jsonschema.Schema{Types: []string{"string", "number", "boolean"}})
	schema14 := compiled(&jsonschema.Schema{
		Types: []string{"array", "null"},
		Items: schema13,
	})
	schema15 := compiled(&jsonschema.Schema{Types: []string{"number", "string", "null"}})
	schema16 := compiled(&jsonschema.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*jsonschema.Schema{
			"datastoreName": schema4,
			"relativePath":  schema4,
		},
		AdditionalProperties: false,
	})
	schema17 := compiled(&jsonschema.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*jsonschema.Schema{
			"id":      schema4,
			"name":    schema4,
			"version": schema4,
		},
		AdditionalProperties: false,
	})
	schema18 := compiled(&jsonschema.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*jsonschema.Schema{
			"isFile": schema6,
			"path":   schema4,
		},
		AdditionalProperties: false,
	})
	schema19 := compiled(&jsonschema.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*jsonschema.Schema{
			"dataPath": schema16,
			"datapath": schema16,
			"dataset":  schema17,
			"uri":      schema18,
		},
		AdditionalProperties: false,
	})
	schema20 := compiled(&jsonschema.Schema{
		Types: []string{"array", "null"},
		Items: schema9,
	})
	schema21 := compiled(&jsonschema.Schema{Types: []string{"object", "string", "null"}})
	schema22 := compiled(&jsonschema.Schema{Types: []string{"string", "number", "boolean", "null"}})
	schema23 := compiled(&jsonschema.Schema{
		Types:                []string{"object", "null"},
		AdditionalProperties: schema22,
	})
	schema24 := compiled(&jsonschema.Schema{
		Types: []string{"array", "null"},
		Items: schema4,
	})
	schema25 := compiled(&jsonschema.Schema{
		Types: []string{"array", "null"},
		Items: schema21,
	})
	return compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"amlCompute":           schema8,
			"amlcompute":           schema8,
			"applicationEndpoints": schema12,
			"arguments":            schema14,
			"autoPrepareEnvironment": compiled(&jsonschema.Schema{
				Title:      "true or false",
				Types:      []string{"boolean", "string", "integer", "null"},
				Pattern:    pattern5,
				Extensions: annotated(annotation{Deprecated: "\"autoPrepareEnvironment\" has no effect since autumn 2019: environments are always built when they are missing"}),
			}),
			"batchai": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"nodeCount": schema2,
				},
				AdditionalProperties: false,
				Extensions:           annotated(annotation{Deprecated: "\"batchai\" belongs to a service that is closed, and later SDK versions drop it silently: write \"nodeCount\" at the top level"}),
			}),
			"command": compiled(&jsonschema.Schema{
				Types: []string{"string", "array", "null"},
				Items: schema13,
			}),
			"communicator": compiled(&jsonschema.Schema{
				Types: []string{"string", "null"},
				Enum:  []any{"None", "ParameterServer", "OpenMpi", "IntelMpi", "Mpi", "Nccl", "Gloo", "ParallelTask", interface{}(nil)},
			}),
			"containerInstance": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"cpuCores": schema15,
					"memoryGb": schema15,
					"region":   schema4,
				},
				AdditionalProperties: false,
				Extensions:           annotated(annotation{Deprecated: "\"containerInstance\" is a key of the 2018 preview that later SDK versions drop silently: remove it"}),
			}),
			"credentialPassthrough": schema6,
			"data": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{
					Types: []string{"object"},
					Properties: map[string]*jsonschema.Schema{
						"createOutputDirectories": schema6,
						"dataLocation":            schema19,
						"environmentVariableName": schema4,
						"mechanism": compiled(&jsonschema.Schema{
							Types: []string{"string", "null"},
							Enum:  []any{"direct", "mount", "download", "upload", "hdfs", interface{}(nil)},
						}),
						"options":       schema9,
						"overwrite":     schema6,
						"pathOnCompute": schema4,
					},
					AdditionalProperties: false,
				}),
			}),
			"dataReferences": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{
					Types:    []string{"object"},
					Required: []string{"dataStoreName"},
					Properties: map[string]*jsonschema.Schema{
						"dataStoreName": compiled(&jsonschema.Schema{
							Types:      []string{"string", "number"},
							Extensions: annotated(annotation{Missing: "so the SDK does not know where the folder is: add \"dataStoreName\" with the name of a datastore"}),
						}),
						"mode": compiled(&jsonschema.Schema{
							Types: []string{"string"},
							Enum:  []any{"mount", "download", "upload"},
						}),
						"overwrite":       schema6,
						"pathOnCompute":   schema4,
						"pathOnDataStore": schema4,
					},
					AdditionalProperties: false,
				}),
			}),
			"datacaches": compiled(&jsonschema.Schema{
				Types: []string{"array", "null"},
				Items: compiled(&jsonschema.Schema{
					Types: []string{"object"},
					Properties: map[string]*jsonschema.Schema{
						"datacacheId":     schema4,
						"datacacheStore":  schema4,
						"datasetId":       schema4,
						"failureFallback": schema6,
						"mode":            schema4,
						"pathOnCompute":   schema4,
						"replica":         schema2,
					},
					AdditionalProperties: false,
				}),
			}),
			"docker": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"arguments":     schema14,
					"sharedVolumes": schema6,
					"shmSize":       schema4,
					"useDocker":     schema6,
				},
				AdditionalProperties: false,
			}),
			"environment": compiled(&jsonschema.Schema{
				Types: []string{"object", "string", "null"},
				Properties: map[string]*jsonschema.Schema{
					"assetId": schema4,
					"databricks": compiled(&jsonschema.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*jsonschema.Schema{
							"cluster":        schema9,
							"eggLibraries":   schema20,
							"jarLibraries":   schema20,
							"mavenLibraries": schema20,
							"pypiLibraries":  schema20,
							"rcranLibraries": schema20,
						},
						AdditionalProperties: false,
					}),
					"docker": compiled(&jsonschema.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*jsonschema.Schema{
							"arguments":      schema14,
							"baseDockerfile": schema4,
							"baseImage":      schema4,
							"baseImageRegistry": compiled(&jsonschema.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*jsonschema.Schema{
									"address":          schema4,
									"password":         schema4,
									"registryIdentity": schema21,
									"username":         schema4,
								},
								AdditionalProperties: false,
							}),
							"buildContext": compiled(&jsonschema.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*jsonschema.Schema{
									"dockerfilePath": schema4,
									"location":       schema4,
									"locationType": compiled(&jsonschema.Schema{
										Types: []string{"string", "null"},
										Enum:  []any{"git", "storageAccount", interface{}(nil)},
									}),
								},
								AdditionalProperties: false,
							}),
							"enabled": schema6,
							"gpuSupport": compiled(&jsonschema.Schema{
								Title:      "true or false",
								Types:      []string{"boolean", "string", "integer", "null"},
								Pattern:    pattern5,
								Extensions: annotated(annotation{Deprecated: "\"gpuSupport\" is read by SDK versions up to autumn 2019 only; later ones give the container GPUs whenever the machine and the image have them"}),
							}),
							"platform": compiled(&jsonschema.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*jsonschema.Schema{
									"architecture": schema4,
									"os": compiled(&jsonschema.Schema{
										Types: []string{"string", "null"},
										Enum:  []any{"Linux", "Windows", "OSX", interface{}(nil)},
									}),
								},
								AdditionalProperties: false,
							}),
							"preparation": compiled(&jsonschema.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*jsonschema.Schema{
									"commandLine": schema4,
								},
								AdditionalProperties: false,
							}),
							"sharedVolumes": schema6,
							"shmSize":       schema4,
						},
						AdditionalProperties: false,
					}),
					"environmentVariables":    schema23,
					"inferencingStackVersion": schema4,
					"name":                    schema4,
					"python": compiled(&jsonschema.Schema{
						Types: []string{"object"},
						Properties: map[string]*jsonschema.Schema{
							"baseCondaEnvironment": schema4,
							"condaDependencies": compiled(&jsonschema.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*jsonschema.Schema{
									"channels": compiled(&jsonschema.Schema{
										Types: []string{"array", "null"},
										Items: compiled(&jsonschema.Schema{Types: []string{"string"}}),
									}),
									"dependencies": compiled(&jsonschema.Schema{
										Types: []string{"array", "null"},
										Items: compiled(&jsonschema.Schema{
											Title: "a conda package or a pip list",
											Types: []string{"string", "object"},
											Properties: map[string]*jsonschema.Schema{
												"pip": compiled(&jsonschema.Schema{
													Types: []string{"array"},
													Items: compiled(&jsonschema.Schema{
														Title: "a pip requirement",
														Types: []string{"string"},
													}),
												}),
											},
											AdditionalProperties: false,
										}),
									}),
									"name":      schema4,
									"prefix":    compiled(&jsonschema.Schema{Types: []string{"string", "null"}}),
									"variables": schema23,
								},
								AdditionalProperties: false,
							}),
							"condaDependenciesFile":   schema4,
							"interpreterPath":         schema4,
							"userManagedDependencies": schema6,
						},
						AdditionalProperties: false,
					}),
					"r": compiled(&jsonschema.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*jsonschema.Schema{
							"bioconductorPackages": schema24,
							"cranPackages":         schema25,
							"customUrlPackages":    schema24,
							"githubPackages":       schema25,
							"rVersion":             schema4,
							"rscriptPath":          schema4,
							"snapshotDate":         schema4,
							"userManaged":          schema6,
						},
						AdditionalProperties: false,
					}),
					"spark": compiled(&jsonschema.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*jsonschema.Schema{
							"packages": compiled(&jsonschema.Schema{
								Types: []string{"array", "null"},
								Items: compiled(&jsonschema.Schema{
									Types: []string{"object"},
									Properties: map[string]*jsonschema.Schema{
										"artifact": schema4,
										"group":    schema4,
										"version":  schema4,
									},
									AdditionalProperties: false,
								}),
							}),
							"precachePackages": schema6,
							"repositories":     schema24,
						},
						AdditionalProperties: false,
					}),
					"version": schema4,
				},
				AdditionalProperties: false,
			}),
			"environmentVariables": schema23,
			"exposedPorts": compiled(&jsonschema.Schema{
				Types:      []string{"string", "integer", "array", "null"},
				Extensions: annotated(annotation{Deprecated: "\"exposedPorts\" is dropped silently by later SDK versions: use \"applicationEndpoints\""}),
			}),
			"framework": compiled(&jsonschema.Schema{
				Types:      []string{"string", "null"},
				Enum:       []any{"Python", "PySpark", "TensorFlow", "PyTorch", "CNTK", "R", "TensorFlowParameterServer", "PythonMpi", "PythonIntelMpi", "PySparkInteractive", interface{}(nil)},
				Extensions: annotated(annotation{Unlisted: []string{"TensorFlowParameterServer", "PythonMpi", "PythonIntelMpi", "PySparkInteractive"}}),
			}),
			"hdi": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"yarnDeployMode": compiled(&jsonschema.Schema{
						Types: []string{"string", "null"},
						Enum:  []any{"cluster", "client", "none", interface{}(nil)},
					}),
				},
				AdditionalProperties: false,
			}),
			"history": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"ambientAuthentication": compiled(&jsonschema.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*jsonschema.Schema{
							"appId":                schema4,
							"deleteSecretAfterRun": schema6,
							"method": compiled(&jsonschema.Schema{
								Types: []string{"string", "null"},
								Enum:  []any{"aadtoken", "runtoken", "serviceprincipal", interface{}(nil)},
							}),
							"secret": schema4,
							"tenant": schema4,
						},
						AdditionalProperties: false,
					}),
					"directoriesToWatch": schema24,
					"enabled": compiled(&jsonschema.Schema{
						Title:      "true or false",
						Types:      []string{"boolean", "string", "integer", "null"},
						Pattern:    pattern5,
						Extensions: annotated(annotation{Deprecated: "\"enabled\" is a key of the 2018 preview that later SDK versions drop silently: write \"outputCollection\""}),
					}),
					"outputCollection": schema6,
					"snapshotProject":  schema6,
				},
				AdditionalProperties: false,
			}),
			"jobName": compiled(&jsonschema.Schema{
				Types:      []string{"string", "number", "null"},
				Extensions: annotated(annotation{Deprecated: "\"jobName\" is dropped silently by later SDK versions: name the run where it is submitted"}),
			}),
			"kubernetescompute": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"instanceType": schema4,
				},
				AdditionalProperties: false,
			}),
			"maxRunDurationSeconds": schema2,
			"mpi": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"nodeCount":           schema2,
					"processCountPerNode": schema2,
				},
				AdditionalProperties: false,
			}),
			"nodeCount": schema2,
			"outputData": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{
					Types: []string{"object"},
					Properties: map[string]*jsonschema.Schema{
						"additionalOptions": compiled(&jsonschema.Schema{
							Types: []string{"object", "null"},
							Properties: map[string]*jsonschema.Schema{
								"mountOptions": compiled(&jsonschema.Schema{
									Types: []string{"object", "null"},
									Properties: map[string]*jsonschema.Schema{
										"disableMetadataCache": schema6,
									},
									AdditionalProperties: false,
								}),
								"pathOnCompute": schema4,
								"registrationOptions": compiled(&jsonschema.Schema{
									Types: []string{"object", "null"},
									Properties: map[string]*jsonschema.Schema{
										"datasetRegistrationOptions": schema21,
										"description":                schema4,
										"name":                       schema4,
										"properties":                 schema21,
										"tags":                       schema21,
									},
									AdditionalProperties: false,
								}),
								"uploadOptions": compiled(&jsonschema.Schema{
									Types: []string{"object", "null"},
									Properties: map[string]*jsonschema.Schema{
										"overwrite":   schema6,
										"sourceGlobs": schema21,
									},
									AdditionalProperties: false,
								}),
							},
							AdditionalProperties: false,
						}),
						"mechanism": compiled(&jsonschema.Schema{
							Types: []string{"string", "null"},
							Enum:  []any{"mount", "upload", "direct", "hdfs", "link", interface{}(nil)},
						}),
						"outputLocation": schema19,
					},
					AdditionalProperties: false,
				}),
			}),
			"paralleltask": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"maxRetriesPerWorker": schema2,
					"terminalExitCodes": compiled(&jsonschema.Schema{
						Types: []string{"array", "null"},
						Items: compiled(&jsonschema.Schema{Types: []string{"integer", "string"}}),
					}),
					"workerCountPerNode": schema2,
				},
				AdditionalProperties: false,
			}),
			"prepareEnvironment": compiled(&jsonschema.Schema{
				Title:      "true or false",
				Types:      []string{"boolean", "string", "integer", "null"},
				Pattern:    pattern5,
				Extensions: annotated(annotation{Deprecated: "\"prepareEnvironment\" is a key of the 2018 preview that later SDK versions drop silently: remove it"}),
			}),
			"priority": schema2,
			"pytorch": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"communicationBackend": compiled(&jsonschema.Schema{
						Types: []string{"string", "null"},
						Enum:  []any{"nccl", "gloo", interface{}(nil)},
					}),
					"nodeCount":    schema2,
					"processCount": schema2,
				},
				AdditionalProperties: false,
			}),
			"script":                   schema4,
			"services":                 schema12,
			"sourceDirectoryDataStore": schema4,
			"spark": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"configuration": schema23,
				},
				AdditionalProperties: false,
			}),
			"target": schema4,
			"tensorflow": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"parameterServerCount": schema2,
					"workerCount":          schema2,
				},
				AdditionalProperties: false,
			}),
		},
		AdditionalProperties: false,
	})
}

func compiledConda() *jsonschema.Schema {
	return compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"channels": compiled(&jsonschema.Schema{
				Types: []string{"array", "null"},
				Items: compiled(&jsonschema.Schema{Types: []string{"string"}}),
			}),
			"dependencies": compiled(&jsonschema.Schema{
				Types: []string{"array", "null"},
				Items: compiled(&jsonschema.Schema{
					Title: "a conda package or a pip list",
					Types: []string{"string", "object"},
					Properties: map[string]*jsonschema.Schema{
						"pip": compiled(&jsonschema.Schema{
							Types: []string{"array"},
							Items: compiled(&jsonschema.Schema{
								Title: "a pip requirement",
								Types: []string{"string"},
							}),
						}),
					},
					AdditionalProperties: false,
				}),
			}),
			"name":   compiled(&jsonschema.Schema{Types: []string{"string", "number", "null"}}),
			"prefix": compiled(&jsonschema.Schema{Types: []string{"string", "null"}}),
			"variables": compiled(&jsonschema.Schema{
				Types:                []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{Types: []string{"string", "number", "boolean", "null"}}),
			}),
		},
		AdditionalProperties: false,
	})
}

func compiledSpark() *jsonschema.Schema {
	return compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"configuration": compiled(&jsonschema.Schema{
				Types:                []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{Types: []string{"string", "number", "boolean", "null"}}),
			}),
			"packages": compiled(&jsonschema.Schema{
				Types: []string{"array", "null"},
				Items: compiled(&jsonschema.Schema{
					Types:    []string{"object"},
					Required: []string{"group", "artifact", "version"},
					Properties: map[string]*jsonschema.Schema{
						"artifact": compiled(&jsonschema.Schema{
							Types:      []string{"string"},
							Extensions: annotated(annotation{Missing: "so Maven cannot find the package: add its name in Maven"}),
						}),
						"group": compiled(&jsonschema.Schema{
							Types:      []string{"string"},
							Extensions: annotated(annotation{Missing: "so Maven cannot find the package: add its Maven group"}),
						}),
						"version": compiled(&jsonschema.Schema{
							Types:      []string{"string"},
							Extensions: annotated(annotation{Missing: "so Maven cannot find the package: add its version, in quotes"}),
						}),
					},
					AdditionalProperties: false,
				}),
			}),
			"repositories": compiled(&jsonschema.Schema{
				Types: []string{"array", "null"},
				Items: compiled(&jsonschema.Schema{Types: []string{"string"}}),
			}),
			"version": compiled(&jsonschema.Schema{Types: []string{"integer", "null"}}),
		},
		AdditionalProperties: false,
	})
}

func compiledCompose() *jsonschema.Schema {
	pattern1 := regexp.MustCompile("^[a-z0-9][a-z0-9_-]*$")
	schema2 := compiled(&jsonschema.Schema{Types: []string{"string", "number", "boolean", "null"}})
	schema3 := compiled(&jsonschema.Schema{
		Types:                []string{"object"},
		AdditionalProperties: schema2,
	})
	schema4 := compiled(&jsonschema.Schema{Types: []string{"string"}})
	schema5 := compiled(&jsonschema.Schema{
		Types: []string{"array"},
		Items: schema4,
	})
	pattern6 := regexp.MustCompile("^(all|[0-9]+)$")
	schema7 := compiled(&jsonschema.Schema{Types: []string{"boolean"}})
	pattern8 := regexp.MustCompile("^[0-9]+[bkmg]b?$")
	return compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"services"},
		Properties: map[string]*jsonschema.Schema{
			"name": compiled(&jsonschema.Schema{
				Title:   "a name of lowercase letters, digits, _ and -",
				Types:   []string{"string"},
				Pattern: pattern1,
			}),
			"services": compiled(&jsonschema.Schema{
				Types: []string{"object"},
				AdditionalProperties: compiled(&jsonschema.Schema{
					Types: []string{"object"},
					Properties: map[string]*jsonschema.Schema{
						"build": compiled(&jsonschema.Schema{
							Types: []string{"object"},
							Properties: map[string]*jsonschema.Schema{
								"args":       schema3,
								"context":    schema4,
								"dockerfile": schema4,
							},
							AdditionalProperties: false,
						}),
						"command": schema5,
						"depends_on": compiled(&jsonschema.Schema{
							Types: []string{"object"},
							AdditionalProperties: compiled(&jsonschema.Schema{
								Types: []string{"object"},
								Properties: map[string]*jsonschema.Schema{
									"condition": compiled(&jsonschema.Schema{
										Types: []string{"string"},
										Enum:  []any{"service_started", "service_healthy", "service_completed_successfully"},
									}),
								},
								AdditionalProperties: false,
							}),
						}),
						"deploy": compiled(&jsonschema.Schema{
							Types: []string{"object"},
							Properties: map[string]*jsonschema.Schema{
								"resources": compiled(&jsonschema.Schema{
									Types: []string{"object"},
									Properties: map[string]*jsonschema.Schema{
										"reservations": compiled(&jsonschema.Schema{
											Types: []string{"object"},
											Properties: map[string]*jsonschema.Schema{
												"devices": compiled(&jsonschema.Schema{
													Types: []string{"array"},
													Items: compiled(&jsonschema.Schema{
														Types:    []string{"object"},
														Required: []string{"capabilities"},
														Properties: map[string]*jsonschema.Schema{
															"capabilities": compiled(&jsonschema.Schema{
																Types:      []string{"array"},
																Items:      schema4,
																Extensions: annotated(annotation{Missing: "and Compose insists on it: write [gpu]"}),
															}),
															"count": compiled(&jsonschema.Schema{
																Title:   "a number or all",
																Types:   []string{"integer", "string"},
																Pattern: pattern6,
															}),
															"device_ids": schema5,
															"driver": compiled(&jsonschema.Schema{
																Types: []string{"string"},
																Enum:  []any{"nvidia"},
															}),
														},
														AdditionalProperties: false,
													}),
												}),
											},
											AdditionalProperties: false,
										}),
									},
									AdditionalProperties: false,
								}),
							},
							AdditionalProperties: false,
						}),
						"entrypoint":  schema5,
						"environment": schema3,
						"image":       schema4,
						"init":        schema7,
						"labels": compiled(&jsonschema.Schema{
							Types:                []string{"object"},
							AdditionalProperties: schema4,
						}),
						"shm_size": compiled(&jsonschema.Schema{
							Title:   "a size such as 2g",
							Types:   []string{"string"},
							Pattern: pattern8,
						}),
						"stop_grace_period": schema4,
						"user":              schema4,
						"volumes": compiled(&jsonschema.Schema{
							Types: []string{"array"},
							Items: compiled(&jsonschema.Schema{
								Types: []string{"string", "object"},
								Properties: map[string]*jsonschema.Schema{
									"bind": compiled(&jsonschema.Schema{
										Types: []string{"object"},
										Properties: map[string]*jsonschema.Schema{
											"create_host_path": schema7,
										},
										AdditionalProperties: false,
									}),
									"read_only": schema7,
									"source":    schema4,
									"target":    schema4,
									"type": compiled(&jsonschema.Schema{
										Types: []string{"string"},
										Enum:  []any{"bind"},
									}),
								},
								AdditionalProperties: false,
							}),
						}),
						"working_dir": schema4,
					},
					AdditionalProperties: false,
				}),
				Extensions: annotated(annotation{Missing: "so there is nothing to run: write a service"}),
			}),
			"volumes": compiled(&jsonschema.Schema{
				Types:                []string{"object"},
				AdditionalProperties: compiled(&jsonschema.Schema{Types: []string{"object", "null"}}),
			}),
		},
		AdditionalProperties: false,
	})
}

func compiledKubernetes() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string"}})
	schema2 := compiled(&jsonschema.Schema{
		Types:      []string{"string"},
		Enum:       []any{"Job", "Service", "PersistentVolumeClaim"},
		Extensions: annotated(annotation{Missing: "so Kubernetes does not know what this is: write Job, Service or PersistentVolumeClaim"}),
	})
	schema3 := compiled(&jsonschema.Schema{Types: []string{"object"}})
	schema4 := compiled(&jsonschema.Schema{
		Types:                []string{"object"},
		AdditionalProperties: schema1,
	})
	pattern5 := regexp.MustCompile("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
	schema6 := compiled(&jsonschema.Schema{
		Title:   "a name of lowercase letters, digits and -",
		Types:   []string{"string"},
		Pattern: pattern5,
	})
	schema7 := compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"annotations": schema4,
			"labels":      schema4,
			"name":        schema6,
			"namespace":   schema6,
		},
		AdditionalProperties: false,
		Extensions:           annotated(annotation{Missing: "so it has no name: write metadata, and below it name"}),
	})
	schema8 := compiled(&jsonschema.Schema{Types: []string{"integer"}})
	schema9 := compiled(&jsonschema.Schema{
		Types: []string{"array"},
		Items: schema1,
	})
	schema10 := compiled(&jsonschema.Schema{
		Types:      []string{"string"},
		Extensions: annotated(annotation{Missing: "so the variable has no name: write one"}),
	})
	schema11 := compiled(&jsonschema.Schema{
		Types:      []string{"string"},
		Extensions: annotated(annotation{Missing: "so no field is taken: write its path"}),
	})
	schema12 := compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"fieldPath"},
		Properties: map[string]*jsonschema.Schema{
			"fieldPath": schema11,
		},
		AdditionalProperties: false,
	})
	schema13 := compiled(&jsonschema.Schema{
		Types:      []string{"string"},
		Extensions: annotated(annotation{Missing: "so nothing is taken from the secret: write the key"}),
	})
	schema14 := compiled(&jsonschema.Schema{Types: []string{"boolean"}})
	schema15 := compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"key"},
		Properties: map[string]*jsonschema.Schema{
			"key":      schema13,
			"name":     schema1,
			"optional": schema14,
		},
		AdditionalProperties: false,
	})
	schema16 := compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"fieldRef":     schema12,
			"secretKeyRef": schema15,
		},
		AdditionalProperties: false,
	})
	schema17 := compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"name"},
		Properties: map[string]*jsonschema.Schema{
			"name":      schema10,
			"value":     schema1,
			"valueFrom": schema16,
		},
		AdditionalProperties: false,
	})
	schema18 := compiled(&jsonschema.Schema{
		Types: []string{"array"},
		Items: schema17,
	})
	schema19 := compiled(&jsonschema.Schema{
		Types: []string{"string"},
		Enum:  []any{"Always", "IfNotPresent", "Never"},
	})
	schema20 := compiled(&jsonschema.Schema{
		Title:      "a name of lowercase letters, digits and -",
		Types:      []string{"string"},
		Pattern:    pattern5,
		Extensions: annotated(annotation{Missing: "so the container has no name: write one"}),
	})
	schema21 := compiled(&jsonschema.Schema{
		Types:      []string{"integer"},
		Extensions: annotated(annotation{Missing: "so no port is named: write it"}),
	})
	schema22 := compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"containerPort"},
		Properties: map[string]*jsonschema.Schema{
			"containerPort": schema21,
		},
		AdditionalProperties: false,
	})
	schema23 := compiled(&jsonschema.Schema{
		Types: []string{"array"},
		Items: schema22,
	})
	schema24 := compiled(&jsonschema.Schema{Types: []string{"string", "integer"}})
	schema25 := compiled(&jsonschema.Schema{
		Types:                []string{"object"},
		AdditionalProperties: schema24,
	})
	schema26 := compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"limits":   schema25,
			"requests": schema25,
		},
		AdditionalProperties: false,
	})
	schema27 := compiled(&jsonschema.Schema{
		Types:      []string{"string"},
		Extensions: annotated(annotation{Missing: "so the volume is mounted nowhere: write the path"}),
	})
	schema28 := compiled(&jsonschema.Schema{
		Title:      "a name of lowercase letters, digits and -",
		Types:      []string{"string"},
		Pattern:    pattern5,
		Extensions: annotated(annotation{Missing: "so no volume is mounted: write its name"}),
	})
	schema29 := compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"name", "mountPath"},
		Properties: map[string]*jsonschema.Schema{
			"mountPath": schema27,
			"name":      schema28,
			"readOnly":  schema14,
			"subPath":   schema1,
		},
		AdditionalProperties: false,
	})
	schema30 := compiled(&jsonschema.Schema{
		Types: []string{"array"},
		Items: schema29,
	})
	schema31 := compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"name"},
		Properties: map[string]*jsonschema.Schema{
			"args":            schema9,
			"command":         schema9,
			"env":             schema18,
			"image":           schema1,
			"imagePullPolicy": schema19,
			"name":            schema20,
			"ports":           schema23,
			"resources":       schema26,
			"volumeMounts":    schema30,
			"workingDir":      schema1,
		},
		AdditionalProperties: false,
	})
	schema32 := compiled(&jsonschema.Schema{
		Types:      []string{"string"},
		Enum:       []any{"v1"},
		Extensions: annotated(annotation{Missing: "so Kubernetes does not know what this is: write v1"}),
	})
	return compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Extensions: annotated(annotation{By: "kind", Variants: map[string]*jsonschema.Schema{
			"": compiled(&jsonschema.Schema{
				Types:    []string{"object"},
				Required: []string{"kind"},
				Properties: map[string]*jsonschema.Schema{
					"apiVersion": schema1,
					"kind":       schema2,
					"metadata":   schema3,
					"spec":       schema3,
				},
				AdditionalProperties: false,
			}),
			"job": compiled(&jsonschema.Schema{
				Types:    []string{"object"},
				Required: []string{"apiVersion", "kind", "metadata", "spec"},
				Properties: map[string]*jsonschema.Schema{
					"apiVersion": compiled(&jsonschema.Schema{
						Types:      []string{"string"},
						Enum:       []any{"batch/v1"},
						Extensions: annotated(annotation{Missing: "so Kubernetes does not know what this is: write batch/v1"}),
					}),
					"kind":     schema2,
					"metadata": schema7,
					"spec": compiled(&jsonschema.Schema{
						Types:    []string{"object"},
						Required: []string{"template"},
						Properties: map[string]*jsonschema.Schema{
							"activeDeadlineSeconds": schema8,
							"backoffLimit":          schema8,
							"completionMode": compiled(&jsonschema.Schema{
								Types: []string{"string"},
								Enum:  []any{"Indexed", "NonIndexed"},
							}),
							"completions": schema8,
							"parallelism": schema8,
							"template": compiled(&jsonschema.Schema{
								Types:    []string{"object"},
								Required: []string{"spec"},
								Properties: map[string]*jsonschema.Schema{
									"metadata": compiled(&jsonschema.Schema{
										Types: []string{"object"},
										Properties: map[string]*jsonschema.Schema{
											"annotations": schema4,
											"labels":      schema4,
											"name":        schema6,
											"namespace":   schema6,
										},
										AdditionalProperties: false,
									}),
									"spec": compiled(&jsonschema.Schema{
										Types:    []string{"object"},
										Required: []string{"containers"},
										Properties: map[string]*jsonschema.Schema{
											"containers": compiled(&jsonschema.Schema{
												Types:      []string{"array"},
												Items:      schema31,
												Extensions: annotated(annotation{Missing: "so there is nothing to run: write a container"}),
											}),
											"imagePullSecrets": compiled(&jsonschema.Schema{
												Types: []string{"array"},
												Items: compiled(&jsonschema.Schema{
													Types: []string{"object"},
													Properties: map[string]*jsonschema.Schema{
														"name": schema1,
													},
													AdditionalProperties: false,
												}),
											}),
											"initContainers": compiled(&jsonschema.Schema{
												Types: []string{"array"},
												Items: schema31,
											}),
											"nodeSelector": schema4,
											"restartPolicy": compiled(&jsonschema.Schema{
												Types: []string{"string"},
												Enum:  []any{"Never", "OnFailure"},
											}),
											"serviceAccountName": schema1,
											"subdomain":          schema6,
											"volumes": compiled(&jsonschema.Schema{
												Types: []string{"array"},
												Items: compiled(&jsonschema.Schema{
													Types:    []string{"object"},
													Required: []string{"name"},
													Properties: map[string]*jsonschema.Schema{
														"emptyDir": compiled(&jsonschema.Schema{
															Types: []string{"object"},
															Properties: map[string]*jsonschema.Schema{
																"medium": compiled(&jsonschema.Schema{
																	Types: []string{"string"},
																	Enum:  []any{"Memory", ""},
																}),
																"sizeLimit": schema1,
															},
															AdditionalProperties: false,
														}),
														"hostPath": compiled(&jsonschema.Schema{
															Types:    []string{"object"},
															Required: []string{"path"},
															Properties: map[string]*jsonschema.Schema{
																"path": compiled(&jsonschema.Schema{
																	Types:      []string{"string"},
																	Extensions: annotated(annotation{Missing: "so no folder is used: write its path"}),
																}),
																"type": schema1,
															},
															AdditionalProperties: false,
														}),
														"name": compiled(&jsonschema.Schema{
															Title:      "a name of lowercase letters, digits and -",
															Types:      []string{"string"},
															Pattern:    pattern5,
															Extensions: annotated(annotation{Missing: "so nothing can mount it: write a name"}),
														}),
														"persistentVolumeClaim": compiled(&jsonschema.Schema{
															Types:    []string{"object"},
															Required: []string{"claimName"},
															Properties: map[string]*jsonschema.Schema{
																"claimName": compiled(&jsonschema.Schema{
																	Types:      []string{"string"},
																	Extensions: annotated(annotation{Missing: "so no claim is used: write its name"}),
																}),
																"readOnly": schema14,
															},
															AdditionalProperties: false,
														}),
													},
													AdditionalProperties: false,
												}),
											}),
										},
										AdditionalProperties: false,
										Extensions:           annotated(annotation{Missing: "so there is nothing to run: write the pod"}),
									}),
								},
								AdditionalProperties: false,
								Extensions:           annotated(annotation{Missing: "so there is nothing to run: write the pod's template"}),
							}),
							"ttlSecondsAfterFinished": schema8,
						},
						AdditionalProperties: false,
						Extensions:           annotated(annotation{Missing: "so there is nothing to run: write spec"}),
					}),
				},
				AdditionalProperties: false,
			}),
			"persistentvolumeclaim": compiled(&jsonschema.Schema{
				Types:    []string{"object"},
				Required: []string{"apiVersion", "kind", "metadata", "spec"},
				Properties: map[string]*jsonschema.Schema{
					"apiVersion": schema32,
					"kind":       schema2,
					"metadata":   schema7,
					"spec": compiled(&jsonschema.Schema{
						Types: []string{"object"},
						Properties: map[string]*jsonschema.Schema{
							"accessModes": compiled(&jsonschema.Schema{
								Types: []string{"array"},
								Items: compiled(&jsonschema.Schema{
									Types: []string{"string"},
									Enum:  []any{"ReadWriteOnce", "ReadWriteMany"},
								}),
							}),
							"resources": compiled(&jsonschema.Schema{
								Types: []string{"object"},
								Properties: map[string]*jsonschema.Schema{
									"requests": schema4,
								},
								AdditionalProperties: false,
							}),
							"storageClassName": schema6,
						},
						AdditionalProperties: false,
						Extensions:           annotated(annotation{Missing: "so nothing is claimed: write spec"}),
					}),
				},
				AdditionalProperties: false,
			}),
			"service": compiled(&jsonschema.Schema{
				Types:    []string{"object"},
				Required: []string{"apiVersion", "kind", "metadata", "spec"},
				Properties: map[string]*jsonschema.Schema{
					"apiVersion": schema32,
					"kind":       schema2,
					"metadata":   schema7,
					"spec": compiled(&jsonschema.Schema{
						Types: []string{"object"},
						Properties: map[string]*jsonschema.Schema{
							"clusterIP": compiled(&jsonschema.Schema{
								Types: []string{"string"},
								Enum:  []any{"None"},
							}),
							"ports": compiled(&jsonschema.Schema{
								Types: []string{"array"},
								Items: compiled(&jsonschema.Schema{
									Types:    []string{"object"},
									Required: []string{"port"},
									Properties: map[string]*jsonschema.Schema{
										"name": schema6,
										"port": schema21,
									},
									AdditionalProperties: false,
								}),
							}),
							"publishNotReadyAddresses": schema14,
							"selector":                 schema4,
						},
						AdditionalProperties: false,
						Extensions:           annotated(annotation{Missing: "so it reaches nothing: write spec"}),
					}),
				},
				AdditionalProperties: false,
			}),
		}}),
	})
}

func compiledSettings() *jsonschema.Schema {
	schema1 := compiled(&jsonschema.Schema{Types: []string{"string"}})
	schema2 := compiled(&jsonschema.Schema{
		Title: "the name of a compute target",
		Types: []string{"string"},
	})
	schema3 := compiled(&jsonschema.Schema{
		Types: []string{"array", "null"},
		Items: schema2,
	})
	schema4 := compiled(&jsonschema.Schema{
		Title: "a path or a pattern of paths",
		Types: []string{"string"},
	})
	schema5 := compiled(&jsonschema.Schema{
		Title: "the name of a rule or of a group of rules",
		Types: []string{"string"},
	})
	schema6 := compiled(&jsonschema.Schema{
		Types: []string{"array", "null"},
		Items: schema5,
	})
	schema7 := compiled(&jsonschema.Schema{
		Types: []string{"string"},
		Enum:  []any{"error", "warning", "info", "off"},
	})
	schema8 := compiled(&jsonschema.Schema{
		Types:                []string{"object", "null"},
		AdditionalProperties: schema7,
	})
	return compiled(&jsonschema.Schema{
		Types: []string{"object"},
		Properties: map[string]*jsonschema.Schema{
			"baseline": schema1,
			"choices": compiled(&jsonschema.Schema{
				Types:                []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{Types: []string{"string", "number"}}),
			}),
			"computes": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{
					Title: "the size of a machine",
					Types: []string{"string"},
				}),
			}),
			"cpu": schema3,
			"exclude": compiled(&jsonschema.Schema{
				Types: []string{"array", "null"},
				Items: schema4,
			}),
			"fail-on": compiled(&jsonschema.Schema{
				Types: []string{"string"},
				Enum:  []any{"error", "warning", "info", "never"},
			}),
			"gpu":    schema3,
			"ignore": schema6,
			"images": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{
					Title: "the name of an image",
					Types: []string{"string"},
				}),
			}),
			"kubernetes": compiled(&jsonschema.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*jsonschema.Schema{
					"claim":     schema1,
					"context":   schema1,
					"namespace": schema1,
					"node-selector": compiled(&jsonschema.Schema{
						Types: []string{"object"},
						AdditionalProperties: compiled(&jsonschema.Schema{
							Title: "the value of a label",
							Types: []string{"string"},
						}),
					}),
					"pull-secret":   schema1,
					"queue":         schema1,
					"registry":      schema1,
					"storage":       schema1,
					"storage-class": schema1,
					"tolerations": compiled(&jsonschema.Schema{
						Types: []string{"array"},
						Items: compiled(&jsonschema.Schema{
							Title: "a taint: KEY, KEY:EFFECT or KEY=VALUE:EFFECT",
							Types: []string{"string"},
						}),
					}),
				},
				AdditionalProperties: false,
			}),
			"max-warnings": compiled(&jsonschema.Schema{Types: []string{"integer"}}),
			"migrate": compiled(&jsonschema.Schema{
				Types:                []string{"object", "null"},
				AdditionalProperties: compiled(&jsonschema.Schema{Types: []string{"string", "number", "boolean"}}),
			}),
			"paths": compiled(&jsonschema.Schema{
				Types: []string{"array", "null"},
				Items: compiled(&jsonschema.Schema{
					Types:    []string{"object"},
					Required: []string{"match"},
					Properties: map[string]*jsonschema.Schema{
						"ignore": schema6,
						"match": compiled(&jsonschema.Schema{
							Types:      []string{"array", "null"},
							Items:      schema4,
							Extensions: annotated(annotation{Missing: "so it is not clear which files the other settings are for: write match: [\"legacy/**\"]"}),
						}),
						"severity": schema8,
					},
					AdditionalProperties: false,
				}),
			}),
			"select":   schema6,
			"severity": schema8,
		},
		AdditionalProperties: false,
	})
}

func compiledBaseline() *jsonschema.Schema {
	pattern1 := regexp.MustCompile("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
	schema2 := compiled(&jsonschema.Schema{
		Types:      []string{"string"},
		Extensions: annotated(annotation{Missing: "so the entry fits no finding: let amlfix baseline write it"}),
	})
	return compiled(&jsonschema.Schema{
		Types:    []string{"object"},
		Required: []string{"version"},
		Properties: map[string]*jsonschema.Schema{
			"findings": compiled(&jsonschema.Schema{
				Types: []string{"array", "null"},
				Items: compiled(&jsonschema.Schema{
					Types:    []string{"object"},
					Required: []string{"rule", "path", "fingerprint"},
					Properties: map[string]*jsonschema.Schema{
						"expires": compiled(&jsonschema.Schema{
							Types:   []string{"string"},
							Pattern: pattern1,
						}),
						"fingerprint": schema2,
						"path":        schema2,
						"reason":      compiled(&jsonschema.Schema{Types: []string{"string"}}),
						"rule":        schema2,
					},
					AdditionalProperties: false,
				}),
			}),
			"version": compiled(&jsonschema.Schema{
				Types:      []string{"integer"},
				Extensions: annotated(annotation{Missing: "so it is not clear how to read the file: write version: 1"}),
			}),
		},
		AdditionalProperties: false,
	})
}

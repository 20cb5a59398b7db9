// Code generated from the schema files by "go generate"; DO NOT EDIT.

package format

import (
	"github.com/amlfix/amlfix/schema/format/literal"
	"github.com/amlfix/amlfix/schema/plain"
)

func compiledLocal() *literal.Schema {
	schema1 := &literal.Schema{Types: []string{"string", "null"}}
	return &literal.Schema{
		Types: []string{"object"},
		Properties: map[string]*literal.Schema{
			"nativeSharedDirectory": schema1,
			"nodeCount":             &literal.Schema{Types: []string{"integer", "null"}},
			"priority":              &literal.Schema{Types: []string{"integer", "string", "null"}},
			"pythonLocation":        schema1,
			"sparkSubmitLocation":   schema1,
			"type": &literal.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Note: &annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}},
			},
			"userManagedEnvironment": &literal.Schema{Types: []string{"boolean"}},
		},
		Closed: true,
	}
}

func compiledLocaldocker() *literal.Schema {
	schema1 := &literal.Schema{Types: []string{"string", "null"}}
	schema2 := &literal.Schema{Types: []string{"boolean"}}
	return &literal.Schema{
		Types: []string{"object"},
		Properties: map[string]*literal.Schema{
			"baseDockerImage":       schema1,
			"nativeSharedDirectory": schema1,
			"nodeCount":             &literal.Schema{Types: []string{"integer", "null"}},
			"nvidiaDocker":          schema2,
			"priority":              &literal.Schema{Types: []string{"integer", "string", "null"}},
			"pythonLocation":        schema1,
			"sharedVolumes":         schema2,
			"type": &literal.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Note: &annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}},
			},
			"userManagedEnvironment": schema2,
		},
		Closed: true,
	}
}

func compiledRemotedocker() *literal.Schema {
	schema1 := &literal.Schema{Types: []string{"string", "null"}}
	schema2 := &literal.Schema{Types: []string{"boolean"}}
	return &literal.Schema{
		Types:    []string{"object"},
		Required: []string{"address", "username"},
		Properties: map[string]*literal.Schema{
			"address": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"},
			},
			"baseDockerImage":       schema1,
			"nativeSharedDirectory": schema1,
			"nodeCount":             &literal.Schema{Types: []string{"integer", "null"}},
			"nvidiaDocker":          schema2,
			"password":              schema1,
			"priority":              &literal.Schema{Types: []string{"integer", "string", "null"}},
			"privateKey":            schema1,
			"pythonLocation":        schema1,
			"sharedVolumes":         schema2,
			"type": &literal.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Note: &annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}},
			},
			"userManagedEnvironment": schema2,
			"username": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"},
			},
		},
		Closed: true,
	}
}

func compiledRemote() *literal.Schema {
	schema1 := &literal.Schema{Types: []string{"string", "null"}}
	return &literal.Schema{
		Types:    []string{"object"},
		Required: []string{"address", "username"},
		Properties: map[string]*literal.Schema{
			"address": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"},
			},
			"nativeSharedDirectory": schema1,
			"nodeCount":             &literal.Schema{Types: []string{"integer", "null"}},
			"password":              schema1,
			"priority":              &literal.Schema{Types: []string{"integer", "string", "null"}},
			"privateKey":            schema1,
			"pythonLocation":        schema1,
			"sparkSubmitLocation":   schema1,
			"type": &literal.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Note: &annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}},
			},
			"userManagedEnvironment": &literal.Schema{Types: []string{"boolean"}},
			"username": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"},
			},
		},
		Closed: true,
	}
}

func compiledCluster() *literal.Schema {
	schema1 := &literal.Schema{Types: []string{"string", "null"}}
	return &literal.Schema{
		Types:    []string{"object"},
		Required: []string{"address", "username"},
		Properties: map[string]*literal.Schema{
			"address": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"},
			},
			"nodeCount":      &literal.Schema{Types: []string{"integer", "null"}},
			"password":       schema1,
			"priority":       &literal.Schema{Types: []string{"integer", "string", "null"}},
			"privateKey":     schema1,
			"pythonLocation": schema1,
			"type": &literal.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Note: &annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}},
			},
			"userManagedEnvironment": &literal.Schema{Types: []string{"boolean"}},
			"username": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"},
			},
			"yarnDeployMode": &literal.Schema{
				Types: []string{"string", "null"},
				Enum:  []any{"cluster", "client", interface{}(nil)},
			},
		},
		Closed: true,
	}
}

func compiledOther() *literal.Schema {
	schema1 := &literal.Schema{Types: []string{"string", "null"}}
	schema2 := &literal.Schema{Types: []string{"boolean"}}
	return &literal.Schema{
		Types: []string{"object"},
		Properties: map[string]*literal.Schema{
			"address": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"},
			},
			"baseDockerImage":       schema1,
			"clusterName":           schema1,
			"nativeSharedDirectory": schema1,
			"nodeCount":             &literal.Schema{Types: []string{"integer", "null"}},
			"nvidiaDocker":          schema2,
			"password":              schema1,
			"priority":              &literal.Schema{Types: []string{"integer", "string", "null"}},
			"privateKey":            schema1,
			"pythonLocation":        schema1,
			"resourceGroup":         schema1,
			"sharedVolumes":         schema2,
			"sparkSubmitLocation":   schema1,
			"subscriptionId":        schema1,
			"type": &literal.Schema{
				Types: []string{"string"},
				Enum:  []any{"local", "localdocker", "remotedocker", "remote", "cluster", "docker", "virtualmachine", "amlcompute", "containerinstance", "batchai"},
				Note: &annotation{Unlisted: []string{"amlcompute", "containerinstance", "batchai"}, DeprecatedValues: map[string]string{
					"docker":         "\"docker\" is the older spelling of \"localdocker\"; SDK v1 does not take it for a container: write \"localdocker\"",
					"virtualmachine": "\"virtualmachine\" is the 2017 pre-release's spelling of \"remotedocker\", which later versions expect: write \"remotedocker\"",
				}},
			},
			"userManagedEnvironment": schema2,
			"username": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"},
			},
			"workspaceName": schema1,
			"yarnDeployMode": &literal.Schema{
				Types: []string{"string", "null"},
				Enum:  []any{"cluster", "client", interface{}(nil)},
			},
		},
		Closed: true,
	}
}

func compiledUntyped() *literal.Schema {
	schema1 := &literal.Schema{Types: []string{"string", "null"}}
	schema2 := &literal.Schema{Types: []string{"boolean"}}
	return &literal.Schema{
		Types: []string{"object"},
		Properties: map[string]*literal.Schema{
			"address": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so the machine cannot be reached: add \"address\" with its IP address or full name"},
			},
			"baseDockerImage":        schema1,
			"cluster":                schema2,
			"native":                 schema2,
			"nativeSharedDirectory":  schema1,
			"nodeCount":              &literal.Schema{Types: []string{"integer", "null"}},
			"nvidiaDocker":           schema2,
			"password":               schema1,
			"priority":               &literal.Schema{Types: []string{"integer", "string", "null"}},
			"privateKey":             schema1,
			"pythonLocation":         schema1,
			"sharedVolumes":          schema2,
			"sparkSubmitLocation":    schema1,
			"userManagedEnvironment": schema2,
			"username": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Missing: "so no one can log in to the machine: add \"username\" with the SSH user"},
			},
			"yarnDeployMode": &literal.Schema{
				Types: []string{"string", "null"},
				Enum:  []any{"cluster", "client", interface{}(nil)},
			},
		},
		Closed: true,
		Note:   &annotation{Deprecated: "there is no \"type\", as in files of the 2017 pre-release: add \"type\" with local, localdocker, remotedocker, remote or cluster, so that every version reads the file in the same way"},
	}
}

func compiledWorkbenchRunconfig() *literal.Schema {
	schema1 := &literal.Schema{Types: []string{"string", "null"}}
	schema2 := &literal.Schema{Types: []string{"boolean"}}
	return &literal.Schema{
		Types:    []string{"object"},
		Required: []string{"Target"},
		Properties: map[string]*literal.Schema{
			"ArgumentVector": &literal.Schema{
				Types: []string{"array"},
				Items: &literal.Schema{Types: []string{"string", "number", "boolean"}},
			},
			"CondaDependenciesFile": schema1,
			"CondaFile": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Deprecated: "\"CondaFile\" is the 2017 pre-release's name for \"CondaDependenciesFile\", the key that later versions read"},
			},
			"DataSourceSettings": &literal.Schema{
				Types:      []string{"object", "null"},
				Additional: &literal.Schema{Types: []string{"object", "null"}},
			},
			"DataSourceSubstitutions": &literal.Schema{
				Types:      []string{"object", "null"},
				Additional: schema1,
			},
			"Description": &literal.Schema{
				Types: []string{"string", "null"},
				Note:  &annotation{Deprecated: "\"Description\" is a key of the 2017 pre-release that later versions do not have: make it a comment"},
			},
			"EnvironmentVariables": &literal.Schema{
				Types:      []string{"object", "null"},
				Additional: &literal.Schema{Types: []string{"string", "number", "boolean", "null"}},
			},
			"Framework": &literal.Schema{
				Types: []string{"string"},
				Enum:  []any{"Python", "PySpark"},
			},
			"ManagedEnvironment": &literal.Schema{
				Types: []string{"boolean"},
				Note:  &annotation{Deprecated: "\"ManagedEnvironment\" is a key of the 2017 pre-release; later versions read \"userManagedEnvironment\" in the .compute file"},
			},
			"PrepareEnvironment":    schema2,
			"SparkDependenciesFile": schema1,
			"Target": &literal.Schema{
				Types: []string{"string"},
				Note:  &annotation{Missing: "so nothing says where to run: add \"Target\" with the name of a .compute file, without its extension"},
			},
			"TrackedRun":  schema2,
			"UseSampling": schema2,
		},
		Closed: true,
	}
}

func compiledSdkRunconfig() *literal.Schema {
	pattern1 := &plain.Regexp{Text: "^ *[+-]?[0-9]+ *$"}
	schema2 := &literal.Schema{
		Title:   "a whole number",
		Types:   []string{"integer", "string", "null"},
		Pattern: pattern1,
	}
	schema3 := &literal.Schema{
		Types: []string{"string", "number", "null"},
		Note:  &annotation{Deprecated: "\"location\" is dropped silently by later SDK versions: the cluster is where the workspace is"},
	}
	schema4 := &literal.Schema{Types: []string{"string", "number", "null"}}
	pattern5 := &plain.Regexp{Text: "^(true|True|TRUE|false|False|FALSE|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF|y|Y|n|N|1|0)?$"}
	schema6 := &literal.Schema{
		Title:   "true or false",
		Types:   []string{"boolean", "string", "integer", "null"},
		Pattern: pattern5,
	}
	schema7 := &literal.Schema{
		Types: []string{"string", "null"},
		Enum:  []any{"dedicated", "lowpriority", interface{}(nil)},
	}
	schema8 := &literal.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*literal.Schema{
			"clusterMaxNodeCount": schema2,
			"location":            schema3,
			"name":                schema4,
			"retainCluster":       schema6,
			"vmPriority":          schema7,
			"vmSize":              schema4,
		},
		Closed: true,
	}
	schema9 := &literal.Schema{Types: []string{"object", "null"}}
	schema10 := &literal.Schema{
		Types: []string{"string", "null"},
		Enum:  []any{"Jupyter", "JupyterLab", "SSH", "TensorBoard", "VSCode", "Grafana", "Custom", interface{}(nil)},
	}
	schema11 := &literal.Schema{
		Types: []string{"object"},
		Properties: map[string]*literal.Schema{
			"port":       schema2,
			"properties": schema9,
			"type":       schema10,
		},
		Closed: true,
	}
	schema12 := &literal.Schema{
		Types:      []string{"object", "null"},
		Additional: schema11,
	}
	schema13 := &literal.Schema{Types: []string{"string", "number", "boolean"}}
	schema14 := &literal.Schema{
		Types: []string{"array", "null"},
		Items: schema13,
	}
	schema15 := &literal.Schema{Types: []string{"number", "string", "null"}}
	schema16 := &literal.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*literal.Schema{
			"datastoreName": schema4,
			"relativePath":  schema4,
		},
		Closed: true,
	}
	schema17 := &literal.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*literal.Schema{
			"id":      schema4,
			"name":    schema4,
			"version": schema4,
		},
		Closed: true,
	}
	schema18 := &literal.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*literal.Schema{
			"isFile": schema6,
			"path":   schema4,
		},
		Closed: true,
	}
	schema19 := &literal.Schema{
		Types: []string{"object", "null"},
		Properties: map[string]*literal.Schema{
			"dataPath": schema16,
			"datapath": schema16,
			"dataset":  schema17,
			"uri":      schema18,
		},
		Closed: true,
	}
	schema20 := &literal.Schema{
		Types: []string{"array", "null"},
		Items: schema9,
	}
	schema21 := &literal.Schema{Types: []string{"object", "string", "null"}}
	schema22 := &literal.Schema{Types: []string{"string", "number", "boolean", "null"}}
	schema23 := &literal.Schema{
		Types:      []string{"object", "null"},
		Additional: schema22,
	}
	schema24 := &literal.Schema{
		Types: []string{"array", "null"},
		Items: schema4,
	}
	schema25 := &literal.Schema{
		Types: []string{"array", "null"},
		Items: schema21,
	}
	return &literal.Schema{
		Types: []string{"object"},
		Properties: map[string]*literal.Schema{
			"amlCompute":           schema8,
			"amlcompute":           schema8,
			"applicationEndpoints": schema12,
			"arguments":            schema14,
			"autoPrepareEnvironment": &literal.Schema{
				Title:   "true or false",
				Types:   []string{"boolean", "string", "integer", "null"},
				Pattern: pattern5,
				Note:    &annotation{Deprecated: "\"autoPrepareEnvironment\" has no effect since autumn 2019: environments are always built when they are missing"},
			},
			"batchai": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"nodeCount": schema2,
				},
				Closed: true,
				Note:   &annotation{Deprecated: "\"batchai\" belongs to a service that is closed, and later SDK versions drop it silently: write \"nodeCount\" at the top level"},
			},
			"command": &literal.Schema{
				Types: []string{"string", "array", "null"},
				Items: schema13,
			},
			"communicator": &literal.Schema{
				Types: []string{"string", "null"},
				Enum:  []any{"None", "ParameterServer", "OpenMpi", "IntelMpi", "Mpi", "Nccl", "Gloo", "ParallelTask", interface{}(nil)},
			},
			"containerInstance": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"cpuCores": schema15,
					"memoryGb": schema15,
					"region":   schema4,
				},
				Closed: true,
				Note:   &annotation{Deprecated: "\"containerInstance\" is a key of the 2018 preview that later SDK versions drop silently: remove it"},
			},
			"credentialPassthrough": schema6,
			"data": &literal.Schema{
				Types: []string{"object", "null"},
				Additional: &literal.Schema{
					Types: []string{"object"},
					Properties: map[string]*literal.Schema{
						"createOutputDirectories": schema6,
						"dataLocation":            schema19,
						"environmentVariableName": schema4,
						"mechanism": &literal.Schema{
							Types: []string{"string", "null"},
							Enum:  []any{"direct", "mount", "download", "upload", "hdfs", interface{}(nil)},
						},
						"options":       schema9,
						"overwrite":     schema6,
						"pathOnCompute": schema4,
					},
					Closed: true,
				},
			},
			"dataReferences": &literal.Schema{
				Types: []string{"object", "null"},
				Additional: &literal.Schema{
					Types:    []string{"object"},
					Required: []string{"dataStoreName"},
					Properties: map[string]*literal.Schema{
						"dataStoreName": &literal.Schema{
							Types: []string{"string", "number"},
							Note:  &annotation{Missing: "so the SDK does not know where the folder is: add \"dataStoreName\" with the name of a datastore"},
						},
						"mode": &literal.Schema{
							Types: []string{"string"},
							Enum:  []any{"mount", "download", "upload"},
						},
						"overwrite":       schema6,
						"pathOnCompute":   schema4,
						"pathOnDataStore": schema4,
					},
					Closed: true,
				},
			},
			"datacaches": &literal.Schema{
				Types: []string{"array", "null"},
				Items: &literal.Schema{
					Types: []string{"object"},
					Properties: map[string]*literal.Schema{
						"datacacheId":     schema4,
						"datacacheStore":  schema4,
						"datasetId":       schema4,
						"failureFallback": schema6,
						"mode":            schema4,
						"pathOnCompute":   schema4,
						"replica":         schema2,
					},
					Closed: true,
				},
			},
			"docker": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"arguments":     schema14,
					"sharedVolumes": schema6,
					"shmSize":       schema4,
					"useDocker":     schema6,
				},
				Closed: true,
			},
			"environment": &literal.Schema{
				Types: []string{"object", "string", "null"},
				Properties: map[string]*literal.Schema{
					"assetId": schema4,
					"databricks": &literal.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*literal.Schema{
							"cluster":        schema9,
							"eggLibraries":   schema20,
							"jarLibraries":   schema20,
							"mavenLibraries": schema20,
							"pypiLibraries":  schema20,
							"rcranLibraries": schema20,
						},
						Closed: true,
					},
					"docker": &literal.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*literal.Schema{
							"arguments":      schema14,
							"baseDockerfile": schema4,
							"baseImage":      schema4,
							"baseImageRegistry": &literal.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*literal.Schema{
									"address":          schema4,
									"password":         schema4,
									"registryIdentity": schema21,
									"username":         schema4,
								},
								Closed: true,
							},
							"buildContext": &literal.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*literal.Schema{
									"dockerfilePath": schema4,
									"location":       schema4,
									"locationType": &literal.Schema{
										Types: []string{"string", "null"},
										Enum:  []any{"git", "storageAccount", interface{}(nil)},
									},
								},
								Closed: true,
							},
							"enabled": schema6,
							"gpuSupport": &literal.Schema{
								Title:   "true or false",
								Types:   []string{"boolean", "string", "integer", "null"},
								Pattern: pattern5,
								Note:    &annotation{Deprecated: "\"gpuSupport\" is read by SDK versions up to autumn 2019 only; later ones give the container GPUs whenever the machine and the image have them"},
							},
							"platform": &literal.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*literal.Schema{
									"architecture": schema4,
									"os": &literal.Schema{
										Types: []string{"string", "null"},
										Enum:  []any{"Linux", "Windows", "OSX", interface{}(nil)},
									},
								},
								Closed: true,
							},
							"preparation": &literal.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*literal.Schema{
									"commandLine": schema4,
								},
								Closed: true,
							},
							"sharedVolumes": schema6,
							"shmSize":       schema4,
						},
						Closed: true,
					},
					"environmentVariables":    schema23,
					"inferencingStackVersion": schema4,
					"name":                    schema4,
					"python": &literal.Schema{
						Types: []string{"object"},
						Properties: map[string]*literal.Schema{
							"baseCondaEnvironment": schema4,
							"condaDependencies": &literal.Schema{
								Types: []string{"object", "null"},
								Properties: map[string]*literal.Schema{
									"channels": &literal.Schema{
										Types: []string{"array", "null"},
										Items: &literal.Schema{Types: []string{"string"}},
									},
									"dependencies": &literal.Schema{
										Types: []string{"array", "null"},
										Items: &literal.Schema{
											Title: "a conda package or a pip list",
											Types: []string{"string", "object"},
											Properties: map[string]*literal.Schema{
												"pip": &literal.Schema{
													Types: []string{"array"},
													Items: &literal.Schema{
														Title: "a pip requirement",
														Types: []string{"string"},
													},
												},
											},
											Closed: true,
										},
									},
									"name":      schema4,
									"prefix":    &literal.Schema{Types: []string{"string", "null"}},
									"variables": schema23,
								},
								Closed: true,
								Note:   &annotation{Unknown: "rejected"},
							},
							"condaDependenciesFile":   schema4,
							"interpreterPath":         schema4,
							"userManagedDependencies": schema6,
						},
						Closed: true,
					},
					"r": &literal.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*literal.Schema{
							"bioconductorPackages": schema24,
							"cranPackages":         schema25,
							"customUrlPackages":    schema24,
							"githubPackages":       schema25,
							"rVersion":             schema4,
							"rscriptPath":          schema4,
							"snapshotDate":         schema4,
							"userManaged":          schema6,
						},
						Closed: true,
					},
					"spark": &literal.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*literal.Schema{
							"packages": &literal.Schema{
								Types: []string{"array", "null"},
								Items: &literal.Schema{
									Types: []string{"object"},
									Properties: map[string]*literal.Schema{
										"artifact": schema4,
										"group":    schema4,
										"version":  schema4,
									},
									Closed: true,
								},
							},
							"precachePackages": schema6,
							"repositories":     schema24,
						},
						Closed: true,
					},
					"version": schema4,
				},
				Closed: true,
			},
			"environmentVariables": schema23,
			"exposedPorts": &literal.Schema{
				Types: []string{"string", "integer", "array", "null"},
				Note:  &annotation{Deprecated: "\"exposedPorts\" is dropped silently by later SDK versions: use \"applicationEndpoints\""},
			},
			"framework": &literal.Schema{
				Types: []string{"string", "null"},
				Enum:  []any{"Python", "PySpark", "TensorFlow", "PyTorch", "CNTK", "R", "TensorFlowParameterServer", "PythonMpi", "PythonIntelMpi", "PySparkInteractive", interface{}(nil)},
				Note:  &annotation{Unlisted: []string{"TensorFlowParameterServer", "PythonMpi", "PythonIntelMpi", "PySparkInteractive"}},
			},
			"hdi": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"yarnDeployMode": &literal.Schema{
						Types: []string{"string", "null"},
						Enum:  []any{"cluster", "client", "none", interface{}(nil)},
					},
				},
				Closed: true,
			},
			"history": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"ambientAuthentication": &literal.Schema{
						Types: []string{"object", "null"},
						Properties: map[string]*literal.Schema{
							"appId":                schema4,
							"deleteSecretAfterRun": schema6,
							"method": &literal.Schema{
								Types: []string{"string", "null"},
								Enum:  []any{"aadtoken", "runtoken", "serviceprincipal", interface{}(nil)},
							},
							"secret": schema4,
							"tenant": schema4,
						},
						Closed: true,
					},
					"directoriesToWatch": schema24,
					"enabled": &literal.Schema{
						Title:   "true or false",
						Types:   []string{"boolean", "string", "integer", "null"},
						Pattern: pattern5,
						Note:    &annotation{Deprecated: "\"enabled\" is a key of the 2018 preview that later SDK versions drop silently: write \"outputCollection\""},
					},
					"outputCollection": schema6,
					"snapshotProject":  schema6,
				},
				Closed: true,
			},
			"jobName": &literal.Schema{
				Types: []string{"string", "number", "null"},
				Note:  &annotation{Deprecated: "\"jobName\" is dropped silently by later SDK versions: name the run where it is submitted"},
			},
			"kubernetescompute": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"instanceType": schema4,
				},
				Closed: true,
			},
			"maxRunDurationSeconds": schema2,
			"mpi": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"nodeCount":           schema2,
					"processCountPerNode": schema2,
				},
				Closed: true,
			},
			"nodeCount": schema2,
			"outputData": &literal.Schema{
				Types: []string{"object", "null"},
				Additional: &literal.Schema{
					Types: []string{"object"},
					Properties: map[string]*literal.Schema{
						"additionalOptions": &literal.Schema{
							Types: []string{"object", "null"},
							Properties: map[string]*literal.Schema{
								"mountOptions": &literal.Schema{
									Types: []string{"object", "null"},
									Properties: map[string]*literal.Schema{
										"disableMetadataCache": schema6,
									},
									Closed: true,
								},
								"pathOnCompute": schema4,
								"registrationOptions": &literal.Schema{
									Types: []string{"object", "null"},
									Properties: map[string]*literal.Schema{
										"datasetRegistrationOptions": schema21,
										"description":                schema4,
										"name":                       schema4,
										"properties":                 schema21,
										"tags":                       schema21,
									},
									Closed: true,
								},
								"uploadOptions": &literal.Schema{
									Types: []string{"object", "null"},
									Properties: map[string]*literal.Schema{
										"overwrite":   schema6,
										"sourceGlobs": schema21,
									},
									Closed: true,
								},
							},
							Closed: true,
						},
						"mechanism": &literal.Schema{
							Types: []string{"string", "null"},
							Enum:  []any{"mount", "upload", "direct", "hdfs", "link", interface{}(nil)},
						},
						"outputLocation": schema19,
					},
					Closed: true,
				},
			},
			"paralleltask": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"maxRetriesPerWorker": schema2,
					"terminalExitCodes": &literal.Schema{
						Types: []string{"array", "null"},
						Items: &literal.Schema{Types: []string{"integer", "string"}},
					},
					"workerCountPerNode": schema2,
				},
				Closed: true,
			},
			"prepareEnvironment": &literal.Schema{
				Title:   "true or false",
				Types:   []string{"boolean", "string", "integer", "null"},
				Pattern: pattern5,
				Note:    &annotation{Deprecated: "\"prepareEnvironment\" is a key of the 2018 preview that later SDK versions drop silently: remove it"},
			},
			"priority": schema2,
			"pytorch": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"communicationBackend": &literal.Schema{
						Types: []string{"string", "null"},
						Enum:  []any{"nccl", "gloo", interface{}(nil)},
					},
					"nodeCount":    schema2,
					"processCount": schema2,
				},
				Closed: true,
			},
			"script":                   schema4,
			"services":                 schema12,
			"sourceDirectoryDataStore": schema4,
			"spark": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"configuration": schema23,
				},
				Closed: true,
			},
			"target": schema4,
			"tensorflow": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"parameterServerCount": schema2,
					"workerCount":          schema2,
				},
				Closed: true,
			},
		},
		Closed: true,
	}
}

func compiledConda() *literal.Schema {
	return &literal.Schema{
		Types: []string{"object"},
		Properties: map[string]*literal.Schema{
			"channels": &literal.Schema{
				Types: []string{"array", "null"},
				Items: &literal.Schema{Types: []string{"string"}},
			},
			"dependencies": &literal.Schema{
				Types: []string{"array", "null"},
				Items: &literal.Schema{
					Title: "a conda package or a pip list",
					Types: []string{"string", "object"},
					Properties: map[string]*literal.Schema{
						"pip": &literal.Schema{
							Types: []string{"array"},
							Items: &literal.Schema{
								Title: "a pip requirement",
								Types: []string{"string"},
							},
						},
					},
					Closed: true,
				},
			},
			"name":   &literal.Schema{Types: []string{"string", "number", "null"}},
			"prefix": &literal.Schema{Types: []string{"string", "null"}},
			"variables": &literal.Schema{
				Types:      []string{"object", "null"},
				Additional: &literal.Schema{Types: []string{"string", "number", "boolean", "null"}},
			},
		},
		Closed: true,
	}
}

func compiledSpark() *literal.Schema {
	return &literal.Schema{
		Types: []string{"object"},
		Properties: map[string]*literal.Schema{
			"configuration": &literal.Schema{
				Types:      []string{"object", "null"},
				Additional: &literal.Schema{Types: []string{"string", "number", "boolean", "null"}},
			},
			"packages": &literal.Schema{
				Types: []string{"array", "null"},
				Items: &literal.Schema{
					Types:    []string{"object"},
					Required: []string{"group", "artifact", "version"},
					Properties: map[string]*literal.Schema{
						"artifact": &literal.Schema{
							Types: []string{"string"},
							Note:  &annotation{Missing: "so Maven cannot find the package: add its name in Maven"},
						},
						"group": &literal.Schema{
							Types: []string{"string"},
							Note:  &annotation{Missing: "so Maven cannot find the package: add its Maven group"},
						},
						"version": &literal.Schema{
							Types: []string{"string"},
							Note:  &annotation{Missing: "so Maven cannot find the package: add its version, in quotes"},
						},
					},
					Closed: true,
				},
			},
			"repositories": &literal.Schema{
				Types: []string{"array", "null"},
				Items: &literal.Schema{Types: []string{"string"}},
			},
			"version": &literal.Schema{Types: []string{"integer", "null"}},
		},
		Closed: true,
	}
}

func compiledSettings() *literal.Schema {
	schema1 := &literal.Schema{Types: []string{"string"}}
	schema2 := &literal.Schema{
		Title: "the name of a compute target",
		Types: []string{"string"},
	}
	schema3 := &literal.Schema{
		Types: []string{"array", "null"},
		Items: schema2,
	}
	schema4 := &literal.Schema{
		Title: "a path or a pattern of paths",
		Types: []string{"string"},
	}
	schema5 := &literal.Schema{
		Title: "the name of a rule or of a group of rules",
		Types: []string{"string"},
	}
	schema6 := &literal.Schema{
		Types: []string{"array", "null"},
		Items: schema5,
	}
	schema7 := &literal.Schema{
		Types: []string{"string"},
		Enum:  []any{"error", "warning", "info", "off"},
	}
	schema8 := &literal.Schema{
		Types:      []string{"object", "null"},
		Additional: schema7,
	}
	return &literal.Schema{
		Types: []string{"object"},
		Properties: map[string]*literal.Schema{
			"baseline": schema1,
			"choices": &literal.Schema{
				Types:      []string{"object", "null"},
				Additional: &literal.Schema{Types: []string{"string", "number"}},
			},
			"computes": &literal.Schema{
				Types: []string{"object", "null"},
				Additional: &literal.Schema{
					Title: "the size of a machine",
					Types: []string{"string"},
				},
			},
			"cpu": schema3,
			"exclude": &literal.Schema{
				Types: []string{"array", "null"},
				Items: schema4,
			},
			"fail-on": &literal.Schema{
				Types: []string{"string"},
				Enum:  []any{"error", "warning", "info", "never"},
			},
			"gpu":    schema3,
			"ignore": schema6,
			"images": &literal.Schema{
				Types: []string{"object", "null"},
				Additional: &literal.Schema{
					Title: "the name of an image",
					Types: []string{"string"},
				},
			},
			"kubernetes": &literal.Schema{
				Types: []string{"object", "null"},
				Properties: map[string]*literal.Schema{
					"claim":     schema1,
					"context":   schema1,
					"namespace": schema1,
					"node-selector": &literal.Schema{
						Types: []string{"object"},
						Additional: &literal.Schema{
							Title: "the value of a label",
							Types: []string{"string"},
						},
					},
					"pull-secret":   schema1,
					"queue":         schema1,
					"registry":      schema1,
					"storage":       schema1,
					"storage-class": schema1,
					"tolerations": &literal.Schema{
						Types: []string{"array"},
						Items: &literal.Schema{
							Title: "a taint: KEY, KEY:EFFECT or KEY=VALUE:EFFECT",
							Types: []string{"string"},
						},
					},
				},
				Closed: true,
			},
			"max-warnings": &literal.Schema{Types: []string{"integer"}},
			"migrate": &literal.Schema{
				Types:      []string{"object", "null"},
				Additional: &literal.Schema{Types: []string{"string", "number", "boolean"}},
			},
			"paths": &literal.Schema{
				Types: []string{"array", "null"},
				Items: &literal.Schema{
					Types:    []string{"object"},
					Required: []string{"match"},
					Properties: map[string]*literal.Schema{
						"ignore": schema6,
						"match": &literal.Schema{
							Types: []string{"array", "null"},
							Items: schema4,
							Note:  &annotation{Missing: "so it is not clear which files the other settings are for: write match: [\"legacy/**\"]"},
						},
						"severity": schema8,
					},
					Closed: true,
				},
			},
			"select":   schema6,
			"severity": schema8,
		},
		Closed: true,
	}
}

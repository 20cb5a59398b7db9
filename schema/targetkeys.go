package schema

// These methods return the Workbench keys of (nearly) their names. They are no fields because few ask for them, and a
// repository may have thousands of targets.

// Address returns the machine's address.
func (t *Target) Address() Field { return t.machine("address") }

// Username returns the name to log in with.
func (t *Target) Username() Field { return t.machine("username") }

// Password returns the password or the reference to it.
func (t *Target) Password() Field { return t.machine("password") }

// PrivateKey returns the key to log in with.
func (t *Target) PrivateKey() Field { return t.machine("privateKey") }

// SparkSubmit returns the program that starts Spark.
func (t *Target) SparkSubmit() Field {
	f := t.machine("sparkSubmitLocation")
	if f.File == nil {
		return f
	}
	return f.orDefault("spark-submit")
}

// YarnDeployMode returns where Spark's driver runs; it has no default in SDK v1.
func (t *Target) YarnDeployMode() Field {
	f := t.machine("yarnDeployMode")
	if !t.ofCompute {
		return f
	}
	return f.orDefault("cluster")
}

// NodeCount returns a key of late Workbench files; see SDKSettings for SDK v1.
func (t *Target) NodeCount() Field { return t.compute("nodeCount") }

// Priority returns a key of late Workbench files, too.
func (t *Target) Priority() Field { return t.compute("priority") }

// compute returns a setting of a .compute file, which has no File if the target is in another.
func (t *Target) compute(key string) Field {
	if !t.ofCompute {
		return Field{}
	}
	return FieldAt(t.File, t.File.Root(), key)
}

// machine is compute for a setting that SDK v1 could have, but has not.
func (t *Target) machine(key string) Field {
	f := t.compute(key)
	if f.File == nil && t.File != nil && (t.Dialect == SDKv1 || t.File.Dialect == SDKv1) {
		f.File = t.File
	}
	return f
}

// Package judge asks the vendors' own readers about files: azure-ai-ml and
// azureml-core from PyPI, in a Python environment of their own. It serves tests
// and is no part of the program.
//
// The readers run without a network: their sockets are shut before they start,
// so a file is accepted on the strength of its text and the files beside it.
// What only a workspace knows (whether a compute target, a data asset or a
// quota exists) nobody here checks.
package judge

// Package judge checks files with the vendors' own parsers: azure-ai-ml and azureml-core from PyPI, in their own Python
// environment. It is only for tests.
//
// The parsers run without a network: sockets are disabled before they start, so a file is accepted only because of its
// text and the files next to it. What only a workspace knows (whether a compute target, a data asset or a quota exists)
// is not checked.
package judge

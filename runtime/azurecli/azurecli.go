// Package azurecli passes the file of an Azure ML v2 job to the user's own Azure CLI, passes on the CLI's output, and
// searches it for proof of a GPU. It knows no service, workspace or login: all of that is up to the CLI.
package azurecli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/amlfix/amlfix/runtime/evidence"
	"github.com/amlfix/amlfix/runtime/process"
	"github.com/amlfix/amlfix/runtime/record"
	"github.com/amlfix/amlfix/runtime/runid"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/escape"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// Spec is a file to submit.
type Spec struct {
	// File is the path of the job's file, relative to Dir, where the CLI runs.
	File, Dir string
	// Set lists NAME=VALUE pairs with which the CLI changes the job.
	Set []string
	// Env is the CLI's environment.
	Env []string
	// Record is the initial content of the job's record. Without an ID, there is no record.
	Record record.Record
}

// Argv returns the CLI's command line.
func (s Spec) Argv() []string {
	argv := []string{"az", "ml", "job", "create", "--file", s.File, "--stream"}
	for _, set := range s.Set {
		argv = append(argv, "--set", set)
	}
	return argv
}

// Shown returns the command line for people, without secret values.
func (s Spec) Shown() []string {
	s.Set = slices.Clone(s.Set)
	for i, set := range s.Set {
		name, value, _ := strings.Cut(set, "=")
		if secret.Variable(name[strings.LastIndexByte(name, '.')+1:], value) {
			s.Set[i] = name + "=" + secret.Mask
		}
	}
	return s.Argv()
}

// String returns Shown, quoted for a shell.
func (s Spec) String() string {
	var words []string
	for _, arg := range s.Shown() {
		words = append(words, escape.Word(arg))
	}
	return strings.Join(words, " ")
}

// Result describes how it ended.
type Result struct {
	// Code is the CLI's exit code, or process.CodeNotStarted if, judging by the CLI's output, the job was not created.
	Code int
	// Created means that the CLI has mentioned a job that exists.
	Created bool
	// Killed names the signal that has ended the CLI, whose job continues if it was created; "" if none has. Next is
	// what to do if the job was not created, as far as the CLI's output reveals it.
	Killed, Next string
	// Job identifies the job, as far as the CLI's output names it.
	Job record.AzureML
	// Evidence is what the log proves about the GPU.
	Evidence evidence.Verdict
	// RunID is the ID of the job's record; zero: there is none. If there should be one, RecordErr says why not.
	RunID     runid.ID
	RecordErr error
}

// advice says how to install the CLI.
const advice = "install the Azure CLI (https://aka.ms/installazurecli), then `az extension add --name ml` and `az login`"

// Find looks for the CLI. The error's text is for people.
func Find() (string, error) {
	program, err := exec.LookPath("az")
	if err != nil || program == "" {
		return "", errors.New("az is not on the PATH: " + advice)
	}
	return program, nil
}

// HasExtension reports whether the CLI can create jobs.
func HasExtension(ctx context.Context, program string) bool {
	cmd := exec.CommandContext(ctx, program, "extension", "show", "--name", "ml", "--output", "none")
	return cmd.Run() == nil
}

// Run makes the CLI create the job and follow it to its end. Cancelling ctx ends the CLI but not a job that was
// created. The error is for people, and means that nothing was created. A job that was created leaves a record, which
// is not begun earlier, because the CLI may be uploading the folder that contains the record.
func Run(ctx context.Context, spec Spec, out process.Streams) (result Result, err error) {
	program, err := Find()
	if err != nil {
		return Result{Code: process.CodeNotStarted}, err
	}
	scanner := evidence.New(catalog.LogPatterns())
	keep := &keeper{out: out.Shared(), record: spec.Record}
	created := &watcher{found: keep.found}
	cmd := exec.CommandContext(ctx, program, spec.Argv()[1:]...)
	cmd.Dir, cmd.Env = spec.Dir, spec.Env
	cmd.Stdout = io.MultiWriter(keep.stream(0), scanner.Stream(), created)
	said := new(ending)
	cmd.Stderr = io.MultiWriter(keep.stream(1), scanner.Stream(), said)
	cmd.Cancel = func() error {
		if runtime.GOOS == "windows" {
			return cmd.Process.Kill()
		}
		return cmd.Process.Signal(os.Interrupt)
	}
	cmd.WaitDelay = process.DefaultGrace
	began := time.Now()
	err = cmd.Run()
	created.end()
	result = Result{Created: created.seen, Job: created.job, Evidence: scanner.Verdict()}
	defer func() {
		result.RunID, result.RecordErr = keep.close(context.Cause(ctx) != nil || result.Killed != "", began, result)
	}()
	var exit *exec.ExitError
	switch {
	case context.Cause(ctx) != nil:
		result.Code = process.CancelCode(ctx)
		return result, nil
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		result.Code = exit.ExitCode()
	case exit != nil:
		result.Code, result.Killed = process.CodeNotStarted, strings.TrimPrefix(exit.Error(), "signal: ")
	case err != nil:
		result.Code = process.CodeNotStarted
		return result, fmt.Errorf("%s cannot be run: %w", program, err)
	}
	if result.Code != 0 && !result.Created {
		result.Code, result.Next = process.CodeNotStarted, next(string(said.text))
	}
	return result, nil
}

// ending keeps the end of what is written.
type ending struct{ text []byte }

const endingSize = 16 << 10

func (e *ending) Write(p []byte) (int, error) {
	e.text = append(e.text, p...)
	e.text = e.text[max(0, len(e.text)-endingSize):]
	return len(p), nil
}

// noWorkspace matches the errors of Azure about a workspace that it does not have, not about what a workspace lacks.
var noWorkspace = plain.Regexp{Text: `ResourceNotFound\)[^\n]*(?:Resource '|/providers/)Microsoft\.MachineLearningServices/workspaces/[^/'\n]+'`}

// next returns what to do about an error of the CLI; "" if that is not known.
func next(said string) string {
	const elsewhere = "your subscription has no such resource group or workspace: select another with `az account set --subscription NAME` or `az configure --defaults group=GROUP workspace=WORKSPACE`"
	if noWorkspace.Get().MatchString(said) {
		return elsewhere
	}
	for _, c := range []struct{ words, next string }{
		{"az login", "you are not logged in, or your login has expired: run `az login`"},
		{"not recognized by the system", "it has no extension ml: run `az extension add --name ml`"},
		{"--workspace-name", "it does not know your workspace: run `az configure --defaults group=GROUP workspace=WORKSPACE`"},
		{"ResourceGroupNotFound", elsewhere},
		{"CERTIFICATE_VERIFY_FAILED", "it does not trust a certificate: set REQUESTS_CA_BUNDLE to a file with the certificate of your network"},
		{"Failed to establish a new connection", "it cannot reach Azure: check the network, or set HTTPS_PROXY if there is a proxy"},
	} {
		if strings.Contains(said, c.words) {
			return c.next
		}
	}
	return ""
}

// Package playground answers a page in a browser: what is wrong with the files of a project that consists only of
// texts, and what repairs change. It neither reads nor writes a disk.
package playground

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"

	"github.com/amlfix/amlfix/cmd/internal/check"
	"github.com/amlfix/amlfix/cmd/internal/report"
	"github.com/amlfix/amlfix/schema"
	_ "github.com/amlfix/amlfix/schema/format/library"
	"github.com/amlfix/amlfix/schema/source"
)

// Request is a request from the page. With neither Fix nor Safe it only checks.
type Request struct {
	// Files are the texts of the project, by slash-separated path.
	Files map[string]string `json:"files"`
	// Fix selects a finding whose fix to make, by its position (from 1) in the answer about the same files; Answer,
	// from 0, is the answer to a fix that leaves a decision open.
	Fix    int `json:"fix"`
	Answer int `json:"answer"`
	// Safe makes all safe repairs.
	Safe bool `json:"safe"`
}

// Response is the answer.
type Response struct {
	// Files are the texts after the repair, including those that it creates.
	Files    map[string]string `json:"files"`
	Findings []Finding         `json:"findings"`
	// Made are the titles of the repairs; Problem is why something was not done.
	Made    []string `json:"made"`
	Problem string   `json:"problem,omitempty"`
}

// Finding is a finding as the page shows it.
type Finding struct {
	Place
	Rule     string  `json:"rule"`
	Page     string  `json:"page"` // the URL of the rule's page
	Severity string  `json:"severity"`
	Related  []Place `json:"related"`
	// Fixes are the ways to repair it: one, or one for each answer. Safe means that it is among the safe repairs.
	Fixes []string `json:"fixes"`
	Safe  bool     `json:"safe"`
}

// Place is a position in a file with a sentence about it. Line and Column are 1-based.
type Place struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// folder is the project's apparent location. Nothing exists there, so the texts are all that is read.
const folder = "/amlfix-playground"

// Answer answers a request and never fails: what cannot be done is reported in Problem.
func Answer(request []byte) []byte {
	var r Request
	response := Response{Files: map[string]string{}}
	if err := json.Unmarshal(request, &r); err != nil {
		response.Problem = err.Error()
	} else {
		response = answer(r)
	}
	text, err := json.Marshal(response)
	if err != nil {
		return []byte(`{"files":{},"findings":[],"made":[],"problem":"the answer cannot be written"}`)
	}
	return text
}

func answer(r Request) Response {
	p, err := newProject(r.Files)
	response := Response{Made: []string{}}
	if err == nil {
		switch {
		case r.Safe:
			response.Made, err = p.safe()
		case r.Fix > 0:
			response.Made, err = p.fix(r.Fix-1, r.Answer)
		}
	}
	if err = cmp.Or(err, p.err); err != nil {
		response.Problem = visible(err.Error())
	}
	response.Files, response.Findings = p.files(), p.shown()
	return response
}

// newProject accepts the texts, except those that would be outside the project or exceed amlfix's size limit; the error
// then names the last of these.
func newProject(files map[string]string) (p *project, err error) {
	dir := schema.Identity(folder)
	p = &project{engine: &check.Engine{Dir: dir, Texts: map[string][]byte{}}}
	for name, text := range files {
		switch {
		case !filepath.IsLocal(filepath.FromSlash(name)) || path.Clean(name) != name:
			err = fmt.Errorf("%s: not a path in a project", name)
		case len(text) > source.MaxSize:
			err = fmt.Errorf("%s: larger than 1 MiB, so it is not read", name)
		default:
			p.engine.Texts[filepath.Join(dir, filepath.FromSlash(name))] = []byte(text)
		}
	}
	p.check()
	return p, err
}

// files returns the texts by the names that the page uses.
func (p *project) files() map[string]string {
	list := make(map[string]string, len(p.engine.Texts))
	for name, text := range p.engine.Texts {
		list[p.engine.Rel(name)] = string(text)
	}
	return list
}

func place(at report.Place, message string) Place {
	return Place{File: at.Path, Line: at.Line, Column: at.Column, Message: visible(message)}
}

// Package spark converts a job's Spark settings to arguments of spark-submit.
package spark

import (
	"fmt"
	"strings"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/secret"
)

// Argument is one argument of spark-submit and the setting that it comes from.
type Argument struct {
	Text   string
	From   schema.Field // File is nil if no file requests it
	Secret bool         // not to be shown
}

// SettingError reports that a setting cannot be passed on.
type SettingError struct {
	Field schema.Field
	Text  string
}

func (e *SettingError) Error() string { return e.Text }

// Cluster describes where a job is submitted; the zero value leaves this to Spark's own configuration, which defaults
// to this machine.
type Cluster struct {
	Master     string       // such as "yarn"; the setting spark.master overrides it
	DeployMode schema.Field // "client" or "cluster"; empty: not known
}

// masterSetting is the property that names the master.
const masterSetting = "spark.master"

// Master returns the master to which a job is submitted, or "" if that is left to Spark's own configuration.
func Master(s schema.SparkSettings, c Cluster) string {
	for _, v := range s.Configuration {
		if v.Name == masterSetting && v.Value.Explicit {
			return strings.TrimSpace(v.Value.Text)
		}
	}
	return c.Master
}

// Arguments returns the arguments before the script: master and deploy mode, packages, repositories and configuration,
// each as in spark_dependencies.yml. It omits null settings. The error is a *SettingError.
func Arguments(s schema.SparkSettings, c Cluster) (list []Argument, err error) {
	add := func(from schema.Field, texts ...string) {
		for _, t := range texts {
			list = append(list, Argument{Text: t, From: from})
		}
	}
	if master := Master(s, c); master != "" && master == c.Master { // otherwise the configuration contains it
		add(schema.Field{}, "--master", master)
	}
	switch mode := strings.TrimSpace(c.DeployMode.Text); mode {
	case "":
	case "client", "cluster":
		add(c.DeployMode, "--deploy-mode", mode)
	default:
		return nil, &SettingError{c.DeployMode, fmt.Sprintf("yarnDeployMode %q is unknown: write client or cluster", secret.HideValue(mode))}
	}
	if len(s.Packages) > 0 {
		var coordinates []string
		for _, p := range s.Packages {
			text := p.Coordinates()
			if p.Group.Text == "" || p.Artifact.Text == "" || p.Version.Text == "" || strings.Count(text, ":") != 2 || strings.ContainsAny(text, ", \t\n") {
				return nil, &SettingError{p.Entry, fmt.Sprintf("the package %q cannot be requested: give group, artifact and version, without spaces, commas and colons", secret.HideValue(text))}
			}
			coordinates = append(coordinates, text)
		}
		add(s.Packages[0].Entry, "--packages", strings.Join(coordinates, ","))
	}
	if len(s.Repositories) > 0 {
		var addresses []string
		for _, r := range s.Repositories {
			text := strings.TrimSpace(r.Text)
			if text == "" || strings.ContainsAny(text, ", \t\n") {
				return nil, &SettingError{r, fmt.Sprintf("%q is not the address of a repository: write one address per entry, without spaces and commas", secret.HideValue(r.Text))}
			}
			addresses = append(addresses, text)
		}
		add(s.Repositories[0], "--repositories", strings.Join(addresses, ","))
		list[len(list)-1].Secret = secret.Contains(list[len(list)-1].Text)
	}
	for _, v := range s.Configuration {
		if !v.Value.Explicit {
			continue
		}
		if v.Name == "" || strings.ContainsAny(v.Name, "= \t\n") {
			return nil, &SettingError{v.Value, fmt.Sprintf("%q is not the name of a Spark setting: write a name such as spark.executor.memory", secret.HideValue(v.Name))}
		}
		add(v.Value, "--conf", v.Name+"="+v.Value.Text)
		list[len(list)-1].Secret = secret.Variable(v.Name, v.Value.Text)
	}
	return list, nil
}

//go:build linux

package kubetest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/amlfix/amlfix/runtime/progress"
	"github.com/amlfix/amlfix/schema/testkit"
)

const secretValue = "abcdefghijklmnop1234" // of job.yml

// TestSecrets checks that a variable that looks like a secret is stored in a secret owned by the run's job: the
// manifest contains only its name, and it is removed with the job, whoever removes the job.
func TestSecrets(t *testing.T) {
	s := newScene(t)
	run := s.begin(s.job("wait"))
	s.in(progress.Running, "waiting\n")
	id := s.record().ID.String()
	var made struct {
		Metadata struct {
			Labels          map[string]string
			OwnerReferences []struct{ Kind, Name string }
		}
		Data map[string][]byte
	}
	testkit.OK(t, json.Unmarshal([]byte(s.Kubectl(t, "-n", s.namespace, "get", "secret", "amlfix-"+id, "-o", "json")), &made))
	if diff := cmp.Diff(map[string][]byte{"API_TOKEN": []byte(secretValue)}, made.Data); diff != "" || made.Metadata.Labels["io.amlfix.run"] != id || len(made.Metadata.OwnerReferences) != 1 || made.Metadata.OwnerReferences[0].Name != "amlfix-"+id {
		t.Errorf("%+v\n%s", made, diff)
	}
	for _, kind := range []string{"job", "pods"} {
		if out := s.Kubectl(t, "-n", s.namespace, "get", kind, "-o", "json"); strings.Contains(out, secretValue) || !strings.Contains(out, `"secretRef"`) {
			t.Errorf("%s:\n%s", kind, out)
		}
	}
	run.killed()
	s.Kubectl(t, "-n", s.namespace, "delete", "jobs", "--all")
	eventually(t, "the secret's end", func() bool {
		out, err := s.kubectl("-n", s.namespace, "get", "secrets", "-o", "name")
		return err == nil && !strings.Contains(out, "amlfix")
	})
	got := finish(s.job("none"))
	if content := testkit.Read(t, s.dir, "outputs/file"); got.code != 0 || content != "content of abc" {
		t.Errorf("%d %s\n%s", got.code, content, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// as returns an environment whose context "limited" has a user with only these rights in the scene's namespace.
func (s *scene) as(rules string) (env string) {
	s.t.Helper()
	user := "limited-" + s.namespace
	s.Apply(s.t, `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: limited, namespace: `+s.namespace+`}
rules: `+rules+`
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: limited, namespace: `+s.namespace+`}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: limited}
subjects: [{kind: User, name: `+user+`, apiGroup: rbac.authorization.k8s.io}]
`)
	file := filepath.Join(s.t.TempDir(), "kubeconfig")
	text := testkit.Read(s.t, s.Node.dir, "kubeconfig")
	text = strings.Replace(text, "users:\n", "users:\n- {name: limited, user: {token: all, as: "+user+"}}\n", 1)
	text = strings.Replace(text, "contexts:\n", "contexts:\n- {name: limited, context: {cluster: node, user: limited}}\n", 1)
	testkit.OK(s.t, os.WriteFile(file, []byte(text), 0o600))
	return "KUBECONFIG=" + file
}

// TestRights checks that the rights listed in docs/kubernetes.md suffice, and that each missing right is named.
func TestRights(t *testing.T) {
	const jobs, pods, exec, secrets = `{apiGroups: [batch], resources: [jobs], verbs: [create, get, list, watch, delete]}`,
		`{apiGroups: [""], resources: [pods], verbs: [get, list]}`, `{apiGroups: [""], resources: [pods/exec], verbs: [create]}`,
		`{apiGroups: [""], resources: [secrets], verbs: [create, delete]}`
	s := newScene(t)
	run := func(rules ...string) ended {
		cmd := s.job("none", "--k8s", "context=limited")
		cmd.Env = append(cmd.Env, s.as("["+strings.Join(rules, ", ")+"]"))
		return finish(cmd)
	}
	if got := run(jobs, pods, exec, secrets); got.code != 0 {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	got := run(strings.Replace(jobs, ", watch", "", 1), pods, secrets)
	if want := "this user lacks rights in limited/" + s.namespace + " that a run needs: watch jobs.batch, create pods/exec: ask"; got.code != 125 || !strings.Contains(got.last(), want) || strings.Contains(got.err, "creating job") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	if got := run(jobs, pods, exec); got.code != 125 || !strings.Contains(got.last(), "that a run needs: create secrets, delete secrets: ask") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.Apply(t, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: none, namespace: "+s.namespace+"}\nspec: {hard: {count/pods: 0}}\n")
	eventually(t, "the quota", func() bool {
		return strings.Contains(s.Kubectl(t, "-n", s.namespace, "get", "resourcequota", "none", "-o", "jsonpath={.status.hard}"), "pods")
	})
	const quotas = `{apiGroups: [""], resources: [resourcequotas], verbs: [list]}` // and not limit ranges
	if got := run(jobs, pods, exec, secrets, quotas); got.code != 125 || !strings.Contains(got.last(), "quota none of limited/"+s.namespace+" allows 0 count/pods, of which 0 are in use, and the job needs 1: ask for less") {
		t.Errorf("%d\n%s", got.code, got.err)
	}
	s.NothingLeft(t, s.namespace)
}

// TestStorage checks that --check says how the claim will be created, and what is missing for that.
func TestStorage(t *testing.T) {
	s := newScene(t)
	class := "class-" + s.namespace
	s.volume(class)
	s.Apply(t, "apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: sizes, namespace: "+s.namespace+"}\nspec: {hard: {limits.memory: 4Gi}}\n")
	for name, test := range map[string]struct {
		flags []string
		code  int
		want  string
	}{
		"class":         {[]string{"--k8s", "storage-class=" + class}, 0, "ok        storage      claim amlfix is created when a job runs, with storage class " + class},
		"no class":      {[]string{"--k8s", "storage-class=nothing"}, 125, "there is no storage class nothing in node: name one with kubernetes.storage-class: "},
		"no default":    {[]string{"--k8s", "storage=5Gi"}, 125, "node has no default storage class: name one with kubernetes.storage-class: "},
		"default":       {[]string{"--k8s", "storage-class=default", "--k8s", "claim=mine"}, 125, "node has no default storage class"},
		"claim":         {[]string{"--k8s", "claim=nothing"}, 125, "there is no persistentvolumeclaim nothing in node/" + s.namespace + ": create it, name another one with kubernetes.claim"},
		"memory":        {nil, 125, "a quota of node/" + s.namespace + " requires every pod to say how much memory it needs: add --memory SIZE"},
		"no login":      {[]string{"--k8s", "pull-secret=kind"}, 125, "secret kind of node/" + s.namespace + " is not a login for a registry: its type is Opaque"},
		"no such login": {[]string{"--k8s", "pull-secret=nothing"}, 125, "there is no secret nothing in node/" + s.namespace},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "no login" {
				s.Kubectl(t, "-n", s.namespace, "create", "secret", "generic", "kind", "--from-literal=a=b")
			}
			flags := append(test.flags, "--check")
			if name != "memory" {
				flags = append(flags, "--memory", "100m")
			}
			got := finish(s.job("none", flags...))
			if got.code != test.code || !strings.Contains(joined(got.out), test.want) {
				t.Errorf("%d\n%s%s", got.code, got.out, got.err)
			}
		})
	}
	s.NothingLeft(t, s.namespace)
}

//go:build unix

package plan

import (
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestUnshared checks that no folder from which the system, programs or git take instructions is shared, however it is
// named.
func TestUnshared(t *testing.T) {
	for _, dir := range []string{
		"/", "/etc", "/data", "/etc/ssh", "/usr/bin", "/usr/local/bin", "/var/run", "/var/lib/docker", "/proc/self", "/home/me", "/home", "/home/me/Documents", "/home/me/.ssh", "/home/me/.config/autostart",
		"/root/share/digits", "/mnt/.hidden/digits", "/srv/digits/.git/hooks", "/srv/.GIT/hooks", "/srv/work", "/srv/work/digits", "/home/me/share/.amlfix", "/Library/LaunchAgents", "/System/x", "/private/etc", "/WINDOWS/x", "/var/tmpx/y",
		"/mnt/../etc/ssh", "/home/me/share/../.ssh", "/home/me/share/../../me", "/home/you", "/Users/you",
	} {
		if why := unshared(dir, "/home/me", "/srv/work/digits"); why == "" {
			t.Errorf("%s is shared", dir)
		}
	}
	for _, dir := range []string{"/home/me/.azureml/share/digits", "/home/me/share/digits", "/mnt/data/digits", "/data/share/digits", "/tmp/x/digits", "/var/tmp/x/digits", "/private/var/folders/x/y/z", "/home/shared/digits", "/srv/work/share/digits",
		"/srv/work/digits/share/digits"} {
		testkit.Same(t, "", unshared(dir, "/home/me", "/srv/work/digits"), dir)
	}
	if why := unshared("/root/share/digits", "/root", ""); why != "" {
		t.Error(why)
	}
	for _, dir := range []string{"~/.ssh", "~/x", "~/../../etc/ssh", "../digits", "/etc/ssh", "/usr/bin", "~/.config/digits", "digits"} {
		if unsharedThere(dir) == "" {
			t.Errorf("%s is shared there", dir)
		}
	}
	for _, dir := range []string{"~/my share/digits", "~/.azureml/share/digits", "share/digits", "/mnt/share/digits"} {
		testkit.Same(t, "", unsharedThere(dir), dir)
	}
}

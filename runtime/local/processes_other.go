//go:build !linux

package local

import "github.com/amlfix/amlfix/runtime/runid"

// Processes would list the living processes of a run; this system does not tell which they are.
func Processes(runid.ID) []int { return nil }

// Leases would tell which GPUs runs have for themselves; this system does not tell.
func Leases() map[int]string { return nil }

// endMembers does nothing: the members of a job whose supervisor was killed cannot be distinguished from other processes here.
func endMembers(runid.ID) {}

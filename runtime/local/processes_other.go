//go:build !linux

package local

import "github.com/amlfix/amlfix/runtime/runid"

// Processes returns nil: this system does not show which processes belong to a run.
func Processes(runid.ID) []int { return nil }

// Leases returns nil: this system does not show which GPUs runs have reserved.
func Leases() map[int]string { return nil }

// endMembers does nothing: the remaining processes of a job whose supervisor was killed cannot be distinguished from
// others here.
func endMembers(runid.ID) {}

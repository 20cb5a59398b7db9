// Package listing explains what amlfix knows, about projects and by itself: the compute targets and the settings of
// projects, rules, and facts with their sources. It reads no flags, and its tables and pages are for people.
package listing

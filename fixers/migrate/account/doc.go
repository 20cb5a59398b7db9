// Package account records what a migration does: a ledger with a row for every key of the source files, the questions
// that somebody has to decide, and the words in which both are reported.
package account

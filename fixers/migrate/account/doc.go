// Package account is what a migration answers for: a ledger with a row for every
// key of the source files, the questions that somebody has to decide, and the
// words in which both are written.
package account

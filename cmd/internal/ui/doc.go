// Package ui holds what every output of amlfix shares: colour, the terminal,
// making text safe and measurable for one, and guessing what was meant.
package ui

// Package ui contains what all of amlfix's output shares: colour, the terminal, making text safe and measurable for a
// terminal, and suggesting corrections.
package ui

package catalog

import (
	"fmt"
	"strconv"
)

// AsOf is the day (2006-01-02) on which the tables were last reviewed. It stands for the present if no other day is
// given.
const AsOf = "2026-11-22"

// Phase is the state of something's support on a given day.
type Phase int

const (
	// Lasting means: no end is known, or it is more than a year away.
	Lasting Phase = iota
	// Ending means: it ends within a year.
	Ending
	// Ended means: it ended within the last year.
	Ended
	// LongEnded means: it ended a year ago or earlier.
	LongEnded
)

// PhaseOf returns the phase on the day asOf of something that ends on end: a day (2006-01-02), a month (2006-01), or
// empty if no end is known. Support that ends on a day has ended on that day; support that ends in a month has ended
// when the month is over.
func PhaseOf(end, asOf string) Phase {
	switch {
	case end == "":
		return Lasting
	case ended(end, yearsLater(asOf, -1)):
		return LongEnded
	case ended(end, asOf):
		return Ended
	case ended(end, yearsLater(asOf, 1)):
		return Ending
	}
	return Lasting
}

func ended(end, day string) bool {
	if len(end) < len(day) {
		return end < day[:len(end)]
	}
	return end <= day
}

// yearsLater returns the same day of another year. 29 February is kept as is, which is good enough for a comparison.
func yearsLater(day string, years int) string {
	year, err := strconv.Atoi(day[:min(4, len(day))])
	if err != nil || len(day) < 4 {
		return day
	}
	return fmt.Sprintf("%04d%s", year+years, day[4:])
}

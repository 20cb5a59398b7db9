package migrate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/fixers/migrate/account"
	"github.com/amlfix/amlfix/schema/format"
	"github.com/amlfix/amlfix/schema/secret"
)

// Answer is the user's answer to a question.
type Answer struct {
	Value string
	// From is where it was given: "--answer" or ".amlfix.yaml".
	From string
}

// AnswerError reports an answer that fits no decision.
type AnswerError struct{ Text string }

func (e *AnswerError) Error() string { return e.Text }

// Decide records a question and returns the answer to "SCOPE/ID", to "FIRST+/ID", where FIRST is the first scope with
// the same question, or to "ID", or else the default. If there is none, open is true and the emitter writes the Marker.
func (m *Migration) Decide(q *account.Question) (taken string, open bool) {
	if _, known := m.leaders[alike(q)]; !known {
		m.leaders[alike(q)] = q.Scope
	}
	answer, given := m.answerTo(q)
	if strings.EqualFold(answer.Value, "none") && (q.OrNone || slices.Contains(q.Choices, "none")) {
		answer.Value = "none"
	}
	if given && len(q.Choices) > 0 && !slices.Contains(q.Choices, answer.Value) {
		m.fail(&AnswerError{fmt.Sprintf("%s %s=%s: the answer must be one of %s", answer.From, q.ID, secret.HideValue(answer.Value), strings.Join(q.Choices, ", "))})
		given = false
	}
	taken = q.Default
	if given {
		taken = answer.Value
	}
	same := [6]string{q.ID, q.Ask, taken, q.Default, q.About, q.Example}
	switch d := m.asked[same]; {
	case d == nil:
		made := &account.Decision{Question: *q, Scopes: []string{q.Scope}, Leader: m.leaders[alike(q)], Taken: taken, From: answer.From}
		if first := m.first[q.ID]; first == nil {
			m.first[q.ID] = made
		} else if first.Scope != q.Scope && len(q.Choices) != 1 {
			first.Narrow, made.Narrow = true, true
		}
		m.asked[same] = made
		m.Decisions = append(m.Decisions, made)
	case !slices.Contains(d.Scopes, q.Scope):
		d.Scopes = append(d.Scopes, q.Scope)
		d.Because(q.Why)
	}
	return taken, taken == ""
}

// DecideNumber is Decide for a number of at least 1; other answers are errors. It returns instead if there is none.
func (m *Migration) DecideNumber(q *account.Question, instead int) (n int, open bool) {
	answer, open := m.Decide(q)
	if open {
		return instead, true
	}
	n, err := strconv.Atoi(answer)
	if err != nil || n < 1 {
		m.Refuse(q.ID, answer, "the answer must be a whole number, at least 1")
		return instead, false
	}
	return n, false
}

// Refuse records that an answer cannot be used, and why.
func (m *Migration) Refuse(id, answer, why string) {
	m.fail(&AnswerError{id + "=" + secret.HideValue(answer) + ": " + why})
}

// Answered reports whether the user has an answer to "SCOPE/ID", or to "ID". "FIRST+/ID" is for the questions that are
// asked anyhow: those of its row in the report.
func (m *Migration) Answered(scope, id string) bool {
	return m.Options.Answers[scope+"/"+id].Value != "" || m.Options.Answers[id].Value != ""
}

// alike returns what is equal for questions that one answer to "FIRST+/ID" answers.
func alike(q *account.Question) [5]string {
	return [5]string{q.ID, q.Ask, q.Default, q.About, q.Example}
}

// answerTo returns the user's answer to a question.
func (m *Migration) answerTo(q *account.Question) (Answer, bool) {
	return m.answer(q.Scope+"/"+q.ID, m.leaders[alike(q)]+"+/"+q.ID, q.ID)
}

func (m *Migration) answer(keys ...string) (Answer, bool) {
	for _, key := range keys {
		if a, ok := m.Options.Answers[key]; ok && a.Value != "" {
			m.used[key] = true
			return a, true
		}
	}
	return Answer{}, false
}

// mostMisspelt is the maximum number of answers that are named.
const mostMisspelt = 20

// unused returns an *AnswerError for an answer on the command line that no question asked for, or nil. It notes those
// of a file that resemble a decision.
func (m *Migration) unused() error {
	var ids, open []string
	for _, d := range m.Decisions {
		if ids = append(ids, d.ID); d.From == "" {
			open = append(open, d.ID)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, key := range slices.Sorted(maps.Keys(m.Options.Answers)) {
		if m.used[key] {
			continue
		}
		if m.Options.Answers[key].From != FromFlag { // a file may have answers for other formats and other run configurations
			id := key[strings.LastIndexByte(key, '/')+1:]
			if near := format.Nearest(id, open); len(near) == 1 && near[0] != id && len(m.Misspelt) < mostMisspelt {
				m.Misspelt = append(m.Misspelt, fmt.Sprintf("%s: %.60q answers no decision of this project: did you mean %s?", m.Options.Answers[key].From, key, near[0]))
			}
			continue
		}
		if len(ids) == 0 {
			return &AnswerError{fmt.Sprintf("%s %s: there is nothing to decide in this project", FromFlag, key)}
		}
		return &AnswerError{fmt.Sprintf("%s %s: there is no such decision in this project; there are: %s", FromFlag, key, strings.Join(ids, ", "))}
	}
	return nil
}

// FromFlag is where an answer on the command line comes from.
const FromFlag = "--answer"

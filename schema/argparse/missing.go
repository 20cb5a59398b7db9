package argparse

// positionals matches the words that belong to no option with the positional arguments.
func (m *matcher) positionals() {
	var list []Argument
	least, most := 0, 0
	for _, a := range m.parser.Arguments {
		if !a.Positional {
			continue
		}
		if a.Maybe {
			return
		}
		list = append(list, a)
		least += a.Min
		if a.Max < 0 || most < 0 {
			most = -1
		} else {
			most += a.Max
		}
	}
	certain := 0
	for _, i := range m.pool {
		if !m.words[i].Optional && !m.words[i].Several {
			certain++
		}
	}
	if m.lost {
		return
	}
	m.values(list)
	for n, i := range m.pool {
		if most >= 0 && n >= most && !m.open && !m.parser.Tolerates {
			m.faults = append(m.faults, Fault{Kind: Surplus, Word: i, Text: m.words[i].Text, Uncertain: certain <= most})
			break
		}
	}
	if m.open || certain >= least {
		return
	}
	f := Fault{Kind: Missing, Word: -1, Uncertain: len(m.pool) >= least}
	for _, a := range list {
		if certain -= a.Min; certain < 0 && a.Min > 0 {
			f.Arguments = append(f.Arguments, a)
		}
	}
	m.faults = append(m.faults, f)
}

// values checks the values of positional arguments that take one word each.
func (m *matcher) values(list []Argument) {
	for n, a := range list {
		if a.Min != 1 || a.Max != 1 || n >= len(m.pool) || m.open || m.words[m.pool[n]].Optional {
			return
		}
		w := m.words[m.pool[n]]
		m.value(m.pool[n], w.Text, w.Open, a)
	}
}

// missing reports the required options that are not given.
func (m *matcher) missing() {
	if m.open {
		return
	}
	groups := map[int]bool{} // groups of which an option is given
	exclusive := map[int][]Argument{}
	for _, a := range m.parser.Arguments {
		if a.Group > 0 {
			exclusive[a.Group] = append(exclusive[a.Group], a)
		}
		if a.Group > 0 && (m.given[a.Names[0]] != nil || a.Maybe) {
			groups[a.Group] = true
		}
		if !a.Required || a.Maybe || a.Positional {
			continue
		}
		switch s := m.given[a.Names[0]]; {
		case s == nil:
			m.faults = append(m.faults, Fault{Kind: Missing, Word: -1, Arguments: []Argument{a}})
		case !s.certain:
			m.faults = append(m.faults, Fault{Kind: Missing, Word: -1, Arguments: []Argument{a}, Uncertain: true})
		}
	}
	for _, group := range m.parser.Exclusive {
		if list := exclusive[group]; !groups[group] && len(list) > 0 {
			m.faults = append(m.faults, Fault{Kind: Missing, Word: -1, Arguments: list})
		}
	}
}

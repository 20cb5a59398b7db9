package format

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/secret"
)

// wrongType reports a value that YAML parsers read as another type than expected, and says how to write it.
func (v *validation) wrongType(p *place) {
	n := p.value.Resolve()
	if v.kind.v2() && !n.IsString() && n.IsPyYAMLText() && p.wants("string") && len(p.schema.Enum) == 0 &&
		(p.schema.Title == "" && p.schema.Pattern == nil || p.schema.Pattern != nil && p.schema.Pattern.Get().MatchString(n.Value)) {
		return // 1e3 is a string to the client
	}
	want := wanted(p.schema)
	f := v.report(RuleType, finding.Error, spanOf(p.key, p.value), "")
	v.relate(f, p)
	text := strings.TrimRight(n.Value, ",;")
	switch {
	case p.wants("integer") && n.Style == document.Plain && text != n.Value && text != "" && strings.Trim(text, "0123456789") == "":
		f.Message = fmt.Sprintf("%s must be %s, but YAML takes %q as part of the value: write %s", p.subject(), want, n.Value[len(text):], text)
		v.set(f, p, finding.Scalar{Kind: finding.Int, Text: text}, finding.Safe)
	case n.IsString() && p.schema.Pattern != nil && p.wants("string"):
		f.Message = fmt.Sprintf("%s must be %s, not %s", p.subject(), want, v.shown(p))
		if right := "azureml:" + n.Value; strings.HasSuffix(want, "azureml:NAME") && assetName.Get().MatchString(n.Value) && len(Nearest(n.Value, []string{"serverless"})) == 0 {
			f.Message += ": write " + right
			v.set(f, p, finding.Scalar{Kind: finding.String, Text: right}, finding.Unsafe)
		}
		if right := withoutB(n.Value); p.name == "shm_size" && p.schema.Pattern.Get().MatchString(right) { // other sizes are compared with each other
			f.Message += ": write " + right
			v.set(f, p, finding.Scalar{Kind: finding.String, Text: right}, finding.Safe)
		}
		if names, ok := strings.CutPrefix(want, "an expression ${{…}} or "); ok {
			list := strings.Split(names, " or ")
			f.Message = fmt.Sprintf("%s cannot be %s: write %s, or an expression", p.subject(), v.shown(p), plain.List(list, "or"))
			if i := slices.IndexFunc(list, func(name string) bool { return sameFolded(name, n.Value) }); i >= 0 {
				v.set(f, p, finding.Text(list[i]), finding.Safe)
			}
		}
	case p.name == "conda_file" && v.kind.v2() && (n.Kind == document.Sequence && len(n.Items()) == 0 || n.Tag() == "!!int" && n.Value == "0" || n.Tag() == "!!bool" && strings.EqualFold(n.Value, "false")):
		f.Severity = finding.Warning
		f.Message = "nothing is in \"conda_file\", so Azure ML installs no packages: write the path of a conda file" + p.orRemove()
	case n.IsNull() && v.kind.v2() && p.unindented() != "":
		f.Message = fmt.Sprintf("%s has no value: indent the lines that belong to it, from %q on", p.subject(), p.unindented())
		v.indentBelow(f, p)
	case n.IsNull():
		f.Message = fmt.Sprintf("%s has no value: write %s%s", p.subject(), want, p.orRemove())
	case n.Kind != document.Scalar:
		f.Message = fmt.Sprintf("%s must be %s, but %s", p.subject(), want, v.collection(f, p, n))
	case n.Tag() == "!!timestamp" && textOrNumber(p.schema):
		v.notText(f, p, n)
	case p.wants("boolean"):
		v.notBoolean(f, p, n)
	case p.wants("string"):
		v.notText(f, p, n)
	case p.wants("integer") && v.kind.v2() && strings.HasPrefix(n.Value, "${{"):
		f.Message = fmt.Sprintf("%s must be %s, and Azure ML accepts no expression here: write digits only", p.subject(), want)
	case p.wants("integer") && v.kind.v2() && p.schema.Title != "" && n.Tag() == "!!float" && !strings.ContainsAny(n.Value, "nN"): // int() takes no .nan
		f.Severity = finding.Warning
		f.Message = fmt.Sprintf("%s must be %s, and Azure ML drops what %s has after the point: write the number that it is to use", p.subject(), want, n.Value)
	case p.wants("integer"):
		digits := "digits only"
		if v.kind.v2() && (strings.HasSuffix(p.name, "timeout") || p.name == "initial_delay" || p.name == "period") {
			digits = "the number of seconds" // 1h is not 1
		}
		f.Message = fmt.Sprintf("%s must be %s, but %s is read as %s: write %s, without quotes", p.subject(), want, v.shown(p), readAs(n), digits)
	case p.wants("array"):
		f.Message = fmt.Sprintf("%s must be %s, but %s a single value: write each item after a dash, on a line of its own", p.subject(), want, v.is(p))
		v.enlist(f, p, n)
	default:
		f.Message = fmt.Sprintf("%s must be %s, but %s a single value: %s", p.subject(), want, v.is(p), v.howToMap(f, p, n))
	}
}

// enlist sets the fix that makes a list of one word in place of a list of texts. Other values may be several items, or
// none; in settings, a word may be the name of nothing.
func (v *validation) enlist(f *finding.Finding, p *place, n *document.Node) {
	item := referred(p.schema.Items)
	if n != p.value || p.shared || p.secret() || v.kind == Settings || n.Style > document.DoubleQuoted || n.Properties != n.Span.Start ||
		!n.IsString() || !oneWord.Get().MatchString(n.Value) || item != nil && (!slices.Contains(item.Types, "string") || !v.scalarConforms(item, n)) {
		return
	}
	if meant, _ := booleanMeant(n.Value); meant == "" && !strings.EqualFold(n.Value, "none") {
		f.Fix = finding.NewFix(finding.Unsafe, fmt.Sprintf("write [%s]", shorten(n.Value)), finding.Splice(v.src, n.Span, "["+string(v.src.Slice(n.Span))+"]"))
	}
}

// oneWord matches a word or a package that is one item of a list, also in brackets: not a file, an address or a range.
var oneWord = plain.Regexp{Text: `^[$A-Za-z_][A-Za-z0-9_-]*(=[A-Za-z0-9_.=]*)?$`}

// withoutB returns a size such as 8 GiB as 8G, with the letter of its unit alone; "" for other texts.
func withoutB(size string) string {
	digits := strings.TrimLeft(size, "0123456789")
	unit := strings.TrimRight(strings.TrimSpace(digits), "ibB")
	if unit == digits || len(unit) != 1 || len(size) == len(digits) {
		return ""
	}
	return size[:len(size)-len(digits)] + unit
}

// assetName matches the name of an asset, and no path.
var assetName = plain.Regexp{Text: `^[A-Za-z0-9_-]+$`}

// wants reports whether the schema at p expects values of type t primarily: SDK v1's parser also accepts text for
// booleans and numbers.
func (p *place) wants(t string) bool {
	if p.schema.Title != "" && t == "string" {
		return !slices.Contains(p.schema.Types, "boolean") && !slices.Contains(p.schema.Types, "integer")
	}
	return slices.Contains(p.schema.Types, t)
}

// orRemove returns a phrase that suggests removing the key unless it is required.
func (p *place) orRemove() string {
	switch {
	case p.key == nil:
		return ", or remove the item"
	case slices.Contains(p.parent.schema.Required, p.name):
		return ""
	}
	return ", or remove the line"
}

// collection explains why a value is a list or a mapping, and how to write the expected value, for the finding f.
func (v *validation) collection(f *finding.Finding, p *place, n *document.Node) string {
	var what string
	switch first := v.src.Text[min(n.Span.Start, len(v.src.Text)-1)]; {
	case first == '[':
		what = "the brackets [ ] make it a list"
	case n.Kind == document.Sequence:
		what = "the dashes make it a list"
	case first == '{':
		what = "the braces { } make it a mapping"
	case len(n.Entries()) == 1:
		what = "the colon makes it a mapping"
	default:
		what = "the colons make it a mapping"
	}
	if p.wants("string") {
		if line := v.commandLine(f, p, n); line != "" {
			return what + ": write " + shorten(line)
		}
		if text := single(p.schema, n); v.kind.v2() && text != "" && !p.secret() && !secret.Contains(text) {
			v.unwrap(f, p, n)
			return what + ": write " + shorten(text) + " alone"
		}
		if a := annotationOf(p.schema); v.kind.v2() && n.Kind == document.Mapping && (a.Asset != "" && a.Path == "" || p.key == nil && p.parent.name == "entities") {
			return what + ": write azureml:NAME" + map[bool]string{true: ":VERSION"}[a.Asset != "computes"]
		}
		if e := n.Entries(); v.kind == Conda && len(e) == 1 && e[0].Value.Resolve().Kind == document.Scalar {
			if text := e[0].Key.Value + "==" + e[0].Value.Resolve().Value; !secret.Contains(text) && !strings.HasPrefix(text, "-") {
				return what + ": write " + shorten(text)
			}
		}
		return what + ": write only the value, or put it in quotes"
	}
	if v.kind.v2() && (p.wants("integer") || p.wants("boolean")) && !p.wants("array") && !p.wants("object") {
		return what + ": write only the value"
	}
	if n.Kind == document.Sequence && len(n.Items()) == 0 && v.kind.v2() && strings.Contains(mayBeEmpty, " "+p.name+" ") {
		if n == p.value && !p.shared && n.Properties == n.Span.Start && bytes.IndexByte(v.src.Slice(n.Span), '#') < 0 {
			f.Fix = finding.NewFix(finding.Safe, "write {}", finding.Splice(v.src, n.Span, "{}"))
		}
		return what + ": write {}, or remove the line"
	}
	if n.Kind == document.Sequence && v.kind.v2() {
		return what + cmp.Or(v.itemsByName(f, p, n), v.keysInItems(f, p, n), v.listed(p, n), v.itsKeys(p))
	}
	if items := p.schema.Items; items != nil && v.kind.v2() && n.Style != document.Flow && mayHave(items, n.Entries()[0].Key.Value) {
		return what + ": write a dash before its first key, and indent the others like that"
	}
	return what
}

// mayBeEmpty are the mappings that a file may do without.
const mayBeEmpty = " environment_variables inputs outputs properties tags "

// itsKeys lists the keys of the mapping that is expected at p, if there are few.
func (v *validation) itsKeys(p *place) string {
	keys := slices.Sorted(maps.Keys(p.schema.Properties))
	if len(keys) == 0 || len(keys) > maxListed || len(strings.Join(keys, ", ")) > maxShown {
		return ""
	}
	return ": its keys are " + plain.List(keys, "and")
}

// howToMap says how to write the keys and values that are expected instead of n.
func (v *validation) howToMap(f *finding.Finding, p *place, n *document.Node) string {
	if entry := v.wrapped(p, n); entry != "" {
		if old := v.src.Slice(n.Span); n == p.value && !p.shared && n.Properties == n.Span.Start && entry == "type: "+string(old) {
			f.Fix = finding.NewFix(finding.Safe, "write {"+entry+"}", finding.Splice(v.src, n.Span, "{"+entry+"}"))
		}
		return fmt.Sprintf("write %s on an indented line under it", entry)
	}
	if strings.Contains(n.Value, ":") {
		return "write each key on an indented line of its own, with a space after its colon"
	}
	return "write keys and values on indented lines under it"
}

// notText reports a scalar that is read as a number, a date or a boolean where text is expected.
func (v *validation) notText(f *finding.Finding, p *place, n *document.Node) {
	for _, s := range annotationOf(p.schema).Any {
		if len(s.Enum) > 0 || s.Pattern != nil { // not every text is allowed instead of a mapping
			text := *p
			text.schema = s
			p = &text
			break
		}
	}
	want, named := wanted(p.schema), v.named(p.schema, n.Value)
	if named {
		want = "text" // one of the words is true, or a number
	}
	f.Message = fmt.Sprintf("%s must be %s, but %s is read as %s", p.subject(), want, v.shown(p), readAs(n))
	fits := p.schema.Pattern != nil && p.schema.Pattern.Get().MatchString(n.Value)
	if p.schema.Title != "" && !fits || len(p.schema.Enum) > 0 && !named {
		for _, name := range enumOf(p.schema).listed {
			if strings.EqualFold(name, "enabled") && strings.EqualFold(n.Value, "true") || strings.EqualFold(name, "disabled") && strings.EqualFold(n.Value, "false") {
				f.Message += ": write " + name
				v.set(f, p, finding.Text(name), finding.Unsafe)
			}
		}
		return // not every text is allowed: quotes would not help
	}
	f.Message += ": put it in quotes"
	if n.Style != document.Plain || n.Properties != n.Span.Start || secret.Contains(n.Value) {
		return
	}
	how := finding.Unsafe
	if named || n.Tag() == "!!int" && canonicalInt(n.Value) && annotationOf(p.schema).Path == "" {
		how = finding.Safe // every parser converts the number to these digits
	}
	v.set(f, p, finding.Text(string(v.src.Slice(n.Span))), how)
}

// canonicalInt reports whether an integer is written in canonical form.
func canonicalInt(s string) bool {
	return s == "0" || s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// notBoolean reports a scalar where true or false is expected.
func (v *validation) notBoolean(f *finding.Finding, p *place, n *document.Node) {
	meant, value := booleanMeant(n.Value)
	if meant == "" {
		f.Message = fmt.Sprintf("%s must be true or false, but %s is read as %s", p.subject(), v.shown(p), readAs(n))
		first, _, _ := strings.Cut(strings.ToLower(n.Value), " ")
		if meant, _ = booleanMeant(first); meant == "" {
			meant = suggest(first, []string{"true", "false"}).word
		}
		if meant != "" {
			f.Message += fmt.Sprintf(": did you mean %s?", meant)
		}
		return
	}
	quoted := n.Style != document.Plain
	if quoted {
		f.Message = fmt.Sprintf("%s must be true or false, but the quotes make it text: write %s without them", p.subject(), meant)
	} else {
		f.Message = fmt.Sprintf("%s must be true or false, but %s is read as %s%s: write %s", p.subject(), v.shown(p), readAs(n), bySome(n.Value), meant)
	}
	how := finding.Safe
	if meant == "false" && (quoted || !plainNo(n.Value)) {
		how = finding.Unsafe // so far, the text counts as true, as any text does
	}
	if n.Properties == n.Span.Start {
		v.set(f, p, value, how)
	}
}

// booleanMeant returns the boolean that a text obviously stands for.
func booleanMeant(s string) (string, finding.Scalar) {
	switch strings.ToLower(strings.Trim(s, " .,;:!'\"`")) {
	case "true", "yes", "on", "y", "1":
		return "true", finding.True
	case "false", "no", "off", "n", "0":
		return "false", finding.False
	}
	return "", finding.Scalar{}
}

// bySome returns " by some programs" for YAML 1.1's words for true and false, which are text in YAML 1.2, and "" for
// others.
func bySome(s string) string {
	switch strings.ToLower(s) {
	case "yes", "on", "y", "no", "off", "n":
		return " by some programs"
	}
	return ""
}

// plainNo reports whether YAML 1.1 parsers read s as false, or it is 0.
func plainNo(s string) bool {
	return slices.Contains([]string{"no", "No", "NO", "off", "Off", "OFF", "n", "N", "0"}, s)
}

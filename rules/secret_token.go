package rules

import (
	"bytes"
	"sort"

	"github.com/amlfix/amlfix/schema"
	"github.com/amlfix/amlfix/schema/catalog"
	"github.com/amlfix/amlfix/schema/document"
	"github.com/amlfix/amlfix/schema/finding"
	"github.com/amlfix/amlfix/schema/secret"
	"github.com/amlfix/amlfix/schema/source"
)

var secretToken = Rule{
	ID:       "secret/token",
	Severity: finding.Warning,
	Since:    "2026-11-20",
	Doc:      "The file contains an access token or account key, perhaps in a comment.",
	Why: `An address with "sig=…" gives everyone who has it access to the storage behind it, and an account key gives
access to the whole account. The same is true of the tokens of other services (GitHub, Hugging Face, AWS, Slack and many
more, recognized by their form), logins in addresses, tokens of conda channels, and private keys. The file goes wherever
the project goes. Addresses that were part of Microsoft's own template are reported as info.`,
	Remedy: "With --unsafe, removes the signature or key. Also revoke it, because everyone who had the file has it.",
	Facts:  []string{"public_tokens", "secret_shapes", "credentials"},
	Bad:    cpuProject + "  - pip:\n    - https://example.blob.core.windows.net/wheels/mine-1.0-py3-none-any.whl?sv=2017-04-17&sr=b&sig=bm90IGEgcmVhbCBzaWduYXR1cmU%3D\n",
	Good:   cpuProject + "  - pip:\n    - https://example.com/wheels/mine-1.0-py3-none-any.whl\n",
	Check: func(p *Pass) {
		variables := variableNodes(p.Project)
		for _, f := range p.Project.Files {
			tokens := schema.TextNote(f, noteTokens, tokensOf)
			if len(tokens) == 0 {
				continue
			}
			fixes := schema.Note(f, noteTokenFixes, tokenFixes)
			for i, t := range tokens {
				if p.full(f.Source) {
					break
				}
				n := scalarWith(f, t.Span)
				if t.Kind == secret.StorageKey && variables[n] {
					continue // secret/env reports it, because of the variable's name
				}
				var fix *finding.Fix
				if i < len(fixes) {
					fix = fixes[i]
				} else { // many were left to secret/env
					fix = tokenFix(f, n, t)
				}
				reportToken(p, f, t, fix)
			}
		}
	},
}

func tokensOf(f *schema.File) []secret.Token { return reportedOf(f.Source.Text, allTokens(f)) }

// allTokens returns the tokens in a file, placeholders among them.
func allTokens(f *schema.File) []secret.Token {
	return schema.TextNote(f, noteAllTokens, func(f *schema.File) []secret.Token { return secret.Tokens(f.Source.Text) })
}

// HasTokens reports whether secret.Tokens finds anything in a file. After a check of its project, that is known.
func HasTokens(f *schema.File) bool { return len(allTokens(f)) > 0 }

var tokenMessages = [...]string{
	secret.Signature:  "this shared access signature gives everyone who gets the file access to the storage: remove it and revoke it",
	secret.NamedKey:   "this connection string contains a key, with which everyone who gets the file can use the account: remove it and renew the key",
	secret.Login:      "this address contains a login, which everyone who gets the file can use: remove it and change the password or token",
	secret.StorageKey: "this looks like a storage account key, which gives everyone who has the file access to the account: remove it and renew the key",
	secret.Channel:    "this address contains the token of a conda channel, which everyone who gets the file can use: remove it and revoke it",
	secret.Bearer:     "this looks like an access token, which everyone who gets the file can use: remove it and revoke it",
	secret.PrivateKey: "this is a private key, which everyone who gets the file can use: remove it and replace the key",
}

func reportToken(p *Pass, f *schema.File, t secret.Token, fix *finding.Fix) {
	at := finding.Location{Source: f.Source, Span: t.Span}
	if t.Kind == secret.Vendor {
		at.Message = "this looks like " + t.What + ", which everyone who gets the file can use: remove it and revoke it"
	} else {
		at.Message = tokenMessages[t.Kind]
	}
	if _, public := catalog.LookupPublicToken(string(f.Source.Slice(around(f.Source.Text, t.Span, " \t\r\n\"'<>")))); public && t.Kind == secret.Signature {
		at.Message = "this address contains a shared access signature, but one that Microsoft published in its own project template"
		p.reportAs(finding.Info, at, nil)
		return
	}
	p.report(at, fix)
}

// tokenFixes returns the fix of each of tokensOf, as far as a rule may report them.
func tokenFixes(f *schema.File) (fixes []*finding.Fix) {
	var fixed *document.Node // the value that fix is for
	var fix *finding.Fix
	for _, t := range schema.TextNote(f, noteTokens, tokensOf) {
		if len(fixes) == finding.MaxPerFile {
			break
		}
		if n := scalarWith(f, t.Span); n == nil || n != fixed {
			fixed, fix = n, tokenFix(f, n, t)
		}
		fixes = append(fixes, fix)
	}
	return fixes
}

// tokenFix returns the fix that removes a secret from its value or comment.
func tokenFix(f *schema.File, n *document.Node, t secret.Token) *finding.Fix {
	if f.Stream.Repaired || !f.Stream.Exact || f.Broken() {
		return nil
	}
	if n != nil {
		return setFix(f, n, "remove the secret", finding.Text(withoutTokens(n.Value)), finding.Unsafe)
	}
	if !inComment(f, t.Span) {
		return nil
	}
	return finding.NewFix(finding.Unsafe, "remove the secret", finding.Splice(f.Source, t.Value, ""))
}

// withoutTokens returns a value without its secrets. The query of a signed address is removed as a whole, because its
// other parts mean nothing without "sig".
func withoutTokens(value string) string {
	text := []byte(value)
	var kept []byte
	last := 0
	for _, t := range reported(text) {
		cut := t.Value
		switch t.Kind {
		case secret.Login:
			if text[t.Span.Start] == ':' {
				cut = source.Span{Start: t.Span.Start + len("://"), End: t.Span.End}
			} else {
				cut.Start-- // user@host stays
			}
		case secret.Signature:
			cut = query(text, cut)
		case secret.Channel:
			cut.Start = t.Span.Start
		case secret.Bearer:
			cut = t.Span
		default: // only the value is removed
		}
		// a secret may already be removed with its query or login
		if cut.Start = max(cut.Start, last); cut.End > cut.Start {
			kept = append(kept, text[last:cut.Start]...)
			last = cut.End
		}
	}
	return string(append(kept, text[last:]...))
}

// query returns the span of the query around a signature, from its "?" to the fragment, or of the signature itself if
// there is no "?".
func query(text []byte, value source.Span) source.Span {
	address := around(text, value, " \t\r\n\"'#;,")
	mark := bytes.IndexByte(text[address.Start:value.Start], '?')
	if mark < 0 {
		return value
	}
	return source.Span{Start: address.Start + mark, End: address.End}
}

// maxAddress is how far from a secret the ends of its address are searched, in bytes.
const maxAddress = 4096

// around returns the span of the word around a span: between the last stop before it and the first stop after it.
func around(text []byte, span source.Span, stops string) source.Span {
	from, to := max(span.Start-maxAddress, 0), min(span.End+maxAddress, len(text))
	start := from + bytes.LastIndexAny(text[from:span.Start], stops) + 1
	if i := bytes.IndexAny(text[span.End:to], stops); i >= 0 {
		to = span.End + i
	}
	return source.Span{Start: start, End: to}
}

// inComment reports whether a span that is not in a value is in a comment, that is, after a "#" on its line.
func inComment(f *schema.File, span source.Span) bool {
	line := f.Source.Line(f.Source.LineAt(span.Start))
	return bytes.IndexByte(f.Source.Slice(source.Span{Start: line.Start, End: span.Start}), '#') >= 0
}

// scalarWith returns the value that contains a span, or nil if none does, as in a comment, a key, or a file that cannot
// be parsed.
func scalarWith(f *schema.File, span source.Span) *document.Node {
	n := f.Root()
	for n != nil && n.Kind != document.Scalar {
		// the last one that begins before the span, by binary search: a list may be long
		var next *document.Node
		if i := sort.Search(len(n.Entries()), func(i int) bool { return n.Entries()[i].Value.Span.Start > span.Start }); i > 0 {
			next = n.Entries()[i-1].Value
		}
		if i := sort.Search(len(n.Items()), func(i int) bool { return n.Items()[i].Span.Start > span.Start }); i > 0 {
			next = n.Items()[i-1]
		}
		if next != nil && !next.Span.Contains(span.Start) {
			return nil
		}
		n = next
	}
	return n
}

// variableNodes returns the values of the jobs' environment variables.
func variableNodes(project *schema.Project) map[*document.Node]bool {
	nodes := map[*document.Node]bool{}
	for _, j := range project.Jobs {
		for _, v := range j.Variables {
			nodes[v.Value.Node] = true
		}
	}
	delete(nodes, nil)
	return nodes
}

package tracking

import (
	"slices"
	"strings"

	"github.com/amlfix/amlfix/schema/argparse"
	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/python"
)

// results are the kinds of functions' results, by module.
var results = plain.Once[map[string]map[string]kind]{Make: func() map[string]map[string]kind {
	return map[string]map[string]kind{
		"": {"float": number, "int": whole, "len": whole, "str": text, "repr": text},
		"numpy": {"float": number, "int": whole, // Python's own; the others return arrays for arrays
			"arange": numbers, "linspace": numbers, "logspace": numbers},
		"json": {"dumps": text},
		"math": {"sqrt": number, "log": number, "exp": number, "pow": number, "floor": whole, "ceil": whole, "log10": number, "log2": number},
		"time": {"time": number, "perf_counter": number, "monotonic": number, "process_time": number, "clock": number, "asctime": text, "strftime": text, "ctime": text},
		"sklearn.metrics": {"accuracy_score": number, "mean_squared_error": number, "mean_absolute_error": number, "r2_score": number, "roc_auc_score": number,
			"log_loss": number, "auc": number, "balanced_accuracy_score": number, "explained_variance_score": number, "matthews_corrcoef": number,
			"cohen_kappa_score": number, "mean_squared_log_error": number, "median_absolute_error": number, "hamming_loss": number, "zero_one_loss": number, "brier_score_loss": number,
			"silhouette_score": number, "max_error": number},
	}
}}

// reductions are numpy functions that reduce an array to one number unless an argument says otherwise; framed are those
// that return a number for each column of a pandas DataFrame.
var (
	reductions = []string{"average", "median", "nanmean", "mean", "sum", "std", "var", "max", "min"}
	framed     = []string{"mean", "sum", "std", "var", "max", "min"}
)

// sized are numpy's number types; their kind is that of their argument.
var sized = []string{"float16", "float32", "float64", "double", "int8", "int16", "int32", "int64"}

// several are the options that make functions return more than one number.
var several = []string{"axis", "average", "multioutput", "keepdims", "normalize", "out"}

// kindOfCall returns the kind of a call's result or of an attribute.
func (p *program) kindOfCall(s *python.Statement, t []python.Token, depth int) kind {
	open := slices.IndexFunc(t, func(k python.Token) bool { return k.Kind == python.Operator && k.Text == "(" })
	if open < 1 {
		return p.kindOfArgument(s, t)
	}
	c, ok := python.CallAt(t, open)
	if !ok || c.Open {
		return unknown
	}
	if c.End != len(t)-1 {
		return unknown
	}
	module, function := p.resolve(s, t[:open])
	for _, key := range several {
		if _, given := c.Keywords[key]; given {
			return unknown
		}
	}
	if k := results.Get()[module][function]; k != unknown {
		return k
	}
	switch {
	case module == "numpy" && slices.Contains(reductions, function) && len(c.Positional) == 1 && len(c.Keywords) == 0:
		if slices.Contains(framed, function) && p.importsModule("pandas") {
			return unknown
		}
		return number
	case module == "numpy" && slices.Contains(sized, function) && len(c.Positional) == 1 && numeric(p.kindAt(s, c.Positional[0], depth+1)):
		return number
	case module == "" && function == "round" && len(c.Positional) > 0 && numeric(p.kindAt(s, c.Positional[0], depth+1)):
		return number
	case module == "" && function == "abs" && len(c.Positional) == 1:
		return p.kindAt(s, c.Positional[0], depth+1)
	case (module == "" && function == "sum") && len(c.Positional) == 1 && p.kindAt(s, c.Positional[0], depth+1) == numbers:
		return number
	case open > 2 && t[open-2].Text == "." && function == "" && t[open-1].Text == "score" && len(c.Positional) == 2 && p.importsModule("sklearn"):
		return number // an estimator's score
	}
	return unknown
}

// kindOfArgument returns the kind of "args.NAME" if the script's parser gives it a type and a value.
func (p *program) kindOfArgument(s *python.Statement, t []python.Token) kind {
	if len(t) != 3 || t[1].Text != "." || t[0].Kind != python.Name {
		return unknown
	}
	list, _ := p.bindings(s, t[0].Text)
	if len(list) != 1 || list[0].how != assigned || !strings.HasSuffix(python.Written(list[0].value), ".parse_args()") {
		return unknown
	}
	if p.parser == nil {
		parser, _ := argparse.Read([]byte(p.text))
		p.parser = &parser
	}
	for _, a := range p.parser.Arguments {
		if a.Min != 1 || a.Max != 1 || strings.ReplaceAll(strings.TrimLeft(a.Name(), "-"), "-", "_") != t[2].Text {
			continue
		}
		switch a.Type {
		case "int":
			return whole
		case "float":
			return number
		}
	}
	return unknown
}

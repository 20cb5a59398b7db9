package listing

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/amlfix/amlfix/cmd/internal/ui"
	"github.com/amlfix/amlfix/schema/plain"
)

// WriteTargets writes a table for each project.
func WriteTargets(w io.Writer, style ui.Style, rows []Target) {
	for len(rows) > 0 {
		project := rows[0].Project
		n := slices.IndexFunc(rows, func(r Target) bool { return r.Project != project })
		if n < 0 {
			n = len(rows)
		}
		indent := ""
		if project != "" {
			_, _ = fmt.Fprintf(w, "%s\n", style.Bold(ui.Printable(project)))
			indent = "  "
		}
		table := ui.Heading(style, "TARGET", "TYPE", "IMAGE", "GPU EVIDENCE", "FRAMEWORK", "ENVIRONMENT", "VERDICT")
		for _, r := range rows[:n] {
			table.Row(r.Name, r.Type, few(r.images), strings.Join(r.Evidence, ", "), strings.Join(r.Framework, ", "),
				shortPaths(r.Environment), r.Verdict)
			switch {
			case r.Errors > 0:
				table.Paint(6, style.Red)
			case r.Warnings+r.Accepted > 0:
				table.Paint(6, style.Yellow)
			case r.GPU:
				table.Paint(6, style.Green)
			}
		}
		table.Write(w, indent)
		if rows = rows[n:]; len(rows) > 0 {
			_, _ = fmt.Fprintln(w)
		}
	}
}

// shortPaths joins paths, without the folder common to all configuration.
func shortPaths(paths []string) string {
	var list []string
	for _, p := range paths {
		switch path.Dir(p) {
		case "aml_config", ".azureml":
			p = path.Base(p)
		}
		list = append(list, p)
	}
	return few(list)
}

// few joins the first items of a list and counts the others: a v2 compute may have many.
func few(list []string) string {
	if len(list) <= 2 {
		return strings.Join(list, ", ")
	}
	return list[0] + " and " + plain.Count(len(list)-1, "other")
}

// Command refresh asks a package registry about one package and updates its row of
// schema/catalog/tables/python_wheels.csv. Run it in the root of the repository:
//
//	go run ./schema/catalog/refresh numpy       # shows the row
//	go run ./schema/catalog/refresh -w numpy    # writes it into the table
//	go run ./schema/catalog/refresh -stale      # names rows that are out of date
//
// It takes one package at a time and sends one request for its metadata, to the address that ordinary clients use:
// registries are not for bulk look-ups.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/amlfix/amlfix/schema/catalog"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "refresh:", err)
		}
		os.Exit(1)
	}
}

// table is the path of the file to update, relative to the root of the repository.
const table = "schema/catalog/tables/python_wheels.csv"

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("refresh", flag.ContinueOnError)
	write := flags.Bool("w", false, "write the row into "+table)
	index := flags.String("index", "https://pypi.org", "the registry's `ADDRESS`")
	day := flags.String("date", time.Now().UTC().Format(time.DateOnly), "the `DAY` to write as the day of the check, or for which to look for stale rows")
	stale := flags.Bool("stale", false, "name the rows that say current but were not checked for too long; send no requests")
	days := flags.Int("days", catalog.FreshDays, "with -stale: how many `DAYS` a row is trusted")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *stale {
		return listStale(*day, *days, out)
	}
	if flags.NArg() != 1 {
		return errors.New("name one package: go run ./schema/catalog/refresh numpy")
	}
	if _, err := time.Parse(time.DateOnly, *day); err != nil {
		return fmt.Errorf("-date: %q is not a day such as %s", *day, catalog.AsOf)
	}
	p, err := ask(ctx, *index, flags.Arg(0))
	if err != nil {
		return err
	}
	row := p.row(*day)
	if !*write {
		return writeRow(out, row)
	}
	if err := replace(table, row); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "wrote the row of %s to %s\n", p.name, table)
	return err
}

// errStale is returned if rows have to be checked again.
var errStale = errors.New("these rows say that they are current: compare them with their sources, and write the new day into them")

func listStale(day string, days int, out io.Writer) error {
	list, err := catalog.Stale(os.DirFS("schema/catalog"), day, days)
	if err != nil {
		return err
	}
	for _, r := range list {
		if _, err := fmt.Fprintf(out, "schema/catalog/tables/%s.csv:%d: %s was seen on %s: %s\n", r.Table, r.Line, r.Key, r.Seen, r.Source); err != nil {
			return err
		}
	}
	if len(list) > 0 {
		return fmt.Errorf("%d of them are more than %d days old: %w", len(list), days, errStale)
	}
	return nil
}

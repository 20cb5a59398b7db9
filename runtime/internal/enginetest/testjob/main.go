//go:build linux

// Command testjob is the program in the test image. Each argument is a step, "verb:value"; the steps are executed in
// order.
package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	for i, arg := range os.Args[1:] {
		verb, value, _ := strings.Cut(arg, ":")
		if err := step(verb, value, os.Args[i+2:]); err != nil {
			_, _ = fmt.Fprintln(os.Stderr, "testjob:", arg+":", err)
			os.Exit(99)
		}
	}
}

func step(verb, value string, rest []string) error {
	switch verb {
	case "out": // to standard output, verbatim
		_, err := io.WriteString(os.Stdout, value)
		return err
	case "err":
		_, err := io.WriteString(os.Stderr, value)
		return err
	case "hex": // bytes to standard output
		b, err := hex.DecodeString(value)
		_, _ = os.Stdout.Write(b)
		return err
	case "count": // N numbered lines, alternating between the streams
		n, err := strconv.Atoi(value)
		for i := range n {
			if i%2 == 0 {
				_, _ = fmt.Fprintln(os.Stdout, "line", i)
			} else {
				_, _ = fmt.Fprintln(os.Stderr, "line", i)
			}
		}
		return err
	case "bulk": // N million bytes, in lines of a hundred
		n, err := strconv.Atoi(value)
		lines := bytes.Repeat([]byte(strings.Repeat("x", 99)+"\n"), 100)
		for range n * 100 {
			_, _ = os.Stdout.Write(lines)
		}
		return err
	case "tick": // N lines, one every 20 ms
		n, err := strconv.Atoi(value)
		for i := range n {
			_, _ = fmt.Fprintln(os.Stdout, "tick", i)
			time.Sleep(20 * time.Millisecond)
		}
		return err
	case "sleep":
		d, err := time.ParseDuration(value)
		time.Sleep(d)
		return err
	case "await": // a file
		for {
			if _, err := os.Stat(value); err == nil {
				return nil
			}
			time.Sleep(20 * time.Millisecond)
		}
	case "exit":
		code, err := strconv.Atoi(value)
		if err == nil {
			os.Exit(code)
		}
		return err
	case "deaf": // ignores polite requests to end
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	case "graceful": // on SIGTERM, and SIGINT unless it is deaf to that, prints value and succeeds
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		if !signal.Ignored(syscall.SIGINT) {
			signal.Notify(c, syscall.SIGINT)
		}
		go func() {
			<-c
			_, _ = fmt.Fprintln(os.Stdout, value)
			os.Exit(0)
		}()
	case "kill": // itself
		n, err := strconv.Atoi(value)
		if err != nil {
			return err
		}
		return syscall.Kill(os.Getpid(), syscall.Signal(n))
	case "alloc": // allocates N MiB and uses them
		n, err := strconv.Atoi(value)
		b := make([]byte, n<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		return err
	case "write": // PATH=TEXT
		path, text, _ := strings.Cut(value, "=")
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		return os.WriteFile(path, []byte(text), 0o666)
	case "fill": // a file with zeros, until an error occurs
		return fill(value)
	case "fillup": // likewise, and continues
		_ = fill(value)
	case "link": // PATH=TARGET
		path, target, _ := strings.Cut(value, "=")
		return os.Symlink(target, path)
	case "hardlink": // PATH=FIRST
		path, first, _ := strings.Cut(value, "=")
		return os.Link(first, path)
	case "cat":
		b, err := os.ReadFile(value)
		_, _ = fmt.Fprint(os.Stdout, string(b))
		return err
	case "env":
		text, found := os.LookupEnv(value)
		_, _ = fmt.Fprintf(os.Stdout, "%s=%q %v\n", value, text, found)
	case "ls":
		list, err := os.ReadDir(value)
		for _, e := range list {
			_, _ = fmt.Fprint(os.Stdout, e.Name(), " ")
		}
		_, _ = fmt.Fprintln(os.Stdout)
		return err
	case "where":
		dir, err := os.Getwd()
		_, _ = fmt.Fprintln(os.Stdout, dir, os.Getuid(), os.Getgid(), len(os.Args))
		return err
	case "child": // the remaining steps in a child that nobody waits for
		cmd := exec.Command("/testjob", rest...)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			return err
		}
		os.Exit(0)
	case "try": // a step in a child, however it ends
		cmd := exec.Command("/testjob", value)
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		_ = cmd.Run()
	case "run": // a program that the test has put into the container
		cmd := exec.Command("/testjob", "exec")
		cmd.Path, cmd.Args = value, []string{value}
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		return cmd.Run()
	default:
		return errors.New("no such step")
	}
	return nil
}

func fill(name string) error {
	f, err := os.Create(name)
	for b := make([]byte, 1<<20); err == nil; {
		_, err = f.Write(b)
	}
	return err
}

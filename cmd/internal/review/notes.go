package review

import "fmt"

// disclaimer is the note at the end of a repair for --gpu: what the repair guarantees, and what not.
const disclaimer = "The repairs make the files consistent with each other; they do not ensure that the image can still be pulled or that its packages can still be installed."

// goneImages is the note at the end of a repair of files that name a removed image: infos are not shown, and a user who
// has just repaired the files is about to run them.
func goneImages(places int) string {
	where := "one place"
	if places > 1 {
		where = fmt.Sprintf("%d places", places)
	}
	return "In " + where + " the image can no longer be pulled, only used where it was pulled in time: amlfix --verbose shows where."
}

// close ends the reports, and writes the notes below them.
func (k *Review) close() error {
	err := k.writer.close(k.summary)
	if k.forGPU && len(k.Answers.GPU)+len(k.Answers.CPU) > 0 {
		k.note(disclaimer)
	}
	if k.gone > 0 && k.applies() && k.summary.Repaired > 0 && !k.Report.Verbose {
		k.note(goneImages(k.gone))
	}
	return err
}

// note writes a sentence below the report, or to standard error if the report is for programs.
func (k *Review) note(text string) {
	if k.writer.forPeople() && !k.Aside {
		_, _ = fmt.Fprintln(k.Out, text)
		return
	}
	k.Say("%s", text)
}

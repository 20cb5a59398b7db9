package mlflow

import (
	"context"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/amlfix/amlfix/runtime/record"
)

// sendArtifacts sends outputs/, the log and the record.
func (m *Mirror) sendArtifacts(ctx context.Context, r record.Record) error {
	there, err := m.client.run(ctx, m.state.Run)
	if err != nil {
		return err
	}
	folder, err := record.Files(m.dir) // only what is in the record is sent, whatever the record lists
	if err != nil {
		return err
	}
	defer folder.Close()
	send := func(file, name string) error {
		f, err := folder.OpenRead(file)
		if err != nil {
			return nil // the list in the record says what there was
		}
		defer func() { _ = f.Close() }()
		info, err := f.Stat()
		if err != nil {
			return nil
		}
		return m.client.upload(ctx, there.Run.Info.URI, name, info.Size(), f)
	}
	if r.Outputs != nil {
		for _, o := range r.Outputs.Files {
			if !fs.ValidPath(o.Path) {
				continue
			}
			if err := send(path.Join(record.OutputsName, o.Path), path.Join("outputs", o.Path)); err != nil {
				return err
			}
		}
	}
	if err := send(filepath.Base(record.LogFile(m.dir)), "log.txt"); err != nil {
		return err
	}
	return send(filepath.Base(record.Path(m.dir)), "record.json")
}

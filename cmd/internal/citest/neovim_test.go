package citest

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// neovim opens a file, waits for its findings, makes all safe repairs with the corresponding action, saves all files,
// and prints what it was shown.
const neovim = `
local name, program = vim.env.NAME, vim.env.PROGRAM
vim.o.swapfile = false
vim.cmd("edit " .. name)
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = "amlfix", cmd = { program, "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, client)
vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 20)
local shown = {}
for _, d in ipairs(vim.diagnostic.get(buffer)) do
  table.insert(shown, { line = d.lnum + 1, rule = d.code, message = d.message })
end
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {}, only = { "source.fixAll" } }
for _, answer in pairs(vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", params, 60000)) do
  for _, action in ipairs(answer.result) do
    vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
  end
end
vim.cmd("silent wall")
io.stdout:write(vim.fn.json_encode(shown))
vim.cmd("qall!")
`

// TestNeovim has Neovim's built-in client show findings and make all safe repairs: the files are then as amlfix --apply
// leaves them.
func TestNeovim(t *testing.T) {
	t.Parallel()
	nvim := testkit.Program(t, "nvim")
	program := built(t)
	files := testkit.Contents(t, filepath.Join(top(t), "testdata", "article"))
	by, repaired := testkit.Lay(t, files), testkit.Lay(t, files)
	script := filepath.Join(t.TempDir(), "drive.lua")
	testkit.Write(t, filepath.Dir(script), "drive.lua", neovim)
	cmd := exec.Command(nvim, "--headless", "--clean", "-c", "luafile "+script)
	cmd.Dir = by
	cmd.Env = append(cmd.Environ(), "NAME=aml_config/workstation.compute", "PROGRAM="+program, "XDG_STATE_HOME="+t.TempDir())
	out, err := cmd.Output()
	testkit.OK(t, err)
	var shown []struct {
		Line int    `json:"line"`
		Rule string `json:"rule"`
	}
	testkit.OK(t, json.Unmarshal(out, &shown))
	if len(shown) == 0 || shown[0].Rule != "gpu/nvidia-docker" || shown[0].Line != 5 {
		t.Errorf("%+v", shown)
	}
	repair(t, program, repaired)
	testkit.Same(t, testkit.Contents(t, repaired), testkit.Contents(t, by))
}

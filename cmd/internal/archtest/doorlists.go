package archtest

// allowed lists what may be used of the packages that can change files: functions, variables, types and, as "Type.Name"
// or "Type.*", methods. Constants need no entry. Anything not listed is forbidden, including additions of later Go
// versions.
var allowed = map[string][]string{
	"os": {
		// Nothing is created, changed or removed by these.
		"Args", "Environ", "Executable", "Exit", "Getenv", "Getegid", "Geteuid", "Getgid", "Getpid", "Getuid", "Getwd", "Hostname", "LookupEnv", "Unsetenv",
		"TempDir", "UserCacheDir", "UserConfigDir", "UserHomeDir",
		"Lstat", "Open", "ReadDir", "ReadFile", "Readlink", "SameFile", "Stat", "IsExist", "IsNotExist", "IsPathSeparator", "IsPermission",
		"DirEntry", "FileInfo", "FileMode", "LinkError", "PathError", "SyscallError", "ErrDeadlineExceeded", "ErrExist", "ErrNotExist", "ErrPermission", "ErrProcessDone",
		// Processes, and the pipes to them.
		"FindProcess", "Pipe", "Process", "Process.*", "ProcessState", "ProcessState.*", "Signal", "Signal.*", "Interrupt", "Kill", "Stderr", "Stdin", "Stdout",
		// Reading below a folder, without a way out of it.
		"OpenInRoot", "OpenRoot", "Root", "Root.Close", "Root.FS", "Root.Lstat", "Root.Name", "Root.Open", "Root.OpenRoot", "Root.ReadFile", "Root.Readlink", "Root.Stat",
		// A file that schema/disk has opened for writing, or that was opened for reading.
		"File", "File.Close", "File.Fd", "File.Name", "File.Read", "File.ReadAt", "File.ReadDir", "File.Readdirnames", "File.Seek", "File.SetDeadline",
		"File.SetReadDeadline", "File.SetWriteDeadline", "File.Stat", "File.Sync", "File.Truncate", "File.Write", "File.WriteAt", "File.WriteString",
	},
	"syscall":                  {"Credential", "Errno", "Errno.*", "Kill", "Signal", "Signal.*", "Stat_t", "SysProcAttr", "Timespec.Nano", "WaitStatus", "WaitStatus.*"},
	"syscall/js":               {"FuncOf", "Global", "Value", "Value.Call", "Value.Set", "Value.String"},
	"golang.org/x/sys/unix":    {"Access", "Siginfo", "Statfs", "Statfs_t", "Waitid"},
	"golang.org/x/sys/windows": {"GetConsoleMode", "Handle", "SetConsoleMode"},
	// A socket can be a file: nothing listens, and nothing dials from a local address.
	"net": {
		"Addr", "Addr.*", "Conn", "Conn.*", "DNSError", "DNSError.*", "DialTimeout", "Dialer", "Dialer.DialContext", "ErrClosed", "Error", "Error.*", "JoinHostPort", "OpError",
		"OpError.*", "ParseIP", "SplitHostPort",
	},
	// A received request keeps parts of it in files; these are sent.
	"net/http": {
		"Client", "Client.Do", "Header", "Header.*", "NewRequestWithContext", "ProxyFromEnvironment", "Request", "Request.SetBasicAuth", "Response", "RoundTripper", "RoundTripper.RoundTrip", "StatusText",
		"Transport",
	},
	"log":           {"SetOutput"}, // so that libraries say nothing past the program
	"runtime/debug": {"BuildInfo", "BuildSetting", "ReadBuildInfo", "SetGCPercent", "SetMemoryLimit", "Stack"},
	// A method called by name is invisible to the type checker.
	"reflect": {
		"DeepEqual", "Indirect", "TypeFor", "Value", "Value.CanInt", "Value.FieldByName", "Value.Index", "Value.Int", "Value.IsValid", "Value.IsZero", "Value.Kind", "Value.Len",
		"Value.String", "Value.Type", "ValueOf",
		// Fields are found and set in memory, and nothing is called.
		"StructField.IsExported", "StructTag.Get", "Type", "Type.Elem", "Value.Elem", "Value.FieldByIndex", "Value.Set", "Value.SetBool", "Value.SetInt", "Value.SetString", "VisibleFields",
	},
}

// harmless are the packages of Go's standard library whose functions create and change no file: os/exec starts other
// programs, which is the purpose of amlfix run.
var harmless = []string{
	"archive/tar", "archive/zip", "bufio", "bytes", "cmp", "compress/gzip", "context", "crypto/rand", "crypto/sha256", "embed", "encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex",
	"encoding/json", "encoding/xml", "errors", "flag", "fmt", "hash/maphash", "io", "io/fs", "iter", "maps", "math", "math/big", "math/bits", "math/rand/v2", "net/url", "os/exec", "os/signal", "os/user", "path",
	"path/filepath", "regexp", "regexp/syntax", "runtime", "runtime/metrics", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// known are the third-party packages that the program imports outside schema/disk, with what a review found that they
// write.
var known = map[string]string{
	"github.com/bmatcuk/doublestar/v4":             "only its functions on strings are used; the others read",
	"github.com/containerd/errdefs":                "kinds of errors",
	"github.com/docker/docker/api/types/build":     "types",
	"github.com/docker/docker/api/types/container": "types",
	"github.com/docker/docker/api/types/filters":   "types",
	"github.com/docker/docker/api/types/image":     "types",
	"github.com/docker/docker/api/types/mount":     "types",
	"github.com/docker/docker/api/types/versions":  "compares texts",
	"github.com/docker/docker/api/types/volume":    "types",
	"github.com/docker/docker/client":              "talks to the engine; files come as streams",
	"github.com/docker/docker/pkg/stdcopy":         "from one stream to two",
	"github.com/docker/go-units":                   "reads numbers",
	"github.com/kevinburke/ssh_config":             "reads ~/.ssh/config",
	"github.com/santhosh-tekuri/jsonschema/v5":     "checks values; its loader reads what is compiled in",
	"github.com/skeema/knownhosts":                 "reads known_hosts; what it writes goes to a writer, and is not used",
	"github.com/urfave/cli/v2":                     "flags and help; writes to the writers it is given",
	"go.lsp.dev/uri":                               "addresses",
	"golang.org/x/crypto/ssh":                      "talks to another machine",
	"golang.org/x/crypto/ssh/agent":                "talks to the agent",
	"golang.org/x/crypto/ssh/knownhosts":           "reads known_hosts",
	"golang.org/x/term":                            "settings of the terminal, which is not a file of anybody",
	"gopkg.in/yaml.v3":                             "from text to values and back",
}

// theDoor is the package to which the lists do not apply.
const theDoor = Module + "/schema/disk"

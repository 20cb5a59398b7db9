package prepare

import (
	"io"
	"testing"

	"github.com/amlfix/amlfix/schema/testkit"
)

// TestTrouble checks what is understood of the output of pip 23.2, conda 23.3 and libmamba 1.5, however it is cut.
func TestTrouble(t *testing.T) {
	const broken = "WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by "
	const none = "ERROR: No matching distribution found for nosuch\n"
	for text, want := range map[string]Trouble{
		none: NoTrouble,
		broken + "'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f75>: Failed to establish a new connection: [Errno -2] Name or service not known')': /simple/nosuch/\n" + none: Unreachable,
		broken + "'SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1006)'))': /simple/nosuch/\n" + none:                          Untrusted,
		broken + "'ProxyError('Cannot connect to proxy.', …)': /simple/a/\n" + none:                                                                                                                                Unreachable,
		broken + "'ReadTimeoutError(…)': /simple/a/\nCollecting a\n  Downloading a-1.0-py3-none-any.whl (5 kB)\n" + none:                                                                                           NoTrouble,
		"ERROR: Could not install packages due to an OSError: Could not find a suitable TLS CA certificate bundle, invalid path: /etc/ssl/certs/ca-certificates.crt\n":                                             NoAuthorities,
		"CondaHTTPError: HTTP 000 CONNECTION FAILED for url <https://repo.anaconda.com/pkgs/main/linux-64/repodata.json>\n":                                                                                        Unreachable,
		"Download error (60) SSL peer certificate or SSH remote key was not OK\nSSL certificate problem: unable to get local issuer certificate\n":                                                                 Untrusted,
		broken + "'ReadTimeoutError(…)'\nOSError: [Errno 28] No space left on device\n  Downloading b\n":                                                                                                           FullDisk,
	} {
		for _, size := range []int{1, 7, len(text)} {
			var said Said
			w := said.listener.to(io.Discard)
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				_, _ = io.WriteString(w, rest[:n])
				rest = rest[n:]
			}
			testkit.Same(t, want, said.Trouble())
		}
	}
}

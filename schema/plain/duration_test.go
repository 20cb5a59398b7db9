package plain_test

import (
	"testing"
	"time"

	"github.com/amlfix/amlfix/schema/plain"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "", 850 * time.Millisecond: "850ms", 187_700 * time.Microsecond: "188ms", 12300 * time.Millisecond: "12.3s", 245 * time.Second: "4m05s",
		999_600 * time.Microsecond: "1.0s", 59_949 * time.Millisecond: "59.9s", 59_960 * time.Millisecond: "1m00s", time.Hour - 10*time.Millisecond: "1h00m",
		200 * time.Minute: "3h20m", 52 * time.Hour: "2d04h",
	} {
		testkit.Same(t, want, plain.Duration(d), d)
	}
}

package tracking_test

import (
	"testing"

	"github.com/amlfix/amlfix/fixers/migrate/tracking"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestFrameAppends(t *testing.T) {
	const head = "import pandas as pd\n"
	for _, c := range []struct {
		name, in string
		want     []int
	}{
		{"frame", head + "d = pd.DataFrame()\nd = d.append(row)\n", []int{3}},
		{"read", head + "d = pd.read_csv('a')\nfor x in y:\n    e = d.append(x)\n", []int{4}},
		{"by name", "from pandas import DataFrame as D\nd = D([])\nd.append(1)\n", []int{3}},
		{"list", head + "d = []\nd.append(1)\n", nil},
		{"either", head + "d = pd.DataFrame()\nd = []\nd.append(1)\n", nil},
		{"parts", head + "d = pd.read_csv('a', chunksize=3)\nd.append(1)\n", nil},
		{"parameter", head + "d = pd.DataFrame()\ndef f(d):\n    d.append(1)\n", nil},
		{"another pd", "import nope as pd\n# pandas\nd = pd.DataFrame()\nd.append(1)\n", nil},
		{"attribute", head + "d = pd.DataFrame()\nx.d.append(1)\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) { testkit.Same(t, c.want, tracking.FrameAppends([]byte(c.in))) })
	}
}

package settings

import (
	"strconv"
	"strings"

	"github.com/amlfix/amlfix/schema/document"
)

// Cluster is one setting of the cluster that jobs run on with -t k8s. Each label of node-selector and each item of
// tolerations is a separate setting, named "node-selector" or "toleration".
type Cluster struct {
	Name, Value string
	Pointer     string // where it is written, for Origin
}

func (s *Settings) readClusters(n *document.Node) {
	if n = n.Resolve(); n == nil {
		return
	}
	for _, e := range n.Entries() {
		name, at := e.Key.Text(), "/kubernetes/"+e.Key.Text()
		switch value := e.Value.Resolve(); {
		case name == "node-selector" && value.IsMapping():
			for _, label := range value.Entries() {
				if label.Value.IsString() {
					s.Kubernetes = append(s.Kubernetes, Cluster{name, label.Key.Text() + "=" + label.Value.Text(), at})
				}
			}
		case name == "tolerations":
			for i, text := range texts(value) {
				s.Kubernetes = append(s.Kubernetes, Cluster{"toleration", text, at + "/" + strconv.Itoa(i)})
			}
		case value.IsString():
			s.Kubernetes = append(s.Kubernetes, Cluster{name, value.Text(), at})
		}
	}
}

func (s *Settings) clusterText() string {
	var list []string
	for _, c := range s.Kubernetes {
		list = append(list, c.Name+": "+c.Value)
	}
	return strings.Join(list, ", ")
}

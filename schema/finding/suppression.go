package finding

// Suppression is the decision to accept a finding.
type Suppression struct {
	// Kind says where it is written; the words are those of SARIF 2.1.0, §3.35.2.
	Kind SuppressionKind `json:"kind"`
	// Justification is the reason given, or "".
	Justification string `json:"justification"`
}

// SuppressionKind says where a suppression is written.
type SuppressionKind string

// The kinds of suppressions.
const (
	InSource SuppressionKind = "inSource" // a comment in the file
	External SuppressionKind = "external" // the baseline
)

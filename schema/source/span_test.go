package source_test

import (
	"testing"

	"github.com/amlfix/amlfix/schema/source"
	"github.com/amlfix/amlfix/schema/testkit"
)

func TestMerge(t *testing.T) {
	merged := source.Merge([]source.Span{{7, 9}, {0, 2}, {1, 4}, {4, 5}, {20, 30}, {21, 22}})
	testkit.Same(t, []source.Span{{0, 5}, {7, 9}, {20, 30}}, merged)
	for span, want := range map[source.Span]bool{{0, 1}: true, {4, 7}: true, {5, 7}: false, {8, 20}: true, {9, 20}: false, {29, 40}: true, {30, 40}: false} {
		testkit.Same(t, want, source.AnyOverlaps(merged, span), span)
	}
	if source.Merge(nil) != nil || source.AnyOverlaps(nil, source.Span{Start: 0, End: 1}) {
		t.Error("nothing is something")
	}
}

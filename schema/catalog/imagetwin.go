package catalog

// GPUTwin returns the GPU image of the same version and kind as a CPU image: plus-0.9.9 gives plus-gpu-0.9.9, 0.9.9
// gives gpu-0.9.9, plus gives plus-gpu, latest or no tag gives gpu. There is no twin if the image is unknown or already
// a GPU image, if none was published (plus-0.12), or if several CUDA versions compete (see GPUCandidates). Dated Azure
// ML tags have none either, because the other repository need not have the same date.
func GPUTwin(repo, tag string) (Image, bool) {
	row, ok := findImage(repo, tag)
	candidates := GPUCandidates(repo, tag)
	if !ok || len(candidates) != 1 || (row.key.tag == anyTag && row.Tag != "latest") {
		return Image{}, false
	}
	return candidates[0], true
}

// GPUCandidates returns every GPU image whose CPU twin is this image, the vendor's latest default first. Images of
// repositories with dated tags get the tag latest.
func GPUCandidates(repo, tag string) []Image {
	cpu, ok := findImage(repo, tag)
	if !ok || cpu.GPU {
		return nil
	}
	var found []Image
	rows := imageRows.all() // by index, because a row is large
	for i := range rows {
		if rows[i].twin == cpu.key {
			found = append(found, pinned(rows[i]))
		}
	}
	return found
}

// CPUTwin returns the CPU image of the same version and kind as a GPU image.
func CPUTwin(repo, tag string) (Image, bool) {
	gpu, ok := findImage(repo, tag)
	if !ok || !gpu.GPU || gpu.twin == (imageKey{}) || (gpu.key.tag == anyTag && gpu.Tag != "latest") {
		return Image{}, false
	}
	if cpu := imageAt(gpu.twin); cpu != nil {
		return pinned(*cpu), true
	}
	return Image{}, false
}

// PlusVariant returns the plus image of the same version, with a GPU if the given image has one: plus-0.7.91 for
// 0.7.91, plus-gpu-0.7.91 for gpu-0.7.91, and a plus image for itself.
func PlusVariant(repo, tag string) (Image, bool) {
	img, ok := LookupImage(repo, tag)
	switch {
	case !ok:
		return Image{}, false
	case img.Plus:
		return img, true
	case img.Tag == "latest":
		return known(img.Repo, "plus")
	default:
		return known(img.Repo, "plus-"+img.Tag)
	}
}

// known returns the exact row; unlike LookupImage, it never uses an any-tag row.
func known(repo, tag string) (Image, bool) {
	if row := imageAt(imageKey{repo, tag}); row != nil {
		return row.Image, true
	}
	return Image{}, false
}

// pinned returns the image of a row, with the tag latest if the row is for any tag.
func pinned(row imageRow) Image {
	if row.Tag == anyTag {
		row.Tag, row.Moving = "latest", true
	}
	return row.Image
}

package catalog

// GPUTwin returns the GPU image of the same version and kind as a CPU image:
// plus-0.9.9 gives plus-gpu-0.9.9, 0.9.9 gives gpu-0.9.9, plus gives plus-gpu,
// latest or no tag gives gpu. There is no twin when the image is unknown or a
// GPU image already, when none was published (plus-0.12), and when several CUDA
// versions compete (see GPUCandidates). Dated Azure ML tags have none either,
// for the date need not exist on the other side.
func GPUTwin(repo, tag string) (Image, bool) {
	row, ok := findImage(repo, tag)
	candidates := GPUCandidates(repo, tag)
	if !ok || len(candidates) != 1 || (row.key.tag == anyTag && row.Tag != "latest") {
		return Image{}, false
	}
	return candidates[0], true
}

// GPUCandidates lists every GPU image whose CPU twin is this image, the
// vendor's latest default first. Images of dated repositories come with the tag
// latest.
func GPUCandidates(repo, tag string) []Image {
	cpu, ok := findImage(repo, tag)
	if !ok || cpu.GPU {
		return nil
	}
	var found []Image
	for _, row := range imageRows() {
		if row.twin == cpu.key {
			found = append(found, pinned(row))
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
	cpu, ok := imageIndex()[gpu.twin]
	return pinned(cpu), ok
}

// PlusVariant returns the plus image with the same version and the same GPU
// side: 0.7.91 gives plus-0.7.91, gpu-0.7.91 gives plus-gpu-0.7.91. A plus
// image gives itself.
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

// known looks up an exact row; unlike LookupImage it never answers from an any-tag row.
func known(repo, tag string) (Image, bool) {
	row, ok := imageIndex()[imageKey{repo, tag}]
	return row.Image, ok
}

// pinned gives an any-tag row a tag that can be written down.
func pinned(row imageRow) Image {
	if row.Tag == anyTag {
		row.Tag, row.Moving = "latest", true
	}
	return row.Image
}

// The criterion's verdict on a leaf of the pool: split, merge or keep.  Every leaf is evaluated in every round of
// splits and merges.  Must be in scope: lod.glsl for the Earth, lod_wish.glsl.
#ifndef OROGEN_POOL_VERDICTS_GLSL
#define OROGEN_POOL_VERDICTS_GLSL

// Returns the criterion's measure of a base (pixels).  There is one program per criterion, since software rasterisers
// execute both sides of a branch.
float pixelsOf(Lattice a, Lattice b)
{
#ifdef OROGEN_BY_ERROR
    return errorPixels(a, b);
#else
    vec2 measure = edgeMeasure(a, b);
    return measure.x / measure.y;
#endif
}

// Returns whether a leaf requests a merge, given the measure of its own base.  Evaluates the parent's base only if the
// leaf's own base is below the merge threshold, which is rare in a converged tree.  The condition is written as a loop,
// since a software rasteriser executes both sides of a branch.
bool wouldMerge(uint slot, CubeLeaf leaf, float pixels)
{
    bool asks = cubeLeafDepth(leaf.shape) > 0u && pixels < state.mergePixels;
    bool merge = false;
    for (; asks; asks = false)
    {
        ivec2 kept = poolIsChild1(slot) ? cubeLeft(leaf) : cubeRight(leaf);  // end of the parent's base
        int face = cubeLeafFace(leaf.shape);
        merge = pixelsOf(ivec3(kept, face), ivec3(2 * leaf.apex - kept, face)) < state.mergePixels;
    }
    return merge;
}

// `place`: place in the list, which the pool does not need.
Verdict verdictOn(uint place, uint slot)
{
    CubeLeaf leaf = poolLeaf(slot);
    int face = cubeLeafFace(leaf.shape);
    Verdict verdict;
    verdict.pixels = pixelsOf(ivec3(cubeLeft(leaf), face), ivec3(cubeRight(leaf), face));
    verdict.split = verdict.pixels > state.splitPixels;
    verdict.merge = wouldMerge(slot, leaf, verdict.pixels);
    // After an increase of the patch level, a leaf whose patch would be finer than the lattice must merge.
    if (cubeLeafDepth(leaf.shape) + 2u * frame.patchLevel > kDrawnCubeDepths)
    {
        verdict.split = false;
        verdict.merge = true;
    }
    return verdict;
}

#endif

// What the criterion says of a leaf of the pool: every leaf is looked at in every round.
// Must be in scope: lod.glsl with OROGEN_EARTH, lod_wish.glsl.
#ifndef OROGEN_POOL_VERDICTS_GLSL
#define OROGEN_POOL_VERDICTS_GLSL

// A program for each criterion: a software rasteriser executes both sides of a branch.
float pixelsOf(Lattice a, Lattice b)
{
#ifdef OROGEN_BY_ERROR
    return errorPixels(a, b);
#else
    vec2 measure = edgeMeasure(a, b);
    return measure.x / measure.y;
#endif
}

// A leaf that is large enough itself does not ask what its parent is: where leaves are as they should be, that spares
// most of them the second look.  A loop, since a software rasteriser runs through what a branch leaves out.
bool wouldMerge(uint slot, CubeLeaf leaf, float pixels)
{
    bool asks = cubeLeafDepth(leaf.shape) > 0u && pixels < state.mergePixels;
    bool merge = false;
    for (; asks; asks = false)
    {
        ivec2 kept = poolIsChild1(slot) ? cubeLeft(leaf) : cubeRight(leaf);  // of the parent's base, whose middle is the apex
        int face = cubeLeafFace(leaf.shape);
        merge = pixelsOf(ivec3(kept, face), ivec3(2 * leaf.apex - kept, face)) < state.mergePixels;
    }
    return merge;
}

Verdict verdictOn(uint slot)
{
    CubeLeaf leaf = poolLeaf(slot);
    int face = cubeLeafFace(leaf.shape);
    Verdict verdict;
    verdict.pixels = pixelsOf(ivec3(cubeLeft(leaf), face), ivec3(cubeRight(leaf), face));
    verdict.split = verdict.pixels > state.splitPixels;
    verdict.merge = wouldMerge(slot, leaf, verdict.pixels);
    // Patches have become finer, and such a leaf would be drawn with more than the lattice has.
    if (cubeLeafDepth(leaf.shape) + 2u * frame.patchLevel > kDrawnCubeDepths)
    {
        verdict.split = false;
        verdict.merge = true;
    }
    return verdict;
}

#endif

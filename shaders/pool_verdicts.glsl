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

Verdict verdictOn(uint slot)
{
    CubeLeaf leaf = poolLeaf(slot);
    int face = cubeLeafFace(leaf.shape);
    ivec2 left = cubeLeft(leaf), right = cubeRight(leaf);
    ivec2 kept = poolIsChild1(slot) ? left : right;  // an end of the parent's base, whose middle is the apex
    uint depth = cubeLeafDepth(leaf.shape);
    Verdict verdict;
    verdict.pixels = pixelsOf(ivec3(left, face), ivec3(right, face));
    verdict.split = verdict.pixels > state.splitPixels;
    verdict.merge = !verdict.split && depth > 0u && pixelsOf(ivec3(kept, face), ivec3(2 * leaf.apex - kept, face)) < state.mergePixels;
    // Patches have become finer, and such a leaf would be drawn with more than the lattice has.
    if (depth + 2u * frame.patchLevel > kDrawnCubeDepths)
    {
        verdict.split = false;
        verdict.merge = true;
    }
    return verdict;
}

#endif

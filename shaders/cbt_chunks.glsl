// Chunks: subtrees of 2^kChunkDepth bits (or the whole of a smaller tree), the unit of the incremental reduction.
// Needs cbt.glsl, `TreeState state` and `uint dirty[]` in scope.
#ifndef OROGEN_CBT_CHUNKS_GLSL
#define OROGEN_CBT_CHUNKS_GLSL

uint chunkBits() { return min(cbtMaxDepth(), kChunkDepth); }                // the subtree's depth
uint chunkCount() { return 1u << (cbtMaxDepth() - chunkBits()); }
uint chunkRoot(uint chunk) { return chunkCount() + chunk; }                 // heap index

// The first thread that touches a chunk lists it.  The next dispatch has a group for each, and one where there is none.
void touchChunk(uint bit)
{
    uint chunk = bit >> chunkBits();
    if (atomicOr(dirty[chunk], 1u) != 0u) return;
    uint place = atomicAdd(state.dirtyChunks, 1u);
    dirty[chunkCount() + place] = chunk;
    if (place != 0u) atomicAdd(state.reduceGroups[0], 1u);
}

#endif

// Chunks: subtrees of 2^kChunkDepth bits (or a whole smaller tree), the unit of the incremental reduction.  Needs
// cbt.glsl, `TreeState state` and `uint dirty[]` in scope.
#ifndef OROGEN_CBT_CHUNKS_GLSL
#define OROGEN_CBT_CHUNKS_GLSL

uint chunkBits() { return min(cbtMaxDepth(), kChunkDepth); }                // depth of the subtree
uint chunkCount() { return 1u << (cbtMaxDepth() - chunkBits()); }
uint chunkRoot(uint chunk) { return chunkCount() + chunk; }                 // heap index

// Marks the chunk of a bit as dirty, to be reduced.  The first thread that marks a chunk also lists it.  The
// reduction's dispatch has one workgroup for each listed chunk, but at least one.
void touchChunk(uint bit)
{
    uint chunk = bit >> chunkBits();
    if (atomicOr(dirty[chunk], 1u) != 0u) return;
    uint place = atomicAdd(state.dirtyChunks, 1u);
    dirty[chunkCount() + place] = chunk;
    if (place != 0u) atomicAdd(state.reduceGroups[0], 1u);
}

#endif

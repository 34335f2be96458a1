// The storage of the pool of bisectors.  Twin of core/leb/pool.h.
//
// Slots in use are the set bits of `heap`, the field of a CBT whose depth is the logarithm of the number of slots N.
// All other data are in one buffer, in words:
//     poolFacts[0]  the maximum depth of leaves
//     8 slot + ...  slots across edges 0, 1, 2 (links); x, y and shape (cube_leaf.glsl); id (pool.h), low word first
//     8 N + 4 k + ...     three new links of slot k, written by the current round; then, for another use, the k-th slot
//                         that the round hands out
//     12 N + 8 word + ... five words for each 32 slots: one bit per slot whose leaf splits, whose child 0 splits, and
//                         whose child 1 splits; number of slots that the leaves of all lower words need; pairPrefix of
//                         lod_round.glsl
// Edge 0 runs from the apex to the left corner, 1 from right to apex, 2 (the base) from left to right.
//
// Must be in scope: cbt.glsl.
#ifndef OROGEN_POOL_GLSL
#define OROGEN_POOL_GLSL

#include "shaders/pool/cube_leaf.glsl"

#ifndef OROGEN_PREFIX_QUALIFIER  // lod_buffers.glsl defines it for rounds; readers need no coherence
#define OROGEN_PREFIX_QUALIFIER
#endif
layout(std430, binding = kPoolBinding) OROGEN_PREFIX_QUALIFIER buffer PoolBlock { uint poolFacts[4]; uint pool[]; };

const uint kPoolPlace = 3u;  // offset in a slot's words
const uint kPoolId = 6u;
const uint kPoolBefore = 3u;  // offset in the words of 32 slots
const uint kPoolPairPrefix = 4u;

uint poolSlots() { return 1u << cbtMaxDepth(); }
uint poolMaxDepth() { return poolFacts[0]; }

uint poolLink(uint slot, uint edge) { return pool[8u * slot + edge]; }
uint poolShape(uint slot) { return pool[8u * slot + kPoolPlace + 2u]; }
bool poolIsChild1(uint slot) { return (pool[8u * slot + kPoolId] & 1u) != 0u; }

CubeLeaf poolLeaf(uint slot)
{
    uint at = 8u * slot + kPoolPlace;
    CubeLeaf leaf;
    leaf.apex = ivec2(int(pool[at]), int(pool[at + 1u]));
    leaf.shape = pool[at + 2u];
    return leaf;
}

uint poolNext(uint slot) { return 8u * poolSlots() + 4u * slot; }  // index of the first of its new links
uint poolHandedOut(uint rank) { return pool[poolNext(rank) + 3u]; }
uint poolWord(uint word) { return 12u * poolSlots() + 8u * word; }

#endif

// The storage of the pool of bisectors, in which every leaf occupies a slot.  core/leb/pool.h does the same on the CPU.
//
// A pool has N slots.  Slots in use are the set bits of `heap`, the bit field of a CBT (cbt.glsl) of depth log2 N.  All
// other data are in one buffer: poolFacts[0] is the maximum depth of leaves, and the words of pool[] are
//     8 slot + 0 ... 2     links: slots of the leaves across edges 0, 1, 2
//     8 slot + 3 ... 5     x, y and shape (cube_leaf.glsl)
//     8 slot + 6, 7        id (cube_leaf.h), low word first
//     8 N + 4 k + 0 ... 2  new links of slot k, written by the current round of splits and merges
//     8 N + 4 k + 3        k-th slot that the current round hands out, unrelated to slot k
//     12 N + 8 w + 0 ... 2 bits of the 32 slots from 32 w on: the leaf splits; child 0 splits; child 1 splits
//     12 N + 8 w + 3       number of slots that the splits in lower words of the same block of kSumBlock words need
//     12 N + 8 w + 4       pairPrefix[w] of lod_round.glsl
//     12 N + 8 b + 5       number of slots that the splits in all blocks below block b need
//
// Edge 0 runs from the apex to the left corner, 1 from right to apex, 2 (the base) from left to right.
//
// Must be in scope: cbt.glsl.
#ifndef OROGEN_POOL_GLSL
#define OROGEN_POOL_GLSL

#include "shaders/pool/cube_leaf.glsl"

#ifndef OROGEN_PREFIX_QUALIFIER  // lod_buffers.glsl defines it for passes that write; reading alone needs no coherence
#define OROGEN_PREFIX_QUALIFIER
#endif
layout(std430, binding = kPoolBinding) OROGEN_PREFIX_QUALIFIER buffer PoolBlock { uint poolFacts[4]; uint pool[]; };

const uint kPoolPlace = 3u;  // offsets in the words of a slot
const uint kPoolId = 6u;
const uint kPoolBefore = 3u;  // offsets in the words of 32 slots
const uint kPoolPairPrefix = 4u;
const uint kPoolBlock = 5u;

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

// Returns the index in pool[] of the first new link of a slot.
uint poolNext(uint slot) { return 8u * poolSlots() + 4u * slot; }
uint poolHandedOut(uint rank) { return pool[poolNext(rank) + 3u]; }
// Returns the index in pool[] of the first of the words that describe 32 slots.
uint poolWord(uint word) { return 12u * poolSlots() + 8u * word; }

#endif

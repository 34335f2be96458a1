// The storage of the triangulation and of a round of splits and merges, as cbt.glsl and lod_round.glsl require.  With
// OROGEN_POOL the triangulation is the pool of bisectors (pool.glsl), otherwise the implicit tree.
#ifndef OROGEN_LOD_BUFFERS_GLSL
#define OROGEN_LOD_BUFFERS_GLSL

// Qualifiers for buffers through which workgroups of one dispatch communicate.
#ifndef OROGEN_HEAP_QUALIFIER
#define OROGEN_HEAP_QUALIFIER
#endif
#ifndef OROGEN_COUNTERS_QUALIFIER
#define OROGEN_COUNTERS_QUALIFIER
#endif
#ifndef OROGEN_PREFIX_QUALIFIER
#define OROGEN_PREFIX_QUALIFIER
#endif

layout(std430, binding = kTreeBinding) OROGEN_HEAP_QUALIFIER buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kFlagsBinding) buffer FlagsBlock { uint leafFlags[]; };
layout(std430, binding = kPlanBinding) buffer PlanBlock { uint leafPlan[]; };
layout(std430, binding = kPairsBinding) OROGEN_COUNTERS_QUALIFIER buffer PairsBlock
{
    uint roundCounters[22];  // as many as kLodCounters
    uint pairBits[];
};
#ifndef OROGEN_POOL
layout(std430, binding = kPrefixBinding) OROGEN_PREFIX_QUALIFIER buffer PrefixBlock { uint pairPrefix[]; };
#endif
layout(std430, binding = kStateBinding) buffer StateBlock { TreeState state; uint dirty[]; };
#ifdef OROGEN_CHANGES
layout(std430, binding = kChangesBinding) buffer ChangesBlock { uint changes[]; };
#endif

#include "shaders/tree/cbt.glsl"
#include "shaders/tree/cbt_chunks.glsl"
#include "shaders/tree/leb.glsl"
#ifdef OROGEN_POOL
#include "shaders/pool/pool.glsl"
#endif
#include "shaders/lod/lod_round.glsl"

#endif

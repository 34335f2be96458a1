// The storage of the triangulation and of the round, in one place: what cbt.glsl and lod_round.glsl want to be in scope.
// With OROGEN_POOL that of the pool of bisectors.
#ifndef OROGEN_LOD_BUFFERS_GLSL
#define OROGEN_LOD_BUFFERS_GLSL

#ifndef OROGEN_HEAP_QUALIFIER
#define OROGEN_HEAP_QUALIFIER
#endif

layout(std430, binding = kTreeBinding) OROGEN_HEAP_QUALIFIER buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) buffer LeavesBlock { uint leaves[]; };
layout(std430, binding = kFlagsBinding) buffer FlagsBlock { uint leafFlags[]; };
layout(std430, binding = kPlanBinding) buffer PlanBlock { uint leafPlan[]; };
layout(std430, binding = kPairsBinding) buffer PairsBlock { uint roundCounters[20]; uint pairBits[]; };  // kLodCounters
#ifndef OROGEN_POOL
layout(std430, binding = kPrefixBinding) buffer PrefixBlock { uint pairPrefix[]; };
#endif
layout(std430, binding = kStateBinding) buffer StateBlock { TreeState state; uint dirty[]; };

#include "shaders/cbt.glsl"
#include "shaders/leb.glsl"
#ifdef OROGEN_POOL
#include "shaders/pool.glsl"
#endif
#include "shaders/lod_round.glsl"

#endif

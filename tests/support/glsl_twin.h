// Shader libraries compiled as C++, so that their source runs under ASan, UBSan and TSan with real threads.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/glsl_types.h"

namespace orogen::test {

using namespace orogen::gpu;

// Everything that the libraries expect in scope. Buffers have the sizes that a renderer of that leaf capacity
// allocates.
struct GlslTwin
{
    std::vector<uint> heap;  // a Cbt's words()
    std::vector<uint> leaves, leafFlags, leafPlan, pairBits, pairPrefix, roundCounters, changes;

    void touchChunk(uint) {}

#define OROGEN_CHANGES 1
#define const static constexpr  // a global constant of GLSL becomes a member of this struct
#include "shaders/lod/lod_round.glsl"
#include "shaders/tree/cbt.glsl"
#include "shaders/tree/leb.glsl"
#undef const
#undef OROGEN_CHANGES

    GlslTwin(std::vector<uint> words, std::size_t leafCapacity)
        : heap(std::move(words)), leaves(leafCapacity), leafFlags(leafCapacity), leafPlan(leafCapacity),
          pairBits(2 * (leafCapacity / 32 + 1)), pairPrefix(leafCapacity / 32 + 1), roundCounters(kLodCounters),
          changes(heap.size() / 2)
    {
    }
};

}  // namespace orogen::test

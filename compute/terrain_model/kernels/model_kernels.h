// Passes of the terrain model as kernels: model_cells.glsl compiled as C++, a kernel for each pass.
#pragma once

#include <cmath>

#include "compute/device/kernel.h"
#include "compute/terrain_model/model_passes.h"

namespace orogen::compute {

struct ModelPassArguments
{
    ModelValues values;
    void* arrays[kModelSlots];
};
constexpr unsigned kModelThreads = 256;

namespace OROGEN_TARGET {

struct ModelCells
{
    using uint = std::uint32_t;

    OROGEN_DEVICE explicit ModelCells(const ModelPassArguments& of)
        : columns(of.values.columns), rows(of.values.rows), otherColumns(of.values.otherColumns),
          otherRows(of.values.otherRows), number(of.values.number), alongX(of.values.alongX), alongY(of.values.alongY),
          diagonal(of.values.diagonal), a(of.values.a), b(of.values.b),
          heights(static_cast<double*>(of.arrays[kHeightsSlot])), given(static_cast<double*>(of.arrays[kGivenSlot])),
          made(static_cast<double*>(of.arrays[kMadeSlot])), terms(static_cast<double*>(of.arrays[kTermsSlot])),
          kinds(static_cast<uint*>(of.arrays[kKindsSlot])), pointers(static_cast<uint*>(of.arrays[kPointersSlot])),
          nextPointers(static_cast<uint*>(of.arrays[kNextPointersSlot])),
          counts(static_cast<uint*>(of.arrays[kCountsSlot])),
          nextCounts(static_cast<uint*>(of.arrays[kNextCountsSlot])), found(static_cast<uint*>(of.arrays[kFoundSlot])),
          stencil(static_cast<float*>(of.arrays[kStencilSlot])), right(static_cast<float*>(of.arrays[kRightSlot])),
          answer(static_cast<float*>(of.arrays[kAnswerSlot])), coarse(static_cast<float*>(of.arrays[kCoarseSlot]))
    {
    }

    OROGEN_DEVICE static void atomicAdd(uint& word, uint value) { fetchAdd(&word, value); }
    OROGEN_DEVICE static void atomicOr(uint& word, uint bits) { fetchOr(&word, bits); }

// Makes the functions of the GLSL file members of ModelCells, and its constants static members.
#define OROGEN_CELL OROGEN_DEVICE
#define const static constexpr
#include "shaders/model/model_cells.glsl"
#undef const
#undef OROGEN_CELL

    uint columns, rows, otherColumns, otherRows, number;
    double alongX, alongY, diagonal, a, b;
    double *heights, *given, *made, *terms;
    uint *kinds, *pointers, *nextPointers, *counts, *nextCounts, *found;
    float *stencil, *right, *answer, *coarse;
};

#define OROGEN_BODY_OF_PASS(name)                                                                                      \
    OROGEN_DEVICE inline void name##Model(const ModelPassArguments& arguments)                                         \
    {                                                                                                                  \
        ModelCells cells(arguments);                                                                                   \
        const std::uint64_t stride = std::uint64_t(gridSize().x) * kModelThreads;                                      \
        for (std::uint64_t i = std::uint64_t(blockIndex().x) * kModelThreads + threadIndex().x;                        \
             i < arguments.values.cells; i += stride)                                                                  \
            cells.name(std::uint32_t(i));                                                                              \
    }
OROGEN_MODEL_PASSES(OROGEN_BODY_OF_PASS)
#undef OROGEN_BODY_OF_PASS

}  // namespace OROGEN_TARGET

#define OROGEN_KERNEL_OF_PASS(name) OROGEN_KERNEL(name##Model, ModelPassArguments, kModelThreads)
OROGEN_MODEL_PASSES(OROGEN_KERNEL_OF_PASS)
#undef OROGEN_KERNEL_OF_PASS

}  // namespace orogen::compute

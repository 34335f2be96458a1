// Passes of the terrain model over cells (shaders/model/model_cells.glsl): names, arrays and values, for every device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orogen::compute {

// Passes, by the names of their functions.
#define OROGEN_MODEL_PASSES(pass)                                                                                      \
    pass(descend) pass(startCounts) pass(doubleCounts) pass(startCuts) pass(doubleCuts) pass(cut) pass(shareFailures)  \
        pass(fail) pass(startCreep) pass(multiply) pass(combine) pass(combineSquares) pass(crept) pass(flowOut)        \
            pass(startCycle) pass(startSweep) pass(sweep) pass(restrictResidual) pass(prolong) pass(endCycle)          \
                pass(sumTerms)
enum class ModelPass
{
#define OROGEN_NAME_OF_PASS(name) name,
    OROGEN_MODEL_PASSES(OROGEN_NAME_OF_PASS)
#undef OROGEN_NAME_OF_PASS
};

// Binding slots of a pass's arrays.  Arrays that no pass uses together may share a slot.
enum ModelSlot : std::size_t
{
    kHeightsSlot = 0,
    kGivenSlot = 1,
    kCountsSlot = 1,
    kMadeSlot = 2,
    kNextCountsSlot = 2,
    kTermsSlot = 3,
    kKindsSlot = 4,
    kStencilSlot = 4,
    kPointersSlot = 5,
    kRightSlot = 5,
    kNextPointersSlot = 6,
    kAnswerSlot = 6,
    kFoundSlot = 7,
    kCoarseSlot = 7,
    kModelSlots = 8,
};

// Values of a pass: see model_cells.glsl.
struct ModelValues
{
    std::uint32_t cells = 0, columns = 0, rows = 0, otherColumns = 0, otherRows = 0, number = 0;
    double alongX = 1, alongY = 1, diagonal = 1, a = 0, b = 0;
};

}  // namespace orogen::compute

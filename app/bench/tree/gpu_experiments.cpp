#include "app/bench/tree/gpu_experiments.h"

#include <memory>

#include "app/bench/tree/gpu_contenders.h"

namespace orogen::app {
namespace {

using Layout = GpuTree::Layout;

struct Variant
{
    const char* name;
    Layout layout;
    GpuContender (*contender)(const GpuTree&, lab::Fill);
};

template <class Tree>
Result<GpuTree> upload(GpuLab& lab, lab::Fill fill, int depth)
{
    return GpuTree::create(lab.library, lab.programs, lab.limits, uniformTree<Tree>(fill, depth));
}

Result<std::vector<lab::Row>> measure(GpuLab& lab, const GpuTurns& turns, const std::vector<Variant>& variants)
{
    constexpr double kStepMs = 50;
    constexpr lab::Fill kFill = lab::Fill::kQuarter;
    std::vector<std::unique_ptr<GpuTree>> trees;
    std::vector<GpuContender> contenders;
    for (const Variant& variant : variants)
    {
        Result<GpuTree> made = variant.layout == Layout::kWide ? upload<Cbt>(lab, kFill, turns.depth)
                                                               : upload<PackedCbt>(lab, kFill, turns.depth);
        if (!made) return made.error();
        trees.push_back(std::make_unique<GpuTree>(std::move(*made)));
        contenders.push_back(variant.contender(*trees.back(), kFill));
    }
    GpuMeasurement measurement(std::move(contenders), {.rounds = turns.rounds});
    while (!measurement.step(kStepMs))
        if (turns.goOn && !turns.goOn()) return std::vector<lab::Row>();

    std::vector<lab::Row> rows;
    const std::vector<lab::Timing> timings = measurement.timings();
    for (std::size_t i = 0; i < variants.size(); ++i)
        rows.push_back({.variant = variants[i].name,
                        .layout = variants[i].layout == Layout::kWide ? "wide" : "packed",
                        .instructionSet = {},
                        .threads = 0,
                        .depth = turns.depth,
                        .fill = lab::nameOf(kFill),
                        .amount = 1u << (turns.depth - 2),
                        .timing = timings[i],
                        .ratio = timings[i].minimumMs / timings[0].minimumMs,
                        .medianRatio = timings[i].medianMs / timings[0].medianMs});
    return rows;
}

}  // namespace

Result<std::vector<lab::Row>> measureGpuReductions(GpuLab& lab, const GpuTurns& turns)
{
    return measure(lab, turns,
                   {{"GPU: in chunks, 2 dispatches", Layout::kWide, gpuReduction},
                    {"GPU: one pass over the bits", Layout::kWide, gpuPlainPass},
                    {"GPU, paper: level by level", Layout::kPacked, gpuReduction}});
}

Result<std::vector<lab::Row>> measureGpuDecodes(GpuLab& lab, const GpuTurns& turns)
{
    return measure(lab, turns,
                   {{"GPU: descent to a word, select", Layout::kWide, gpuDecode},
                    {"GPU, paper: descent", Layout::kPacked, gpuDecode}});
}

Result<std::vector<lab::Row>> measureGpuCycles(GpuLab& lab, const GpuTurns& turns)
{
    return measure(lab, turns,
                   {{"GPU: update, reduction, list", Layout::kWide, gpuCycle},
                    {"GPU, paper: fused update, reduction", Layout::kPacked, gpuCycle},
                    {"GPU: at rest, list", Layout::kWide, gpuCycleAtRest},
                    {"GPU, paper: at rest, decode", Layout::kPacked, gpuCycleAtRest}});
}

}  // namespace orogen::app

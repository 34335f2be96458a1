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
    bench::Contender (*contender)(const GpuTree&, bench::Fill);
};

template <class Tree>
Result<GpuTree> upload(GpuLab& lab, bench::Fill fill, int depth)
{
    return GpuTree::create(lab.library, lab.programs, lab.limits, uniformTree<Tree>(fill, depth));
}

Result<std::vector<bench::TreeRow>> measure(GpuLab& lab, const GpuParameters& parameters,
                                            const std::vector<Variant>& variants)
{
    constexpr bench::Fill kFill = bench::Fill::kQuarter;
    std::vector<std::unique_ptr<GpuTree>> trees;
    std::vector<bench::Contender> contenders;
    for (const Variant& variant : variants)
    {
        Result<GpuTree> made = variant.layout == Layout::kWide ? upload<Cbt>(lab, kFill, parameters.depth)
                                                               : upload<PackedCbt>(lab, kFill, parameters.depth);
        if (!made) return made.error();
        trees.push_back(std::make_unique<GpuTree>(std::move(*made)));
        contenders.push_back(variant.contender(*trees.back(), kFill));
    }
    bench::TrialOptions options = gpuTrialOptions(parameters.rounds);
    options.shouldStop = parameters.shouldStop;
    const Result<std::vector<bench::Timing>> measured = timeInterleaved(std::move(contenders), options);
    if (!measured) return measured.error();
    std::vector<bench::TreeRow> rows;
    const std::vector<bench::Timing>& timings = *measured;
    for (std::size_t i = 0; i < variants.size(); ++i)
        rows.push_back({.variant = variants[i].name,
                        .layout = variants[i].layout == Layout::kWide ? "wide" : "packed",
                        .instructionSet = {},
                        .threads = 0,
                        .depth = parameters.depth,
                        .fill = bench::nameOf(kFill),
                        .amount = 1u << (parameters.depth - 2),
                        .timing = timings[i],
                        .ratio = timings[i].minimumMs / timings[0].minimumMs,
                        .medianRatio = timings[i].medianMs / timings[0].medianMs});
    return rows;
}

}  // namespace

Result<std::vector<bench::TreeRow>> measureGpuReductions(GpuLab& lab, const GpuParameters& parameters)
{
    return measure(lab, parameters,
                   {{"GPU: in chunks, 2 dispatches", Layout::kWide, gpuReduction},
                    {"GPU: one pass over the bits", Layout::kWide, gpuPlainPass},
                    {"GPU, paper: level by level", Layout::kPacked, gpuReduction}});
}

Result<std::vector<bench::TreeRow>> measureGpuDecodes(GpuLab& lab, const GpuParameters& parameters)
{
    return measure(lab, parameters,
                   {{"GPU: descent to a word, select", Layout::kWide, gpuDecode},
                    {"GPU, paper: descent", Layout::kPacked, gpuDecode}});
}

Result<std::vector<bench::TreeRow>> measureGpuCycles(GpuLab& lab, const GpuParameters& parameters)
{
    return measure(lab, parameters,
                   {{"GPU: update, reduction, list", Layout::kWide, gpuCycle},
                    {"GPU, paper: fused update, reduction", Layout::kPacked, gpuCycle},
                    {"GPU: at rest, list", Layout::kWide, gpuCycleAtRest},
                    {"GPU, paper: at rest, decode", Layout::kPacked, gpuCycleAtRest}});
}

}  // namespace orogen::app

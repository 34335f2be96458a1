// A byte count here is a sentence about a kernel's source: what one tile, group, limb or word of it loads and stores.
#include "compute/multiword/kernels/planned_additions.h"

#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "compute/multiword/kernels/add_shapes.h"
#include "compute/multiword/kernels/lookback.h"
#include "compute/multiword/kernels/two_pass.h"

namespace orogen::compute {
namespace {

constexpr double kLimb = 8, kWord = 4;  // bytes
constexpr double kTileLoads = 2.0 * kTileRows * sizeof(LimbPair);

std::uint64_t limbsOf(int lengthBits) { return std::uint64_t(1) << (lengthBits - 6); }
std::string sizeOf(int lengthBits) { return fmt::format("2^{} bits", lengthBits); }

void planLookback(std::vector<PlannedLaunch>& plan, int lengthBits)
{
    const double limbs = double(limbsOf(lengthBits));
    const LaunchShape tiles = shapeOfTiles(limbsOf(lengthBits));
    // A tile takes a ticket, says its state and reads those of the 32 tiles before it.
    const double ofTile = kWord + kWord + kWarpLanes * kWord;
    plan.push_back({"lookback", sizeOf(lengthBits), lookbackKernel(), tiles, 3 * kLimb * limbs + ofTile * tiles.grid.x,
                    3 * kLimb * limbs, kTileLoads});
}

void planTwoPass(std::vector<PlannedLaunch>& plan, int lengthBits)
{
    const double limbs = double(limbsOf(lengthBits));
    const LaunchShape tiles = shapeOfTiles(limbsOf(lengthBits));
    const unsigned ofThread = (tiles.grid.x + kScanThreads - 1) / kScanThreads;
    const double rules = kWord * tiles.grid.x, measured = 2 * kLimb * limbs + rules, added = 3 * kLimb * limbs + rules;
    plan.push_back(
        {"two-pass: measureTiles", sizeOf(lengthBits), measureTilesKernel(), tiles, measured, measured, kTileLoads});
    plan.push_back({"two-pass: scanTiles",
                    sizeOf(lengthBits),
                    scanTilesKernel(),
                    {{1}, {kScanThreads}},
                    3 * rules,
                    2 * rules,
                    kWord,
                    fmt::format("one block: a thread reads {} rules one after another", ofThread)});
    plan.push_back({"two-pass: addTiles", sizeOf(lengthBits), addTilesKernel(), tiles, added, added, kTileLoads});
}

void planRecursive(std::vector<PlannedLaunch>& plan, int lengthBits)
{
    const std::uint64_t limbs = limbsOf(lengthBits);
    const std::vector<std::uint64_t> levels = criterionLevels(limbs);
    const auto add = [&](const std::string& name, const KernelEntry& kernel, const LaunchShape& shape, double bytes,
                         double loadsOfRow) {
        plan.push_back(
            {"recursive: " + name, sizeOf(lengthBits), kernel, shape, bytes, bytes, kRecursiveRows * loadsOfRow});
    };
    // A level's words of C and T are made from the level below, and read, with their sum written, for the one above.
    const double firstWords = double(levels.front());
    add("sumLimbs", sumLimbsKernel(), shapeOfLimbs(limbs), 3 * kLimb * double(limbs) + 2 * kWord * firstWords,
        2 * kLimb);
    for (std::size_t i = 0; i + 1 < levels.size(); ++i)
        add(fmt::format("sumCriteria, level {}", i + 1), sumCriteriaKernel(), shapeOfPlaces(levels[i]),
            3 * kWord * double(levels[i]) + 2 * kWord * double(levels[i + 1]), 3 * kWord);
    plan.push_back({"recursive: sumLastCriteria",
                    sizeOf(lengthBits),
                    sumLastCriteriaKernel(),
                    {{1}, {kWarpLanes}},
                    3 * kWord * double(levels.back()),
                    3 * kWord * double(levels.back()),
                    3 * kWord});
    for (std::size_t i = levels.size() - 1; i-- > 0;)
        add(fmt::format("correctCriteria, level {}", i + 1), correctCriteriaKernel(), shapeOfPlaces(levels[i]),
            2 * kWord * double(levels[i]) + 2 * kWord * double(levels[i + 1]), kWord);
    add("correctLimbs", correctLimbsKernel(), shapeOfLimbs(limbs), 2 * kLimb * double(limbs) + 2 * kWord * firstWords,
        kLimb);
}

void planPaper3(std::vector<PlannedLaunch>& plan, int lengthBits, const ResidentBlocks& residentBlocks)
{
    const std::uint64_t k = paper3Groups(limbsOf(lengthBits));
    const double groups = double(k), numbers = kGroupLimbs * kLimb;
    const auto add = [&](const std::string& name, const KernelEntry& kernel, const LaunchShape& shape, double ofGroup,
                         double floorOfGroup, double loads) {
        plan.push_back(
            {"paper-3: " + name, sizeOf(lengthBits), kernel, shape, ofGroup * groups, floorOfGroup * groups, loads});
    };
    // C of a group, and its C1 and T1 in one word.
    add("sums", paper3SumsKernel(), shapeOfPaper3Groups(k), 3 * numbers + 2 * kWord, 3 * numbers + 2 * kWord,
        2 * numbers);
    // Steps 16 and 17 read both and keep what is handed on; step 19 reads both again.  C changes in few groups.
    const unsigned resident = residentBlocks(paper3IterationsKernel(), kPaper3Threads);
    add(fmt::format("one of {} iterations", k), paper3IterationsKernel(),
        shapeOfPaper3Iterations(k, kPaper3Threads, resident), 5 * kWord, 2 * kWord, 2 * kWord);
    plan.back().note = "a thread takes one group after another, as the paper's processors do";
    add("corrections", paper3CorrectionsKernel(), shapeOfPaper3Groups(k), 2 * numbers + 2 * kWord,
        2 * numbers + 2 * kWord, numbers + 2 * kWord);
}

}  // namespace

std::vector<PlannedLaunch> plannedAdditions(const ResidentBlocks& residentBlocks)
{
    std::vector<PlannedLaunch> plan;
    for (const int lengthBits : {24, 30, 33})
    {
        planLookback(plan, lengthBits);
        planTwoPass(plan, lengthBits);
        planRecursive(plan, lengthBits);
        if (lengthBits <= 30) planPaper3(plan, lengthBits, residentBlocks);
    }
    return plan;
}

}  // namespace orogen::compute

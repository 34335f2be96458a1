#include "core/frames/compare/pairing.h"

#include <algorithm>

#include "core/base/text.h"

namespace orogen {
namespace {

// Returns the round of a run, from 0, from its name run-NN.csv.
std::uint64_t roundOf(const ReportRun& run)
{
    constexpr std::size_t kFront = 4, kBack = 4;
    const std::string_view name = run.file;
    if (name.size() <= kFront + kBack) return 0;
    return numberIn<std::uint64_t>(name.substr(kFront, name.size() - kFront - kBack)).value_or(1) - 1;
}

const std::optional<Interleaving>& turnsOf(const RunOf& run) { return run.capture->report.interleaving; }

// Returns whether the runs are of one round of one capture and of different sides.
bool arePartners(const RunOf& a, const RunOf& b)
{
    const std::optional<Interleaving>&x = turnsOf(a), &y = turnsOf(b);
    return x && y && x->capture == y->capture && x->side != y->side && roundOf(*a.run) == roundOf(*b.run);
}

bool takesTurns(const RunOf& run, std::span<const RunOf> others)
{
    return turnsOf(run) && std::ranges::any_of(others, [&](const RunOf& other) {
               const std::optional<Interleaving>& turns = turnsOf(other);
               return turns && turns->capture == turnsOf(run)->capture && turns->side != turnsOf(run)->side;
           });
}

}  // namespace

std::vector<RunPair> pairsOf(std::span<const RunOf> baseline, std::span<const RunOf> candidate)
{
    const auto partnered = [](std::span<const RunOf> runs, std::span<const RunOf> others) {
        return std::ranges::all_of(runs, [&](const RunOf& run) { return takesTurns(run, others); });
    };
    if (!partnered(baseline, candidate) || !partnered(candidate, baseline)) return {};
    std::vector<RunPair> pairs;
    for (std::size_t i = 0; i < baseline.size(); ++i)
        for (std::size_t j = 0; j < candidate.size(); ++j)
            if (arePartners(baseline[i], candidate[j]))
                pairs.push_back({i, j, firstOfRound(roundOf(*candidate[j].run)) == turnsOf(candidate[j])->side});
    return pairs;
}

}  // namespace orogen

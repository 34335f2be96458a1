#include "compute/job/figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace orogen::compute {
namespace {

// Steps that the end-to-end time adds to the main time: from data in the CPU's memory in the caller's format, and back.
constexpr std::array<std::string_view, 6> kAround = {"convert", "pack", "allocate", "upload", "download", "unpack"};

void addRates(const JobResult& result, RunFigures& figures)
{
    const Work& work = result.work;
    const double seconds = figures.medianMs / 1000;
    if (work.bytes > 0) figures.gbPerS = work.bytes / seconds / 1e9;
    if (result.copyBytesPerSecond > 0) figures.copyGbPerS = result.copyBytesPerSecond / 1e9;
    if (figures.gbPerS && figures.copyGbPerS) figures.copyShare = *figures.gbPerS / *figures.copyGbPerS;
    if (work.operations > 0) figures.gopPerS = work.operations / seconds / 1e9;
    figures.floatingPoint = work.floatingPoint;
    if (work.iterations > 0) figures.msPerIteration = figures.medianMs / work.iterations;
}

}  // namespace

double quantileOf(std::span<const double> values, double share)
{
    if (values.empty()) return 0;
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const double place = share * double(sorted.size() - 1);
    const auto below = std::size_t(place);
    if (below + 1 >= sorted.size()) return sorted.back();
    return std::lerp(sorted[below], sorted[below + 1], place - double(below));
}

std::optional<RunFigures> figuresOf(const JobResult& result)
{
    const auto main = std::ranges::find(result.times, result.mainTime, &Timing::name);
    if (main == result.times.end() || main->ms <= 0) return std::nullopt;
    const std::vector<double> one = {main->ms}, &samples = main->samples.empty() ? one : main->samples;
    RunFigures figures = {.samples = samples.size(),
                          .shortestMs = *std::ranges::min_element(samples),
                          .medianMs = quantileOf(samples, 0.5),
                          .longestMs = *std::ranges::max_element(samples),
                          .lowerMs = quantileOf(samples, 0.25),
                          .upperMs = quantileOf(samples, 0.75),
                          .warmUpMs = main->warmUpMs};
    figures.endToEndMs = figures.medianMs;
    for (const Timing& time : result.times)
        if (std::ranges::find(kAround, time.name) != kAround.end()) figures.endToEndMs += time.ms;
    if (figures.medianMs > 0) addRates(result, figures);
    return figures;
}

std::vector<std::pair<std::string, double>> ratesOf(const RunFigures& figures)
{
    std::vector<std::pair<std::string, double>> rates;
    if (figures.samples > 1)
    {
        rates = {{"median_ms", figures.medianMs},
                 {"lower_quartile_ms", figures.lowerMs},
                 {"upper_quartile_ms", figures.upperMs}};
    }
    if (figures.endToEndMs > figures.medianMs) rates.emplace_back("end_to_end_ms", figures.endToEndMs);
    const auto add = [&rates](const char* key, const std::optional<double>& value) {
        if (value) rates.emplace_back(key, *value);
    };
    add("gb_per_s", figures.gbPerS);
    add("copy_gb_per_s", figures.copyGbPerS);
    add("share_of_copy", figures.copyShare);
    add(figures.floatingPoint ? "gflop_per_s" : "gop_per_s", figures.gopPerS);
    add("ms_per_iteration", figures.msPerIteration);
    return rates;
}

std::vector<std::pair<std::string, std::string>> figureRows(const RunFigures& figures)
{
    std::vector<std::pair<std::string, std::string>> rows;
    if (figures.samples > 1)
    {
        rows.emplace_back(fmt::format("median of {}", figures.samples), fmt::format("{:.4g} ms", figures.medianMs));
        rows.emplace_back("quartiles", fmt::format("{:.4g} to {:.4g} ms", figures.lowerMs, figures.upperMs));
    }
    if (figures.warmUpMs > 0) rows.emplace_back("warm-up, not counted", fmt::format("{:.4g} ms", figures.warmUpMs));
    if (figures.endToEndMs > figures.medianMs)
    {
        rows.emplace_back("resident", fmt::format("{:.4g} ms", figures.medianMs));
        rows.emplace_back("end to end", fmt::format("{:.4g} ms", figures.endToEndMs));
    }
    if (figures.gbPerS) rows.emplace_back("memory traffic", fmt::format("{:.3g} GB/s", *figures.gbPerS));
    if (figures.copyShare)
        rows.emplace_back("share of a copy",
                          *figures.copyShare < 10
                              ? fmt::format("{:.3g} % of {:.3g} GB/s", 100 * *figures.copyShare, *figures.copyGbPerS)
                              : fmt::format("{:.3g} times {:.3g} GB/s", *figures.copyShare, *figures.copyGbPerS));
    if (figures.gopPerS)
        rows.emplace_back(
            "speed", fmt::format("{:.3g} {}/s", *figures.gopPerS, figures.floatingPoint ? "Gflop" : "G operations"));
    if (figures.msPerIteration) rows.emplace_back("an iteration", fmt::format("{:.4g} ms", *figures.msPerIteration));
    return rows;
}

}  // namespace orogen::compute

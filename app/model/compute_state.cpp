#include "app/model/compute_state.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace orogen::app {

std::string commandOf(const ModuleRequest& request)
{
    std::string text = request.module;
    for (const auto& [name, value] : request.assignments)
        text += fmt::format(" {}={}", name, value);
    return text;
}

std::vector<std::int64_t> sweptSizes(std::int64_t from, std::int64_t to, int count)
{
    std::vector<std::int64_t> sizes;
    const double factor = std::log(double(to) / double(from)) / double(count - 1);
    for (int i = 0; i < count; ++i)
    {
        const std::int64_t size = i + 1 == count ? to : std::llround(double(from) * std::exp(factor * i));
        if (sizes.empty() || size > sizes.back()) sizes.push_back(size);
    }
    return sizes;
}

std::string nameOf(const compute::Variant& variant)
{
    return variant.backend == "cpu" ? variant.algorithm : fmt::format("{} on {}", variant.algorithm, variant.backend);
}

std::string_view keyOf(SweepQuantity quantity)
{
    constexpr std::string_view kKeys[] = {"time",  "end_to_end", "traffic", "copy_share",
                                          "speed", "iteration",  "speed_up"};
    return kKeys[int(quantity)];
}

std::optional<double> valueOf(SweepQuantity quantity, const compute::JobResult& result)
{
    const std::optional<compute::RunFigures> figures = compute::figuresOf(result);
    if (!figures) return std::nullopt;
    switch (quantity)
    {
    case SweepQuantity::kTime:
        return figures->medianMs;
    case SweepQuantity::kEndToEnd:
        return figures->endToEndMs > figures->medianMs ? std::optional(figures->endToEndMs) : std::nullopt;
    case SweepQuantity::kTraffic:
        return figures->gbPerS;
    case SweepQuantity::kCopyShare:
        return figures->copyShare ? std::optional(100 * *figures->copyShare) : std::nullopt;
    case SweepQuantity::kSpeed:
        return figures->gopPerS;
    case SweepQuantity::kIteration:
        return figures->msPerIteration;
    case SweepQuantity::kSpeedup:
        return result.speedup && result.speedup->factor > 0 ? std::optional(result.speedup->factor) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::vector<std::pair<std::string, std::string>>> ModuleSweep::next(std::string_view size) const
{
    if (over()) return std::nullopt;
    const compute::Variant& variant = request_.variants[this->variant()];
    auto assignments = request_.assignments;
    assignments.emplace_back("algorithm", variant.algorithm);
    assignments.emplace_back("backend", variant.backend);
    assignments.emplace_back(std::string(size), std::to_string(sizeNow()));
    return assignments;
}

std::string ModuleSweep::nextName() const
{
    if (over()) return {};
    return fmt::format("{}, {}", nameOf(request_.variants[variant()]), sizeNow());
}

bool ModuleSweep::failed(std::size_t variant) const
{
    return std::ranges::any_of(
        points_, [variant](const ModuleSweepPoint& point) { return point.variant == variant && !point.result; });
}

void ModuleSweep::add(std::optional<compute::JobResult> result, std::string error)
{
    points_.push_back({variant(), sizeNow(), std::move(result), std::move(error)});
    ++at_;
    skip();
}

void ModuleSweep::skip()
{
    const auto tooLarge = [this] {
        const std::int64_t largest = request_.variants[variant()].largest;
        return largest > 0 && sizeNow() > largest;
    };
    while (at_ < todo() && (failed(variant()) || tooLarge()))
        ++at_;
}

}  // namespace orogen::app

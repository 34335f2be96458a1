// A sweep of a compute module over sizes: one run after another, algorithms side by side, each run a job like any
// other.  What is to be run next, and what came of it; no thread and no clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/job/figures.h"
#include "compute/job/module.h"

namespace orogen::app {

struct ModuleSweepRequest
{
    std::string module;                                              // Module::name()
    std::vector<std::pair<std::string, std::string>> assignments{};  // of every run
    std::vector<compute::Variant> variants{};                        // at least one
    std::vector<std::int64_t> sizes{};                               // of the module's size; ascending, at least one
};

// From `from` to `to`, both among them, in equal factors; each once.  1 <= from <= to, count >= 2.
std::vector<std::int64_t> sweptSizes(std::int64_t from, std::int64_t to, int count);

// "simd", "lookback on cuda": what a line of the plot is called.
std::string nameOf(const compute::Variant& variant);

struct ModuleSweepPoint
{
    std::size_t variant = 0;  // of the request's
    std::int64_t size = 0;
    std::optional<compute::JobResult> result{};  // empty: it failed
    std::string error{};
};

// What a plot of a sweep can show over the size.
enum class SweepQuantity
{
    kTime,       // the median of the main time, ms
    kEndToEnd,   // ms
    kTraffic,    // GB/s
    kCopyShare,  // %
    kSpeed,      // 1e9 operations a second
    kIteration,  // ms
    kSpeedup,    // over what the module holds itself against
};
inline constexpr SweepQuantity kSweepQuantities[] = {
    SweepQuantity::kTime,  SweepQuantity::kEndToEnd,  SweepQuantity::kTraffic, SweepQuantity::kCopyShare,
    SweepQuantity::kSpeed, SweepQuantity::kIteration, SweepQuantity::kSpeedup};
std::string_view keyOf(SweepQuantity quantity);  // "time", "end_to_end", as scripts click it
std::optional<double> valueOf(SweepQuantity quantity, const compute::JobResult& result);

class ModuleSweep
{
public:
    explicit ModuleSweep(ModuleSweepRequest request) : request_(std::move(request)) { skip(); }

    const ModuleSweepRequest& request() const { return request_; }
    // Parameters and values of the next run, the size parameter called `size`; empty: there is none.
    std::optional<std::vector<std::pair<std::string, std::string>>> next(std::string_view size) const;
    std::string nextName() const;  // "simd, 65536"
    // Takes the result of a run, or its error.  A variant that failed is left out from there on, since a larger size
    // will not do better; so is one that takes no larger size.
    void add(std::optional<compute::JobResult> result, std::string error);
    void cancel() { cancelled_ = true; }

    bool over() const { return cancelled_ || at_ == todo(); }
    bool cancelled() const { return cancelled_; }
    std::size_t done() const { return at_; }  // runs, with those left out
    std::size_t todo() const { return request_.sizes.size() * request_.variants.size(); }
    const std::vector<ModuleSweepPoint>& points() const { return points_; }

private:
    std::size_t variant() const { return at_ % request_.variants.size(); }
    std::int64_t sizeNow() const { return request_.sizes[at_ / request_.variants.size()]; }
    bool failed(std::size_t variant) const;
    void skip();  // what is left out

    ModuleSweepRequest request_;
    std::vector<ModuleSweepPoint> points_;
    std::size_t at_ = 0;  // all variants of a size, then the next size: lines grow side by side
    bool cancelled_ = false;
};

}  // namespace orogen::app

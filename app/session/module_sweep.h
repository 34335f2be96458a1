// Sweep of a compute module over sizes and algorithms: the order of runs, and their results.  Starts no job itself.
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
    std::vector<std::pair<std::string, std::string>> assignments{};  // for every run
    std::vector<compute::Variant> variants{};                        // at least one
    std::vector<std::int64_t> sizes{};  // values of the module's size parameter; ascending, at least one
};

// Returns up to `count` (>= 2) distinct sizes from `from` to `to`, both included, in equal factors; 1 <= from <= to.
std::vector<std::int64_t> sweptSizes(std::int64_t from, std::int64_t to, int count);

// Returns the name of a plot line: "simd", "lookback on cuda".
std::string nameOf(const compute::Variant& variant);

struct ModuleSweepPoint
{
    std::size_t variant = 0;  // index into the request's variants
    std::int64_t size = 0;
    std::optional<compute::JobResult> result{};  // empty: failed
    std::string error{};
};

// Quantities that a sweep's plot can show over the size.
enum class SweepQuantity
{
    kTime,       // median of the main time (ms)
    kEndToEnd,   // ms
    kTraffic,    // GB/s
    kCopyShare,  // %
    kSpeed,      // 1e9 operations per second
    kIteration,  // ms
    kSpeedup,    // over the module's reference
};
inline constexpr SweepQuantity kSweepQuantities[] = {
    SweepQuantity::kTime,  SweepQuantity::kEndToEnd,  SweepQuantity::kTraffic, SweepQuantity::kCopyShare,
    SweepQuantity::kSpeed, SweepQuantity::kIteration, SweepQuantity::kSpeedup};
std::string_view keyOf(SweepQuantity quantity);  // "time", "end_to_end": name in scripts
std::optional<double> valueOf(SweepQuantity quantity, const compute::JobResult& result);

class ModuleSweep
{
public:
    explicit ModuleSweep(ModuleSweepRequest request) : request_(std::move(request)) { skip(); }

    const ModuleSweepRequest& request() const { return request_; }
    // Returns parameters and values of the next run, with the size parameter called `size`; empty: none left.
    std::optional<std::vector<std::pair<std::string, std::string>>> next(std::string_view size) const;
    std::string nextName() const;  // "simd, 65536"
    // Adds a run's result or error.  A failed variant is skipped from then on, since larger sizes would fail too; so is
    // one that supports no larger size.
    void add(std::optional<compute::JobResult> result, std::string error);
    void cancel() { cancelled_ = true; }

    bool over() const { return cancelled_ || at_ == todo(); }
    bool cancelled() const { return cancelled_; }
    std::size_t done() const { return at_; }  // runs, including skipped ones
    std::size_t todo() const { return request_.sizes.size() * request_.variants.size(); }
    const std::vector<ModuleSweepPoint>& points() const { return points_; }

private:
    std::size_t variant() const { return at_ % request_.variants.size(); }
    std::int64_t sizeNow() const { return request_.sizes[at_ / request_.variants.size()]; }
    bool failed(std::size_t variant) const;
    void skip();  // advances past runs to be skipped

    ModuleSweepRequest request_;
    std::vector<ModuleSweepPoint> points_;
    std::size_t at_ = 0;  // iterates variants first, then sizes, so plot lines grow together
    bool cancelled_ = false;
};

}  // namespace orogen::app

// Statistics of a run's times: median and spread over its repetitions, rates of its work, and end-to-end time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/job/module.h"

namespace orogen::compute {

// Returns the quantile `share` (0 to 1) of the values, in any order, by linear interpolation; 0 if there are none.
double quantileOf(std::span<const double> values, double share);

struct RunFigures
{
    std::size_t samples = 1;                             // number of main times, without the warm-up
    double shortestMs = 0, medianMs = 0, longestMs = 0;  // main time, with the data resident on the device
    double lowerMs = 0, upperMs = 0;                     // quartiles of the main time
    double warmUpMs = 0;                                 // 0: no warm-up
    // Median plus packing, allocation and transfers both ways; equals the median if there are none.
    double endToEndMs = 0;
    // Rates by the median; empty if the module does not report its work or nothing was measured.
    std::optional<double> gbPerS = {}, copyGbPerS = {}, copyShare = {};  // 1e9 bytes/s; copyShare: 1 is a plain copy's
    std::optional<double> gopPerS = {};                                  // 1e9 operations/s
    bool floatingPoint = false;                                          // gopPerS counts floating-point operations
    std::optional<double> msPerIteration = {};
};

// Returns nullopt if the result has no main time, or one of 0.
std::optional<RunFigures> figuresOf(const JobResult& result);

// Returns the keys and values of `rates` in the result's JSON; empty if the run was timed once and its work is unknown.
std::vector<std::pair<std::string, double>> ratesOf(const RunFigures& figures);

// Returns the figures as rows of a table: label, value with unit.
std::vector<std::pair<std::string, std::string>> figureRows(const RunFigures& figures);

}  // namespace orogen::compute

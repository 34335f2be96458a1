// What the times of a run come to: median and spread over its repetitions, rates of its work, and what the way to the
// device and back adds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/job/module.h"

namespace orogen::compute {

// A value at a share of those in order, between two of them in proportion; 0 of none.  `share` from 0 to 1.
double quantileOf(std::span<const double> values, double share);

struct RunFigures
{
    std::size_t samples = 1;                             // of the main time, without the warm-up
    double shortestMs = 0, medianMs = 0, longestMs = 0;  // of the main time: data that lie where it is calculated
    double lowerMs = 0, upperMs = 0;                     // its quartiles
    double warmUpMs = 0;                                 // 0: there was none
    // The median, and what the data need before and afterwards: packing, allocation, both ways of the transfer.  Equal
    // to the median where there is none of that.
    double endToEndMs = 0;
    // By the median; empty: the module does not say, or nothing was measured.
    std::optional<double> gbPerS = {}, copyGbPerS = {}, copyShare = {};  // 1e9 bytes; share: 1 is as quick as a copy
    std::optional<double> gopPerS = {};                                  // 1e9 operations
    bool floatingPoint = false;                                          // they are flop
    std::optional<double> msPerIteration = {};
};

// Empty where the result has no main time, or one of 0.
std::optional<RunFigures> figuresOf(const JobResult& result);

// The keys and values of `rates` in the result's JSON; none where the run was timed once and its work is not known.
std::vector<std::pair<std::string, double>> ratesOf(const RunFigures& figures);

// The same for people: what, value with unit.
std::vector<std::pair<std::string, std::string>> figureRows(const RunFigures& figures);

}  // namespace orogen::compute

// Multiword addition side by side with what a user would take instead: mpn_add_n on one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/bench/harness/paired_timing.h"
#include "core/base/status.h"

namespace orogen::compute {

struct MultiwordBenchRow
{
    std::string data;         // "random"; "ones": all ones + 1, one carry through every limb
    std::uint64_t bytes = 0;  // of an operand
    std::string algorithm;    // "limbwise": no addition, but what the memory allows
    std::string backend;
    int threads = 1;
    PairTiming timing;  // a: this one, b: mpn_add_n
    bool checked = false, equal = false;

    double gigabytesPerSecond() const { return 3e-6 * double(bytes) / timing.a.minimumMs; }  // read twice, written once
    double gmpGigabytesPerSecond() const { return 3e-6 * double(bytes) / timing.b.minimumMs; }
};

struct MultiwordBenchOptions
{
    bool quick = false;  // up to 4 MiB, and shorter
    int threads = 2;     // of the rows with more than one
    // Before each row: how many are done of how many, and which comes.  False: stop.
    std::function<bool(int done, int of, const std::string& next)> progress;
};

struct MultiwordBench
{
    std::vector<MultiwordBenchRow> rows;
    std::vector<std::string> leftOut;  // and why
    bool stopped = false;
};

// Error kLimit: not even the shortest fits into the memory.
Result<MultiwordBench> benchMultiword(const MultiwordBenchOptions& options);

}  // namespace orogen::compute

// Sums and dot products side by side with what a user would take instead: mpz_add and mpz_addmul on numbers that are
// binary already.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compute/paired_timing.h"

namespace orogen::compute {

struct SignedDigitBenchRow
{
    std::string operation;  // "sum", "dot"
    std::uint64_t count = 0, digits = 0;
    std::string algorithm;
    double convertMs = 0;  // from digits to what the algorithm adds; not in the timing
    PairTiming timing;     // a: this one, b: gmp; both resident, on one thread
    bool equal = false;
};

struct SignedDigitBenchOptions
{
    bool quick = false;  // short sums alone
    // Before each row: how many are done of how many, and which comes.  False: stop.
    std::function<bool(int done, int of, const std::string& next)> progress;
};

struct SignedDigitBench
{
    std::vector<SignedDigitBenchRow> rows;
    std::vector<std::string> leftOut;  // and why
    bool stopped = false;
};

SignedDigitBench benchSignedDigit(const SignedDigitBenchOptions& options);

}  // namespace orogen::compute

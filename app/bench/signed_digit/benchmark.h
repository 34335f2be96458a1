// Sums and dot products side by side with what a user would take instead: mpz_add and mpz_addmul on numbers that are
// binary already, one behind the other in large pages.
//
// `digit-loop` is the paper's T_cpu: traditional arithmetic, number after number, digit after digit (its section V).
// The carry is a comparison's value here.  As a branch, which random digits mispredict every other time, it takes 4 to
// 5 times as long: ratios to that would be ratios to the branch.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/bench/harness/paired_timing.h"

namespace orogen::compute {

struct SignedDigitBenchRow
{
    std::string operation;  // "sum", "dot"; "read": text becomes numbers
    std::uint64_t count = 0, digits = 0;
    std::string algorithm = {};
    std::string input =
        "resident";               // in the form that the algorithm adds; "digits", "text": the way from there is timed
    std::string backend = "cpu";  // "cuda": the kernels; "cuda, with transfers"
    int threads = 1;
    double convertMs = 0;                               // from digits to what is resident; not in the timing
    double uploadMs = 0, kernelMs = 0, downloadMs = 0;  // of a GPU
    PairTiming timing = {};  // a: this one, b: gmp on one thread: both resident; of "read", mpz_set_str
    bool equal = false;

    double gigabytesPerSecond() const { return bytes() / timing.a.minimumMs; }  // of digits, a byte each
    double gmpGigabytesPerSecond() const { return bytes() / timing.b.minimumMs; }

private:
    double bytes() const { return 1e-6 * double(count) * double(digits) * (operation == "dot" ? 2 : 1); }
};

struct SignedDigitBenchOptions
{
    bool quick = false;  // short sums alone
    int threads = 2;     // of the rows with more than one
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

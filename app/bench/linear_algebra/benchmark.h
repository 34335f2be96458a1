// Solvers side by side with what a user would take instead, Eigen's conjugate gradients and LAPACK's dposv, on one
// family: A_ij = exp(-|i - j| / 50) + delta_ij, to 1e-10.  Beside them what they are made of: A x against reading as
// many bytes, sums and products of matrices against OpenBLAS.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/bench/harness/paired_timing.h"

namespace orogen::compute {

constexpr double kBenchTolerance = 1e-10;

struct CgBenchRow
{
    std::string operation;  // "solve"; "multiply": A x; "sum", "product": of matrices
    std::uint64_t size = 0;
    std::string algorithm = {}, baseline = {};
    std::string backend = "cpu";
    int threads = 1, baselineThreads = 1;
    double prepareMs = 0;    // a half of A in strips, or on a GPU allocation and transfers; not in the timing
    PairTiming timing = {};  // a: the algorithm, b: the baseline
    std::uint64_t iterations = 0, baselineIterations = 0, products = 0;  // with A; 0 where there are none
    // Of a solve the residuals, recomputed here by plain sums; of the others how far the two results are apart,
    // relative to the largest element.
    double error = 0, baselineError = 0;
    double bytes = 0;  // that A x has to read; else 0
    bool equal = false;

    double gigabytesPerSecond() const { return 1e-6 * bytes / timing.a.minimumMs; }
};

struct CgBenchOptions
{
    bool quick = false;  // small matrices alone
    int threads = 2;     // of the rows with more than one
    // Before each row and in it: how many are done of how many, and which comes.  False: stop.
    std::function<bool(int done, int of, const std::string& next)> progress;
};

struct CgBench
{
    std::vector<CgBenchRow> rows;
    std::vector<std::string> leftOut;  // and why
    std::string eigen;                 // the fastest of eigenSolvers(), at the last size
    std::string openBlasCore;          // empty: not here
    bool stopped = false;
};

CgBench benchCg(const CgBenchOptions& options);

}  // namespace orogen::compute

// Exact sums on the CPU, of values that arrive in pieces.  There are two methods (sum_kernels.h).  Windows split values
// of similar size into two parts that are summed as integers.  Bins take any value; there is one for each sign and
// exponent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/exact/exact_total.h"
#include "compute/exact/sum_kernels.h"
#include "compute/exact/values.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

// Terms of the sum: the values of x, their squares, or products of values of x and y.
enum class ExactTerms
{
    kValues,
    kSquares,
    kProducts,
};

enum class CpuSumMethod
{
    kWindows,  // windows; values that do not fit, and products of doubles, go into bins
    kBins,     // bins for all but integers
};

// Numbers of terms that went into windows and into bins; integers count as windows.  The numbers depend on how the
// values were divided among threads and calls; the sum does not.
struct SumPaths
{
    std::uint64_t windows = 0, bins = 0;
};

// Adds terms on one thread.
class TermAdder
{
public:
    TermAdder(ExactTerms terms, CpuSumMethod method, const ExactKernels& kernels);
    TermAdder(TermAdder&&) noexcept;
    ~TermAdder();

    // Adds `count` values of `type`, any number of them.  For products, `y` has as many values as `x`; otherwise it is
    // unused.
    void add(ValueType type, const std::byte* x, const std::byte* y, std::size_t count);
    // Adds all sums to `total` and the numbers of terms to `paths`.  Starts again from 0, but keeps the records that
    // products of doubles were NaN, infinite or other than -0.
    void finish(ExactTotal& total, SumPaths& paths);

private:
    struct Buffers;

    void addIntegers(const std::int64_t* x, const std::int64_t* y, std::size_t count);
    void addWidened(ValueType type, const std::byte* x, const std::byte* y, std::size_t count);
    void addDoubles(const double* values, std::size_t count);
    bool addInWindow(const double* values, std::size_t count);
    void addInBins(const double* values, std::size_t count);
    void addProducts(const double* x, const double* y, std::size_t count);

    const ExactTerms terms_;
    const CpuSumMethod method_;
    const ExactKernels& kernels_;
    ExactTotal total_;
    SumPaths paths_;
    Window window_;
    // Blocks to put into bins without a try of the window: number set by the last failure, and number left.
    unsigned skipped_ = 0, left_ = 0;
    std::uint64_t inBins_ = 0;  // values since the bins were emptied
    std::unique_ptr<Buffers> buffers_;
};

// Adds terms on several threads.
class CpuSum
{
public:
    CpuSum(ExactTerms terms, CpuSumMethod method, int threads, const ExactKernels& kernels = exactKernels());

    // Adds values as TermAdder::add() does.
    void add(ValueType type, std::span<const std::byte> x, std::span<const std::byte> y = {});
    ExactTotal finish();  // returns the sum of all terms; called once
    const SumPaths& paths() const { return paths_; }

private:
    ThreadPool pool_;
    std::vector<TermAdder> adders_;
    SumPaths paths_;
};

// Sums in floating point, for comparison with exact sums.  They poll `stop` at least once in 131,072 terms; after a
// stop they return NaN.

double plainSum(std::span<const double> terms, const std::stop_token& stop = {});  // one after another
// Halves the terms recursively; adds up to 128 terms in eight partial sums, as NumPy does.
double pairwiseSum(std::span<const double> terms, const std::stop_token& stop = {});
double kahanSum(std::span<const double> terms, const std::stop_token& stop = {});  // compensated (Kahan, 1965)
// Python's math.fsum: partial sums that do not overlap (Shewchuk, 1997), rounded once.  Infinities of one sign give
// that infinity.  Returns NaN where Python raises an error: infinities of both signs, or a partial sum that overflows.
// Cost: about ten times that of kahanSum().
double shewchukSum(std::span<const double> terms, const std::stop_token& stop = {});

// Inner products rounded once from their exact values, for SolveOptions::dot.  Their bits do not depend on the order of
// terms, the number of threads or the instruction set.
class ExactDot
{
public:
    explicit ExactDot(int threads);
    // Returns the double nearest to the exact value, ties to even, and never -0; NaN or an infinity if an element is
    // not finite.  One caller at a time.
    double operator()(std::span<const double> x, std::span<const double> y);

private:
    void makeAdders();

    ThreadPool pool_;
    std::vector<TermAdder> adders_;
};

}  // namespace orogen::compute

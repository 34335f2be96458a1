// Inner products rounded once from their exact values, for SolveOptions::dot: no order of the terms, number of threads
// or instruction set changes a bit.
#pragma once

#include <span>
#include <vector>

#include "compute/exact/cpu_sums.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

class ExactDot
{
public:
    explicit ExactDot(int threads);
    // Returns the double nearest to the exact value, ties to even, and never -0; NaN or an infinity if a term is not
    // finite.  One caller at a time.
    double operator()(std::span<const double> x, std::span<const double> y);

private:
    void makeAdders();

    ThreadPool pool_;
    std::vector<TermAdder> adders_;
};

}  // namespace orogen::compute

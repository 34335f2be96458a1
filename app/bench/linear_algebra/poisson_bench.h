// Part of `bench cg`: preconditioned conjugate gradients for Poisson's equation on a grid, compared with Eigen's.
#pragma once

#include <cstddef>

#include "app/bench/harness/bench.h"

namespace orogen::app::bench {

// Measures a grid of side x side unknowns, on one thread, to a relative residual of `tolerance`. Adds rows to the first
// table. Errors: those of BenchRun::time().
Status measurePoisson(BenchRun& run, std::size_t side, double tolerance);

}  // namespace orogen::app::bench

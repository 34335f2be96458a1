// Systems that are made here.
#pragma once

#include <cstdint>
#include <stop_token>

#include "compute/linear_algebra/matrix.h"

namespace orogen::compute {

// Symmetric positive definite with eigenvalues from 1 down to 1 / condition, evenly spaced in their logarithms, turned
// by three reflections that the seed chooses.  The same bits everywhere.  After a stop, anything.
Matrix randomSpd(std::size_t size, double condition, std::uint64_t seed, const std::stop_token& stop = {});

// exp(-|i - j| / 50) + 1 on the diagonal: well conditioned, every element there.
Matrix correlationMatrix(std::size_t size);

}  // namespace orogen::compute

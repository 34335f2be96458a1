// Generated matrices.
#pragma once

#include <cstdint>
#include <stop_token>

#include "compute/linear_algebra/matrix.h"

namespace orogen::compute {

// Returns a symmetric positive definite matrix with eigenvalues from 1 down to 1 / condition, spaced evenly on a
// logarithmic scale, transformed by three reflections chosen by the seed.  Bit-identical on all machines; unspecified
// after a stop.
Matrix randomSpd(std::size_t size, double condition, std::uint64_t seed, const std::stop_token& stop = {});

// Returns exp(-|i - j| / 50), plus 1 on the diagonal: well conditioned, without zeros.
Matrix correlationMatrix(std::size_t size);

}  // namespace orogen::compute

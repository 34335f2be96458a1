// Exact decimal arithmetic as something that is run: from the command line, a script or a panel.
#pragma once

#include "compute/job/job.h"

namespace orogen::compute {

// Parameters: operation, x, y, float64, count, digits, spread, seed, algorithm, backend, threads, digit-set,
// twiddle-digits, repetitions; `orogen signed-digit --help` says what they are.
const Module& signedDigitModule();

}  // namespace orogen::compute

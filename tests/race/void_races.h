// Conjugate gradients and multigrid on the threads of a pool.
#pragma once

#include <string_view>

namespace orogen::test {

// Runs "voids": the filling of holes, which must be silent; or "voids-summed-by-all-pieces", which must be reported.
// Returns the exit code.
int runVoidRaces(std::string_view kind, unsigned runs);

}  // namespace orogen::test

// Part of `bench multiword`: products, compared with GMP's mpn_mul.
#pragma once

#include <cstddef>

#include "app/bench/harness/bench.h"

namespace orogen::app::bench {

inline constexpr std::size_t kProductLimbs[] = {8, 32, 128, 512, 1024, 4096};  // limbs of each operand

Table productTable();  // returns the table of measureProducts(), without rows

// Measures every algorithm that suits the length, on one thread, and adds a row for each to table `table`. `quick`:
// shorter trials. Errors: those of BenchRun::time().
Status measureProducts(BenchRun& run, std::size_t limbs, bool quick, std::size_t table);

}  // namespace orogen::app::bench

// Symmetric sparse matrix in compressed rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orogen::compute {

struct SparseMatrix
{
    std::size_t size = 0;                     // rows and columns
    std::vector<std::uint64_t> starts = {};   // row starts in the two below; one more at the end
    std::vector<std::uint32_t> columns = {};  // ascending in each row
    std::vector<double> values = {};
};

}  // namespace orogen::compute

// Matrix Market files (Boisvert, Pozo, Remington, NISTIR 5935): coordinate or array, real or integer, general or
// symmetric; of coordinate files also patterns, whose entries are 1.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "compute/linear_algebra/matrix.h"
#include "compute/linear_algebra/sparse.h"

namespace orogen::compute {

struct MatrixEntry
{
    std::uint32_t row = 0, column = 0;  // from 0
    double value = 0;
};

// What a file holds.  Values are as written: they may be infinite or no numbers.
struct MatrixMarket
{
    std::string name;
    std::uint32_t rows = 0, columns = 0;
    bool coordinate = false;
    std::vector<MatrixEntry> entries;  // of a coordinate file, both halves of a symmetric one; by row and column
    Matrix dense;                      // of an array file
};

// Errors: kInput with file, line, what was found and what was expected; kLimit for a size that does not fit.
Result<MatrixMarket> readMatrixMarket(const std::string& path, const std::stop_token& stop = {});
Result<MatrixMarket> parseMatrixMarket(std::string_view text, const std::string& name);

// Array form, general, with as many digits as give the same doubles back.
std::string matrixMarketText(const Matrix& matrix);
Status writeMatrixMarket(const Matrix& matrix, const std::string& path);  // atomically; error: kOutput

Status checkSquare(const MatrixMarket& file);  // error: kInput

// Error (kInput): not square, or not symmetric, with the first pair that shows it.  Elements of a pair may differ by
// rounding: 1e-12 of the largest.
Status checkSymmetric(const MatrixMarket& file);

// Of a coordinate file that is square.
SparseMatrix sparseOf(const MatrixMarket& file);

// Error (kInput): not one column of `size` rows.
Result<std::vector<double>> vectorOf(const MatrixMarket& file, std::size_t size);

}  // namespace orogen::compute

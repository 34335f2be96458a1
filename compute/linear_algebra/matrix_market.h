// Matrix Market files (Boisvert, Pozo, Remington, NISTIR 5935): coordinate or array, real or integer, general or
// symmetric.  Coordinate files may also be patterns, whose entries are 1.  A name that ends in ".gz" is a file packed
// by gzip.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "compute/linear_algebra/matrix.h"

namespace orogen::compute {

struct MatrixEntry
{
    std::uint32_t row = 0, column = 0;  // from 0
    double value = 0;
};

// Content of a file.  Values are as written: they may be infinite or NaN.
struct MatrixMarket
{
    std::string name;
    std::uint32_t rows = 0, columns = 0;
    bool coordinate = false;
    bool symmetric = false;            // by its header, so that both halves are equal
    std::vector<MatrixEntry> entries;  // for coordinate files: sorted by row and column; both halves if symmetric
    Matrix dense;                      // for array files
};

// Read a file, or its text.  Errors: kInput with the file and the wrong line, if there is one; kLimit for a size that
// does not fit in memory; kInterrupted after a stop while the file is read.
Result<MatrixMarket> readMatrixMarket(const std::string& path, const std::stop_token& stop = {});
Result<MatrixMarket> parseMatrixMarket(std::string_view text, const std::string& name);

// Returns the text of a file in array form, general, with enough digits to read the same doubles back.
std::string matrixMarketText(const Matrix& matrix);
Status writeMatrixMarket(const Matrix& matrix, const std::string& path);  // atomically; error: kOutput

Status checkSquare(const MatrixMarket& file);  // error: kInput

// Checks that a matrix is square and symmetric.  Error kInput, which names the first pair that differs.  Elements of a
// pair may differ by rounding: by 1e-12 of the largest finite magnitude.  Two NaNs count as equal.
Status checkSymmetric(const MatrixMarket& file);

// Converts a coordinate file, which must be square.
SparseMatrix sparseOf(const MatrixMarket& file);

// Converts a file to a vector.  Error kInput: it is not one column of `size` rows.
Result<std::vector<double>> vectorOf(const MatrixMarket& file, std::size_t size);

}  // namespace orogen::compute

// Operands of exact sums: values in memory, or files that are read in pieces.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compute/exact/value_files.h"
#include "compute/exact/values.h"
#include "core/base/status.h"

namespace orogen::compute {

// Values of one type.  For products, `y` has as many values as `x`; otherwise it is empty.
struct ValuePiece
{
    ValueType type = ValueType::kFloat64;
    std::span<const std::byte> x, y = {};

    std::size_t count() const { return x.size() / bytesOf(type); }
};

// Values in memory, a part for each file or pair of files.
class ValueParts
{
public:
    void add(ValueType type, Bytes x, Bytes y = {});
    std::vector<ValuePiece> pieces() const;
    std::uint64_t count() const;
    std::uint64_t bytes() const;  // x and y together

private:
    struct Part
    {
        ValueType type;
        Bytes x, y;
    };
    std::vector<Part> parts_;
};

// Called with each piece and the share of the input read so far (0 to 1).  A file of unknown size counts only when it
// has ended.  The values are valid during the call.
using TakePiece = std::function<Status(const ValuePiece& piece, double share)>;

// Reads the files of `x` one after another.  With `y`, reads pairs of values from x[0] and *y instead.  Adds the time
// of reading to `readMs`.  Errors: those of ValueFile and `take`; kInput if both files of a pair differ in type, order
// or number of values.
Status readPieces(const std::vector<std::string>& x, const std::string* y, const ValueFileOptions& options,
                  const StopReading& stop, double& readMs, const TakePiece& take);

// Reads all values into memory.  Errors: as readPieces(), and kLimit if memory does not suffice.
Result<ValueParts> readParts(const std::vector<std::string>& x, const std::string* y, const ValueFileOptions& options,
                             const StopReading& stop, double& readMs, const std::function<void(double)>& progress);

}  // namespace orogen::compute

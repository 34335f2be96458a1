// Check of exact totals by another calculation: the sum of the terms modulo 2^61 - 1, where a power of two is a
// rotation.  A lost carry, a misplaced digit or a term taken twice changes the total modulo 2^61 - 1, except by
// coincidence.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/exact/cpu_sums.h"
#include "compute/exact/exact_total.h"
#include "compute/exact/values.h"

namespace orogen::compute {

class ResidueSum
{
public:
    explicit ResidueSum(ExactTerms terms) : terms_(terms) {}

    // Adds values as TermAdder::add() does.  Leaves out terms that are not finite, but records that there are some.
    void add(ValueType type, const std::byte* x, const std::byte* y, std::size_t count);
    void add(const ResidueSum& other);
    // Returns whether the total has this sum's residue.  If a term is not finite, the total must not be finite either.
    bool agrees(ExactTotal total) const;

private:
    ExactTerms terms_;
    std::uint64_t sum_ = 0;
    bool finite_ = true;
};

}  // namespace orogen::compute

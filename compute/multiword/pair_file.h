// Files of pairs of integers, for batches of additions.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/multiword/integer_text.h"
#include "compute/multiword/limbs.h"
#include "core/base/status.h"

namespace orogen::compute {

// Pairs of numbers, extended to `limbs` limbs each: pair i starts at limb i * limbs of `a` and `b`.
struct PairList
{
    std::uint64_t count = 0, bits = 1;  // bits: length of the longest number
    std::size_t limbs = 1;
    LimbBuffer a = {}, b = {};
    std::vector<std::uint64_t> lines = {};  // line number of each pair in the file, from 1
};

// Reads a file, or standard input for "-", with one pair per line and blanks between its two numbers; '#' starts a
// comment.  Reads the first `most` pairs if `most` is not 0.  Error kInput, with the line: a line does not hold two
// numbers, or a digit is wrong.  Error kInput: the file is unreadable, or has no pair or fewer than `most`.  Error
// kLimit: memory does not suffice.  Error kInterrupted: a stop.  pairsInText() reads `text`; messages call it `name`.
Result<PairList> readPairs(const std::string& path, Radix radix, std::uint64_t most, const std::stop_token& stop);
Result<PairList> pairsInText(std::string_view text, const std::string& name, Radix radix, std::uint64_t most,
                             const std::stop_token& stop);

}  // namespace orogen::compute

// How far one word is from another: for "expected perhaps ..." after a mistyped one.
#pragma once

#include <cstddef>
#include <string_view>

namespace orogen {

// A suggestion is worth making up to this distance.
inline constexpr std::size_t kCloseWord = 4;

// Letters that must change, come or go for `a` to become `b` (Levenshtein).  O(|a| |b|).
std::size_t editDistance(std::string_view a, std::string_view b);

}  // namespace orogen

// Edit distance between words, for suggestions after a mistyped one.
#pragma once

#include <cstddef>
#include <string_view>

namespace orogen {

// Largest distance at which a word is suggested.
inline constexpr std::size_t kCloseWord = 4;

// Returns the Levenshtein distance: letters to change, insert or delete to turn `a` into `b`.  O(|a| |b|).
std::size_t editDistance(std::string_view a, std::string_view b);

}  // namespace orogen

// A setting's value as a number, without the way over its text that settingText() takes: for controls that are drawn in
// every frame.
#pragma once

#include <string_view>

#include "core/settings.h"

namespace orogen {

// The value of a number or, as 0 and 1, of a flag; NaN where it is none.  `key` must be one of them.
double settingNumber(const Settings& settings, std::string_view key);

}  // namespace orogen

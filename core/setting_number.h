// A setting's value as a number, without settingText()'s conversion to text, for controls that are drawn every frame.
#pragma once

#include <string_view>

#include "core/settings.h"

namespace orogen {

// Returns a number, or a flag as 0 or 1; NaN for "none".  `key` must name a number or a flag.
double settingNumber(const Settings& settings, std::string_view key);

}  // namespace orogen

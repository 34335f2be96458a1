#include "core/terrain/bounds/error_codes.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace orogen {

ErrorCodes::ErrorCodes(float least, float most)
{
    assert(0 < least && least < most);
    const double step = std::log(double(most) / double(least)) / 254;
    for (std::size_t code = 1; code < 255; ++code)
        values_[code] = float(double(least) * std::exp(step * double(code - 1)));
    values_[255] = most;
    marginSteps_ = marginSteps(least, most);
    firstKey_ = std::bit_cast<std::uint32_t>(least) >> kShift;
    for (std::uint32_t key = 0; key < kKeys; ++key)
    {
        const float start = std::bit_cast<float>((firstKey_ + key) << kShift);
        const auto found = std::lower_bound(values_.begin(), values_.end(), start);
        first_[key] = std::uint8_t(std::min<std::ptrdiff_t>(found - values_.begin(), 255));
    }
}

int ErrorCodes::marginSteps(float least, float most)
{
    return int(std::ceil(std::log(double(kErrorMargin)) / std::log(double(most) / double(least)) * 254));
}

std::uint8_t ErrorCodes::of(float value) const
{
    if (!(value > 0)) return 0;
    const std::uint32_t key = std::bit_cast<std::uint32_t>(value) >> kShift;
    int code = key <= firstKey_ ? 0 : key - firstKey_ < kKeys ? first_[key - firstKey_] : 255;
    while (code < 255 && values_[std::size_t(code)] < value)
        ++code;
    return std::uint8_t(code);
}

}  // namespace orogen

// Byte codes of errors: logarithmic steps, rounded up.
#pragma once

#include <array>
#include <cstdint>

namespace orogen {

class ErrorCodes
{
public:
    // Makes logarithmic codes: 0 means 0, code 1 means `least` and code 255 means `most`; 0 < least < most (metres).
    ErrorCodes(float least, float most);

    const std::array<float, 256>& values() const { return values_; }

    // Returns the smallest code whose value is >= `value`; 255 above the last.
    std::uint8_t of(float value) const;

private:
    static constexpr int kShift = 18;             // drops mantissa bits: 32 keys for each factor of 2
    static constexpr std::uint32_t kKeys = 1024;  // a range of 2^32

    std::array<float, 256> values_{};
    std::array<std::uint8_t, kKeys> first_{};  // code of the least value with each key
    std::uint32_t firstKey_ = 0;               // key of `least`
};

}  // namespace orogen

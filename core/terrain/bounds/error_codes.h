// Byte codes of errors: logarithmic steps, rounded up.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace orogen {

class ErrorCodes
{
public:
    // Assigns 0 to code 0, `least` to code 1 and `most` to code 255; 0 < least < most.
    ErrorCodes(float least, float most);

    const std::array<float, 256>& values() const { return values_; }

    // Returns the smallest code whose value is >= `value`; 255 above the last.
    std::uint8_t of(float value) const
    {
        const std::uint32_t key = std::bit_cast<std::uint32_t>(value) >> kShift;
        int code = key <= firstKey_ ? 0 : key - firstKey_ < kKeys ? first_[key - firstKey_] : 255;
        while (code < 255 && values_[std::size_t(code)] < value)
            ++code;
        return std::uint8_t(code);
    }

private:
    static constexpr int kShift = 18;             // gives 32 keys per octave
    static constexpr std::uint32_t kKeys = 1024;  // 32 octaves

    std::array<float, 256> values_{};
    std::array<std::uint8_t, kKeys> first_{};  // code of the least value with each key
    std::uint32_t firstKey_ = 0;               // key of `least`
};

}  // namespace orogen

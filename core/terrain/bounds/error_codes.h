// Byte codes of errors: logarithmic steps, rounded up.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace orogen {

// Lower limit of the ratio between the error of a diamond and the errors of the diamonds two bisections finer. Only the
// largest code may fall short of it. The margin lets a vertex finish morphing before finer vertices enter:
// shaders/surface/drawn_surface.glsl.
inline constexpr float kErrorMargin = 1.09f;

class ErrorCodes
{
public:
    // Makes logarithmic codes: 0 means 0, code 1 means `least` and code 255 means `most`; 0 < least < most (metres).
    ErrorCodes(float least, float most);

    const std::array<float, 256>& values() const { return values_; }

    // Returns the smallest code whose value is >= `value`; 255 above the last.
    std::uint8_t of(float value) const;

    // Returns a code for at least kErrorMargin times the value of `code`, or the last code, 255; 0 for 0.
    std::uint8_t withMargin(std::uint8_t code) const { return withMargin(code, marginSteps_); }
    static std::uint8_t withMargin(std::uint8_t code, int steps)
    {
        return code == 0 ? code : std::uint8_t(std::min(code + steps, 255));
    }
    // Returns the number of code steps that multiply a value by kErrorMargin or more, for codes from `least` to `most`.
    static int marginSteps(float least, float most);

private:
    static constexpr int kShift = 18;             // drops mantissa bits: 32 keys for each factor of 2
    static constexpr std::uint32_t kKeys = 1024;  // keys for values up to 2^32 times `least`

    std::array<float, 256> values_{};
    int marginSteps_ = 0;
    std::array<std::uint8_t, kKeys> first_{};  // code of the least value with each key
    std::uint32_t firstKey_ = 0;               // key of `least`
};

}  // namespace orogen

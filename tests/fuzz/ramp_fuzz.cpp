// Colour ramps of GMT and QGIS: any content is either refused in one line that names the file, or gives ascending
// pieces and colours between black and white at every height.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "core/base/text.h"
#include "core/colour/colour_ramp.h"

namespace {

void expect(bool holds, const char* what)
{
    if (holds) return;
    std::fprintf(stderr, "colour ramp: %s\n", what);
    std::abort();
}

void check(const orogen::Result<orogen::ColourRamp>& ramp)
{
    using namespace orogen;
    if (!ramp)
    {
        const std::string& message = ramp.error().message;
        expect(message.starts_with("fuzz: line "), "an error names the file and the line");
        expect(message.find(": found ") != message.npos && message.find(", expected ") != message.npos,
               "an error names what was found and what was expected");
        expect(printable(message) == message, "an error is printable");
        return;
    }
    expect(!ramp->pieces.empty() && ramp->pieces.size() <= ColourRamp::kMostPieces, "one to 4,096 pieces");
    double end = -std::numeric_limits<double>::infinity();
    for (const RampPiece& piece : ramp->pieces)
    {
        expect(std::isfinite(piece.low) && std::isfinite(piece.high) && piece.low < piece.high,
               "a piece with an extent");
        expect(piece.low >= end, "ascending pieces");
        end = piece.high;
    }
    for (const auto& [low, high] : {std::pair(-11'000.0, 9'000.0), std::pair(500.0, 400.0), std::pair(0.0, 0.0)})
        for (const RampStretch& stretch : {stretched(*ramp, low, high), laid(*ramp, low, high)})
            for (const double height : {-1e4, -1.0, 0.0, 0.3, 450.0, 9e3})
            {
                const glm::dvec3 colour = colourAt(*ramp, stretch.position(height));
                for (int c = 0; c < 3; ++c)
                    expect(colour[c] >= -1e-9 && colour[c] <= 1 + 1e-9, "a colour between black and white");
            }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check(text.starts_with('<') ? orogen::parseQml(text, "fuzz") : orogen::parseCpt(text, "fuzz"));
    return 0;
}

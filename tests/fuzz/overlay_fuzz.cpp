// Overlays in GPX and GeoJSON: any content is either refused in one line that names the file, or gives lines of at
// least two vertices and places on the Earth.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/base/text.h"
#include "core/terrain/overlays/ground_line.h"
#include "core/terrain/overlays/overlay.h"

namespace {

void expect(bool holds, const char* what)
{
    if (holds) return;
    std::fprintf(stderr, "overlay: %s\n", what);
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace orogen;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
#ifdef OROGEN_FUZZ_GPX
    const Result<Overlay> overlay = parseGpx(text, "fuzz");
#else
    const Result<Overlay> overlay = parseGeoJson(text, "fuzz");
#endif
    if (!overlay)
    {
        const std::string& message = overlay.error().message;
        expect(message.starts_with("fuzz: "), "an error names the file");
        expect(message.find(": found ") != message.npos && message.find(", expected ") != message.npos,
               "an error names what was found and what was expected");
        expect(printable(message) == message, "an error is printable");
        return 0;
    }
    expect(overlay->begins.size() == overlay->line.size(), "a mark for each vertex");
    for (std::size_t i = 0; i < overlay->line.size(); ++i)
    {
        if (!overlay->begins[i]) continue;
        expect(i + 1 < overlay->line.size() && !overlay->begins[i + 1], "lines of two vertices or more");
    }
    std::vector<glm::dvec3> places;
    for (const std::vector<LatLong>* all : {&overlay->line, &overlay->points})
        for (const LatLong& place : *all)
        {
            expect(std::abs(place.latitude) <= 90 && std::abs(place.longitude) <= 180, "a place on the Earth");
            if (all == &overlay->line) places.emplace_back(place.longitude * 1e5, place.latitude * 1e5, 0);
        }
    if (places.size() < 2) return 0;
    const GroundLine line(places, overlay->begins, false);
    std::vector<LineVertex> drawn;
    line.thinned({.eye = {0, 0, 5e4}, .forward = {0, 0, -1}, .coneAngle = 3}, 0.7, drawn);
    expect(drawn.size() <= places.size() + line.chunks(), "no more vertices than there are");
    return 0;
}

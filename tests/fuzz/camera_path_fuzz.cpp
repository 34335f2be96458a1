// Camera path files: any content is either refused in one line that names the file, or reads back as written and flies
// with finite cameras above the ground.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/view/camera_flight.h"

namespace {

void expect(bool holds, const char* what)
{
    if (holds) return;
    std::fprintf(stderr, "camera path: %s\n", what);
    std::abort();
}

double ground(double east, double north) { return 300 * std::sin(east / 700) * std::cos(north / 900); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace orogen;
    const auto path = parseCameraPath({reinterpret_cast<const char*>(data), size}, "fuzz");
    if (!path)
    {
        const std::string& message = path.error().message;
        expect(message.starts_with("fuzz:"), "an error names the file");
        expect(message.find('\n') == message.npos, "an error is one line");
        return 0;
    }
    const auto again = parseCameraPath(formatCameraPath(*path), "again");
    expect(again && *again == *path, "reads back as it was written");
    const CameraFlight flight(*path, {{20'000, 9'000}, -300, 300}, ground);
    for (std::uint64_t frame = 0; frame < 50; ++frame)
    {
        const Camera camera = flight.at(frame, path->duration() / 37 + 0.001);
        const glm::dvec3& place = camera.position;
        expect(std::isfinite(place.x) && std::isfinite(place.y) && std::isfinite(place.z), "a finite place");
        expect(place.z >= ground(place.x, place.y) + kEyeHeight, "above the ground");
        expect(camera.yaw >= 0 && camera.yaw < 360 && std::abs(camera.pitch) <= 90, "an orientation");
        expect(camera.fov >= 1 && camera.fov <= 170, "a field of view");
    }
    return 0;
}

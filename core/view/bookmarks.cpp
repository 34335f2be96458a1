#include "core/view/bookmarks.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/planet/place_text.h"
#include "core/view/earth_view.h"

namespace orogen {

std::string bookmarkText(const Camera& camera)
{
    const Geodetic place = geodeticOf(camera.position);
    return fmt::format("{:.7f} {:.7f} {:.2f} {:.3f} {:.3f} {:.3f}", place.latitude, place.longitude, place.height,
                       camera.yaw, camera.pitch, camera.fov);
}

std::optional<Camera> bookmarkIn(std::string_view text)
{
    std::array<double, 6> numbers{};
    for (double& number : numbers)
    {
        const std::optional<double> read = numberIn<double>(takeWord(text));
        if (!read) return std::nullopt;
        number = *read;
    }
    const Geodetic place{numbers[0], numbers[1], numbers[2]};
    const bool seen = numbers[4] >= -90 && numbers[4] <= 90 && numbers[5] >= 1 && numbers[5] <= 170;
    if (!text.empty() || !seen || !checkPlace(place)) return std::nullopt;
    return Camera{earthFixed(place), wrappedYaw(numbers[3]), numbers[4], numbers[5]};
}

}  // namespace orogen

// Places on the Earth that a user comes back to.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/view/camera.h"

namespace orogen {

using Bookmarks = std::array<std::optional<Camera>, kBookmarks>;

// "LAT LON HEIGHT YAW PITCH FOV": degrees, and metres above the ellipsoid; to about a centimetre.
std::string bookmarkText(const Camera& camera);
// None: no such text, or a place that no camera can have.
std::optional<Camera> bookmarkIn(std::string_view text);

}  // namespace orogen

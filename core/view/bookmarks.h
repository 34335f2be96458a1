// Views of the Earth that a user stores.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/view/camera.h"

namespace orogen {

using Bookmarks = std::array<std::optional<Camera>, kBookmarks>;

// Returns "LAT LON HEIGHT YAW PITCH FOV": degrees, and metres above the ellipsoid; precise to about a centimetre.
std::string bookmarkText(const Camera& camera);
// Parses such a text.  Returns nothing if it is malformed or out of a camera's range.
std::optional<Camera> bookmarkIn(std::string_view text);

}  // namespace orogen

// State of the Earth as panels and overlays show it, and the actions they request.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_inset.h"
#include "core/view/bookmarks.h"

namespace orogen::app {

// Scale bar: a ground length at the middle of the picture.
struct ScaleBar
{
    double metres = 0;  // 1, 2 or 5 times a power of ten; 0: no ground there
    double pixels = 0;  // its length on screen, horizontally
};

struct EarthState
{
    double reliefSpacing = 0;       // sample spacing of the global relief (metres)
    std::vector<Inset> insets;      // in the order in which they were named
    Geodetic camera;                // height above sea level
    std::optional<Geodetic> under;  // ground under the cursor, without height exaggeration; empty: no ground
    double underSamples = 0;        // sample spacing of the height data there (metres)
    double distance = 0;            // from the camera to `under` (metres)
    ScaleBar bar;
    std::array<bool, kBookmarks> bookmarks{};  // whether each is set
};

struct EarthActions
{
    bool open = false;                                // open the Earth
    std::optional<std::size_t> showInset, dropInset;  // indices into EarthState::insets
    std::optional<Geodetic> goTo;
    std::optional<int> setBookmark, goToBookmark;  // 1 ... kBookmarks
};

// Returns the longest bar of at most `widest` pixels, where one pixel covers `metresPerPixel` at the picture's middle.
ScaleBar scaleBarFor(double metresPerPixel, double widest);
// Returns "46.5000° N, 8.0000° E"; the viewer's height (metres) sets the number of decimals, 1 to 6.
std::string placeWords(const Geodetic& place, double height);

}  // namespace orogen::app

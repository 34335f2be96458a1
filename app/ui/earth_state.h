// What panels and overlays show of the Earth, and what they ask of it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_inset.h"
#include "core/view/bookmarks.h"

namespace orogen::app {

// A length on the ground in the middle of the picture.
struct ScaleBar
{
    double metres = 0;  // 1, 2 or 5 times a power of ten; 0: no ground there
    double pixels = 0;  // as long as it appears, across
};

struct EarthState
{
    double reliefSpacing = 0;       // metres between the samples of the relief of all of it
    std::vector<Inset> insets;      // in the order in which they were named
    Geodetic camera;                // heights above the sea
    std::optional<Geodetic> under;  // the cursor, on the ground as it is drawn, unscaled; empty: over no ground
    double underSamples = 0;        // metres between the samples that the height there is of
    double distance = 0;            // metres from the camera to `under`
    ScaleBar bar;
    std::array<bool, kBookmarks> bookmarks{};  // which are kept
};

struct EarthActions
{
    bool open = false;                                // the Earth
    std::optional<std::size_t> showInset, dropInset;  // by their number
    std::optional<Geodetic> goTo;
    std::optional<int> setBookmark, goToBookmark;  // 1 ... kBookmarks
};

// The bar for a picture in which `metresPerPixel` are seen in the middle: at most `widest` pixels long.
ScaleBar scaleBarFor(double metresPerPixel, double widest);
// "46.5000° N, 8.0000° E": as many digits as the height of who looks makes sense of.
std::string placeWords(const Geodetic& place, double height);

}  // namespace orogen::app

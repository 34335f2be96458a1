// State of the lookups and measurements in the picture as panels show it, and the actions that panels request.  It has
// the point under the cursor, the measured line, the view from above, orientation and overlays.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/planet/ellipsoid.h"
#include "core/planet/place_names.h"
#include "core/settings.h"
#include "core/terrain/earth/earth_inset.h"
#include "core/terrain/raster/ground_profile.h"
#include "core/view/camera.h"
#include "core/view/earth_view.h"

namespace orogen::app {

// Scale bar: a ground length at the middle of the picture.
struct ScaleBar
{
    double metres = 0;  // 1, 2 or 5 times a power of ten; 0: no ground there
    double pixels = 0;  // length of the bar on screen, horizontally
};

// A name at its place in the picture (mouse coordinates, from the upper left corner).
struct PictureName
{
    std::uint32_t id = 0;
    glm::dvec2 at{0.0};
    double importance = 0;
    std::optional<PlaceKind> kind = PlaceKind::kCity;  // empty: a point of an overlay, which is drawn with the ground
    std::string text;
};

// Label of a line of the graticule (meridians and parallels).
struct GridLabel
{
    glm::dvec2 at{0.0};  // as PictureName::at
    std::string text;
    bool meridian = false;
};

// A place found by its name.
struct FoundPlace
{
    std::size_t index = 0;  // in PlaceNames::all()
    std::string text;       // "Paris (FR)"
};

struct OrientationState
{
    bool compass = false;  // compass and scale bar are shown
    ScaleBar bar;
    std::vector<PictureName> names;  // candidates for labels, most important first
    std::vector<GridLabel> grid;
};

struct EarthState
{
    double reliefSpacing = 0;                  // sample spacing of the global relief (metres)
    std::vector<Inset> insets;                 // in the order in which they were named
    Geodetic camera;                           // position of the camera; height above sea level
    std::array<bool, kBookmarks> bookmarks{};  // whether each is set
};

struct EarthActions
{
    bool open = false;                                // open the Earth
    std::optional<std::size_t> showInset, dropInset;  // indices into EarthState::insets
    std::optional<std::string> layIn;                 // DEM to add to the open Earth as an inset
    std::optional<Geodetic> goTo;
    std::optional<int> setBookmark, goToBookmark;  // 1 ... kBookmarks
};

// Point of the ground as drawn: in world coordinates, with the height scale applied.
struct SeenPoint
{
    glm::dvec3 place{0.0};
    bool hidden = false;  // occluded by terrain
};

struct PickedLeaf
{
    std::uint64_t id = 0;  // heap index in the tree of a plane, leb::LeafId on the Earth
    int depth = 0;
    double errorPixels = 0, edgePixels = 0;  // values of the criteria `error` and `edge`
};

struct PickState
{
    bool on = true;
    std::optional<glm::dvec3> place;  // under the cursor, as drawn; empty: the cursor is not over ground
    GroundPoint ground;               // at that point, from the elevation model
    // Sample spacing of the height (metres); set for tiled terrain and for coarse samples.
    std::optional<double> samplesApart = {};
    std::optional<double> syntheticBelow = {};  // drawn detail is procedural below this size (metres); empty: none
    std::optional<double> waterAbove = {};      // depth of the water over the ground (metres); empty: none
    double distance = 0;                        // from the camera (metres)
    std::string coordinates;                    // latitude and longitude, or metres east and north
    std::optional<PickedLeaf> leaf;             // leaf of the triangulation at the point; empty: unknown yet
    std::vector<SeenPoint> outline;             // outline of the leaf, closed; empty: unknown yet
};

struct MeasureState
{
    bool open = false, adding = false;  // adding: a click adds a point to the line
    std::vector<SeenPoint> points;
    std::vector<SeenPoint> path;    // line on the ground
    std::optional<double> sampled;  // sampling progress, 0 to 1; empty: not sampling
    ProfileFigures figures, lastLeg;
    double bearing = 0;  // direction of the last leg at its start, clockwise from north (degrees)
    double spacing = 0;  // distance between samples of the line (metres)
    // Coarsest sample spacing along the line (metres); set for tiled terrain and for coarse samples.
    std::optional<double> samplesApart = {};
    std::vector<glm::dvec2> profile;  // metres along the line, height (metres; NaN: void); thinned to a screen's width
    std::optional<ProfileSample> marked;  // sample under the cursor, in the plot or in the picture
    std::optional<SeenPoint> markedPlace;
};

// Square region of the ground, north up.  Places in it are metres east and north of the centre of a plane.  On the
// Earth they are the east and north coordinates relative to `origin`, in the tangent plane there (metres).
struct TopRegion
{
    glm::dvec3 origin{0.0};  // on the Earth; unused on a plane
    glm::dvec2 corner{0.0};  // north-western (metres)
    double side = 0;         // metres
    bool operator==(const TopRegion&) const = default;
};

// State of the view of the ground from above.
struct TopState
{
    bool open = false, large = false;
    unsigned texture = 0;  // 0: not drawn yet
    TopRegion region;
    int zoom = 0, mostZoom = 0;      // halvings of the largest region's side
    glm::dvec2 camera{0.0};          // the camera's place in the region
    std::vector<glm::dvec2> border;  // outline of the ground in view: places in the region, in order
    int deepest = 0;                 // depth of the deepest leaf
    World world = World::kPlane;
};

struct OverlayState
{
    std::string name;  // name of the file
    glm::vec3 colour{1.0f};
    bool visible = true;
    std::size_t lines = 0, vertices = 0, points = 0;
};

struct OverlayActions
{
    std::vector<std::string> open{};                            // files
    std::optional<std::pair<std::size_t, bool>> show{};         // index, whether visible
    std::optional<std::pair<std::size_t, glm::vec3>> colour{};  // index, new colour
    std::optional<std::size_t> remove{}, goTo{};
};

struct PictureToolsState
{
    std::vector<OverlayState> overlays;
    std::optional<EarthState> earth;  // empty: plane terrain
    Camera camera;                    // camera of the current picture
    World world = World::kPlane;
    OrientationState orientation;
    // Finds at most `most` places by name, best first; null: places cannot be gone to.
    std::function<std::vector<FoundPlace>(const std::string& text, std::size_t most)> findNames;
    PickState pick;
    MeasureState measure;
    TopState top;
};

struct PictureToolsActions
{
    std::optional<glm::dvec2> cursor{};   // in [-1, 1]², y up; empty: over a panel, or a button is held
    std::optional<glm::dvec2> clicked{};  // position of a click, as `cursor`
    bool toggleInfo = false, toggleMeasure = false, toggleTop = false;
    bool copyInfo = false;
    bool removePoint = false, endLine = false, clearLine = false, copyProfile = false, saveProfile = false;
    std::optional<double> along{};  // mouse position in the profile plot (metres along the line)
    bool resizeTop = false;
    bool northUp = false;                    // turns the camera around the middle of the view
    std::optional<std::string> goTo{};       // a place by name
    std::optional<std::size_t> goToPlace{};  // FoundPlace::index
    OverlayActions overlays{};
    int zoomTop = 0;  // steps; each halves the side of TopState::region
};

// Returns the longest bar of at most `widest` pixels, where one pixel covers `metresPerPixel` at the picture's middle.
ScaleBar scaleBarFor(double metresPerPixel, double widest);
// Returns how many decimals of a degree correspond to a length (metres), 0 to 6.
int degreeDigits(double metres);
// Returns "46.5000° N, 8.0000° E"; the viewer's height (metres) sets the number of decimals, 1 to 6.
std::string placeWords(const Geodetic& place, double height);

// Returns the lines about the point under the cursor, as shown and copied.
std::vector<std::string> pickLines(const PickState& pick);

// Split picture: two pictures in one, as panels show it.

// Names of the sides, for their labels.
struct SplitNames
{
    std::string left{}, right{};
};

struct SplitView
{
    double divider = 0.5;     // share of the width that shows the left side, 0 to 1
    bool difference = false;  // shows where and how much the sides differ
    bool operator==(const SplitView&) const = default;
};

struct SplitState
{
    SplitNames names{};
    SplitView view{};
    bool loading = false;  // the left side's terrain is being loaded
    // Time of the last measured frame with the side's settings (milliseconds); empty: none was measured yet.
    std::optional<double> leftMs{}, rightMs{};
};

struct SplitActions
{
    std::optional<Settings> open{};   // opens the split picture: settings of the left side, on the same terrain
    std::optional<SplitView> view{};  // changes the divider or the mode
    bool close = false;
};

}  // namespace orogen::app

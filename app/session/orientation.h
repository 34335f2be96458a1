// Orientation in the picture: names of places, the graticule, scale bar and direction of north, on a plane and on the
// Earth.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/model/picture_state.h"
#include "app/render/ground_lines.h"
#include "core/planet/place_names.h"
#include "core/terrain/raster/projection.h"
#include "core/view/graticule.h"
#include "core/view/name_labels.h"

namespace orogen::app {

class Overlays;
class Session;

class Orientation
{
public:
    void forget();  // for another terrain

    // Updates all parts if the view, the settings, the terrain, its tiles or named points changed.  Then costs some
    // hundred lookups of the ground's height, or some thousand if the graticule covers other ground than before.
    void update(Session& session);

    OrientationState state(const Session& session) const;
    std::uint64_t changes() const { return changes_; }
    // Returns the lines of the graticule for the renderer; empty: it is not shown.
    const std::vector<ShownLine>& lines() const { return lines_; }

    // Returns the shipped names, read on first use.  Error kInput.
    Result<const PlaceNames*> names(const Session& session) const;
    // Moves the camera to a named place, the best match of a search.  Errors: kUsage (nothing found), kInput (no
    // readable names, no georeference, or the place is not in the terrain).
    Status goToName(std::string_view name, Session& session);
    Status goToPlace(std::size_t index, Session& session);  // index in names()
    // Returns at most `most` shipped names that match `text`, best match first; none if the names cannot be read.
    std::vector<FoundPlace> find(const std::string& text, std::size_t most, const Session& session) const;

private:
    struct Looked  // inputs of the newest lookups
    {
        Camera camera;
        glm::dvec2 viewport{0.0};
        std::uint64_t tiles = 0, opened = 0;
        Settings::Marks marks;
        double heightScale = 1;
        std::uint64_t points = 0;
        bool operator==(const Looked&) const = default;
    };
    void placeNames(const Session& session);
    void readPoints(const Overlays& overlays);
    void findNames(const Session& session, const ViewSurroundings& around);
    void findGrid(const Session& session, const ViewSurroundings& around, std::uint64_t tiles);

    std::optional<Looked> looked_;
    mutable std::optional<PlaceNames> names_;  // read on first use
    bool namesFailed_ = false;
    std::vector<WorldName> placed_;  // names at their world positions in the open terrain
    std::vector<WorldName> points_;  // named points of overlays; ids from kPointIds on
    std::vector<std::string> pointNames_;
    std::uint64_t pointsRead_ = 0;            // Overlays::namesChanged() of points_
    std::optional<std::uint64_t> placedFor_;  // OpenTerrain::opened() of placed_
    std::vector<NameInView> inView_;
    ScaleBar bar_;
    std::optional<GridRegion> region_;
    std::uint64_t gridTiles_ = 0;
    std::vector<GridLine> grid_;
    std::vector<GridLabel> gridLabels_;
    std::vector<ShownLine> lines_;
    std::uint64_t changes_ = 0;
};

}  // namespace orogen::app

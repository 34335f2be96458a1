// A window of a terrain in tiles that the terrain model changes.
//
// The model runs on the samples of one level in a box.  The change fades to nothing at the window's border, so
// that the terrain around joins without a step.  A changed window is another source of tiles
// (core/terrain/sources/changed_tiles.h); the tile cache makes the tiles in it again and shows them together.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/terrain_model/model_ground.h"
#include "core/terrain/sources/changed_tiles.h"

namespace orogen::app {

inline constexpr int kUsualWindowSide = 1024;  // samples

// A part of the terrain to change (metres from its centre).
struct ModelPlace
{
    glm::dvec2 middle{0.0};
    double side = 0;  // side of a square
};

// Returns the window for a terrain in tiles.  `level`: of its samples; empty: the finest that covers the place with
// kUsualWindowSide samples, or with kMostWindowSide if the place was `named`.  Error kUsage: fewer than 3 x 3 samples,
// or more than kMostWindowSide.
Result<ChangeWindow> windowAt(const TileSource& tiles, const ModelPlace& place, std::optional<int> level, bool named);

// Returns the place that the camera looks at, with a width of twice its distance.  If the camera looks at no ground, it
// is the place below the camera.
ModelPlace placeInView(const Session& session);

// Checks that a save to `file` overwrites none of the files `read`.  Errors kOutput.
Status checkTilesFile(const std::string& file, const std::vector<std::string>& read);

// A terrain in tiles with its overview.
struct OpenedTiles
{
    std::shared_ptr<const TileSource> tiles;
    std::shared_ptr<const HeightField> overview;
};

class WindowGround final : public ModelGround
{
public:
    // `opened`: what a reset shows.  `shown`: the terrain as it is shown.
    WindowGround(OpenedTiles opened, OpenedTiles shown, const ChangeWindow& window);

    std::shared_ptr<const GroundMaker> maker(const Session& session, bool asShown) const override;
    // Writes a Cloud Optimized GeoTIFF of the whole terrain, in place of an older one, by parts beside it
    // (core/terrain/import/import_run.h).  A process that is killed leaves these; the next save replaces them.
    Saver saver(const std::string& file, const compute::TerrainModel& model, const Session& session) const override;

    Status show(MadeGround made, Session& session) override;
    Status showOriginal(MadeGround made, Session& session) override;
    void change(const compute::TerrainModel& model, const IndexBox& box, Session& session) override;
    void showAgain(Session&) override {}  // the cache hands its tiles out again

    bool begun() const override { return begun_; }
    bool ready(const Session& session) const override;
    bool exact() const override { return begun_; }

    glm::dvec2 middle() const override;
    std::string window() const override;

    struct Heights;  // that the window began with

private:
    OpenedTiles opened_;
    std::shared_ptr<const HeightField> below_;  // overview of the terrain without this window's change
    std::shared_ptr<const ChangedTiles> source_;
    std::shared_ptr<Heights> heights_;
    bool begun_ = false;
};

}  // namespace orogen::app

// Ground that the terrain model changes (ModelGround): a terrain that is one image, or a window of a terrain in tiles.
//
// In a window, the model runs on the samples of one level in a box.  The change fades to nothing towards the
// surrounding terrain, so that no step shows.  A changed window is another source of tiles
// (core/terrain/sources/changed_tiles.h).  The tile cache makes the tiles of the window again and shows them together.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/terrain_model/model_ground.h"
#include "core/terrain/sources/changed_tiles.h"

namespace orogen::app {

// Terrain that is one image: the model changes all of it.
class ImageGround final : public ModelGround
{
public:
    // `shown`: the heights that the model begins with.
    explicit ImageGround(const HeightField& shown) : original_(std::make_shared<const HeightField>(shown)) {}

    std::shared_ptr<const GroundMaker> maker(const Session& session, bool asShown) const override;
    Saver saver(const std::string& file, const compute::TerrainModel& model, const Session& session) const override;

    Status show(MadeGround made, Session& session) override;
    Status showOriginal(MadeGround made, Session& session) override;
    void change(const compute::TerrainModel& model, const IndexBox& box, Session& session) override;
    void showAgain(Session& session) override;

    bool begun() const override { return bounds_.has_value(); }
    bool ready(const Session&) const override { return true; }
    bool exact() const override { return bounds_ && bounds_->exact() && !beyondCodes_; }
    bool refinesFromModel() const override { return beyondCodes_; }

private:
    std::shared_ptr<const HeightField> original_;
    std::optional<ChangingBounds> bounds_;
    bool beyondCodes_ = false;  // a stroke made heights outside the range of HeightField::codes
};

inline constexpr int kUsualWindowSide = 1024;  // samples

// Square part of the terrain to change.
struct ModelPlace
{
    glm::dvec2 middle{0.0};  // metres east and north of the terrain's centre
    double side = 0;         // metres
};

// Returns the window for a terrain in tiles.  `level`: level of the window's samples; empty: the finest level at which
// the place has at most kUsualWindowSide samples per side (kMostWindowSide if `named`).  `named`: the user gave the
// place, and the window has its side, or less on a smaller terrain.  Otherwise the window has at most kUsualWindowSide
// samples per side, around the place's middle.  Error kUsage: fewer than 3, or more than kMostWindowSide, per side.
Result<ChangeWindow> windowAt(const TileSource& tiles, const ModelPlace& place, std::optional<int> level, bool named);

// Returns the place that the camera looks at, with a side of twice the camera's distance.  If that is no place of the
// terrain, returns the place nearest to the camera, with a side of twice the camera's height above ground.
ModelPlace placeInView(const Session& session);

// Checks that the temporary files of a save to `file` overwrite none of the files `read`.  Error kOutput.
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
    // `opened`: terrain that a reset shows.  `shown`: terrain as it is shown now, which the window changes.
    WindowGround(OpenedTiles opened, OpenedTiles shown, const ChangeWindow& window);

    std::shared_ptr<const GroundMaker> maker(const Session& session, bool asShown) const override;
    // Writes a Cloud Optimized GeoTIFF of the whole terrain, which replaces an older file.  The task first writes parts
    // beside the file (core/terrain/import/import_run.h).  A killed process leaves the parts behind, and the next save
    // replaces them.
    Saver saver(const std::string& file, const compute::TerrainModel& model, const Session& session) const override;

    Status show(MadeGround made, Session& session) override;
    Status showOriginal(MadeGround made, Session& session) override;
    void change(const compute::TerrainModel& model, const IndexBox& box, Session& session) override;
    void showAgain(Session&) override {}  // the tile cache uploads its tiles again

    bool begun() const override { return begun_; }
    bool ready(const Session& session) const override;
    bool exact() const override { return begun_; }

    glm::dvec2 middle() const override;
    std::string window() const override;

    struct Heights;  // heights that the window began with

private:
    OpenedTiles opened_;
    std::shared_ptr<const HeightField> below_;  // overview of the terrain without this window's change
    std::shared_ptr<const ChangedTiles> source_;
    std::shared_ptr<Heights> heights_;
    bool begun_ = false;
};

}  // namespace orogen::app

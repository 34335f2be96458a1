// The terrain that is open: loaded in the background, shown by the renderer, with its voids filled or not.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/session/messages.h"
#include "app/session/terrain_loading.h"
#include "app/session/void_filling_session.h"
#include "core/view/view_controller.h"

namespace orogen::app {

class Renderer;

class TerrainSession
{
public:
    // Begins to open a terrain, instead of one that is being opened; what is open stays until it is there.
    Status open(const std::string& dem, const SourceOverrides& overrides = {}, const TileChoices& choices = {});
    // The same for the Earth, or for what lies in it besides what is there.
    Status openEarth(const EarthToLoad& wanted, const TileChoices& choices = {});
    void cancelOpening() { loading_.reset(); }
    const TerrainLoading* loading() const { return loading_.get(); }  // null: nothing is on its way

    // At a frame's start.  True: what was being opened is open now.  The errors of loading it and of the renderer.  A
    // file with a home view that cannot be read is a warning.
    Result<bool> takeLoaded(Renderer& renderer, Messages& messages);
    // The same for heights that were changed: view, settings and what is being recorded stay as they are.
    // True: they changed.
    bool takeChangedHeights(Renderer& renderer, Messages& messages);
    // What is open, on a renderer that has nothing yet.
    Status showOn(Renderer& renderer) const;

    Status fillVoids();  // kUsage also for a terrain in tiles, whose heights are not all here
    Status unfillVoids() { return voids_.undo(); }
    void cancelFilling() { voids_.cancel(); }
    const VoidFillingSession& voids() const { return voids_; }

    const std::optional<TerrainInfo>& info() const { return info_; }  // empty: nothing is open
    const HeightField& field() const { return field_; }               // the heights that are drawn, or their overview
    const EarthSource* earth() const { return earth_.get(); }         // null: a plane is shown, or nothing
    std::shared_ptr<const EarthSource> sharedEarth() const { return earth_; }
    World world() const { return earth_ ? World::kEarth : World::kPlane; }
    const TileSource* tiles() const { return source_.get(); }        // null: the terrain is one image
    TileCache* cache() const { return cache_.get(); }                // likewise
    std::uint64_t heights() const { return heights_; }               // counts other terrains and changed heights
    const Raster& raster() const { return raster_; }                 // without its heights
    const SourceOverrides& overrides() const { return overrides_; }  // that it was opened with
    std::uint64_t opened() const { return opened_; }                 // terrains so far
    double relief() const { return double(raster_.maxHeight) - double(raster_.minHeight); }  // metres, unscaled

    // Metres, unscaled: bilinear in the finest samples that there are, resident or not; reads where the terrain is in
    // tiles.  Empty: no data there.  Errors: of the source.
    Result<std::optional<double>> sourceHeight(double east, double north) const;
    // The same under a camera, in whichever world.
    Result<std::optional<double>> sourceHeight(const Camera& camera) const;
    // Metres between neighbouring samples: of the raster, or on the Earth of the finest tile that is shown there.
    double spacingAt(const glm::dvec3& position) const;
    // In metres, of the terrain as it is stretched and drawn; with the made relief where that is drawn
    // (Settings::detailShown()).
    double groundAt(double east, double north, double heightScale, bool detail) const;
    // On the Earth, below an earth-fixed position; where there is a sea, no lower than that.
    double groundAt(const glm::dvec3& position, const Settings& settings) const;
    // What a camera moves over, on a display that is `viewport` large.  Its ground stays this one's, whatever becomes
    // of it.
    ViewSurroundings surroundings(const Settings& settings, glm::dvec2 viewport) const;

private:
    double madeAt(double east, double north) const;

    std::unique_ptr<TerrainLoading> loading_;
    VoidFillingSession voids_;
    std::optional<TerrainInfo> info_;
    Raster raster_;
    SourceOverrides overrides_;
    std::shared_ptr<const MadeRelief> relief_;
    gpu::DetailUniforms detail_{};  // of a terrain in tiles
    HeightField field_;             // kept for the ground's height, and for a lost context
    std::shared_ptr<const TileSource> source_;
    std::shared_ptr<const EarthSource> earth_;
    std::shared_ptr<TileCache> cache_;
    std::optional<Camera> homeCamera_;  // that a file beside a plane's raster names
    std::uint64_t opened_ = 0, heights_ = 0;
};

}  // namespace orogen::app

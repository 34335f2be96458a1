// The open terrain: loaded in the background and shown by the renderer, optionally with its voids filled.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "app/session/filled_heights.h"
#include "app/session/messages.h"
#include "app/session/terrain_loading.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/imagery/land_around.h"
#include "core/view/view_controller.h"

namespace orogen::app {

struct PictureScene;
class Renderer;
struct PatchErrors;

class OpenTerrain
{
public:
    // Starts opening a terrain, replacing any pending one; the current terrain stays until the new one is ready.
    Status open(const std::string& dem, const SourceOverrides& overrides = {}, const TileChoices& choices = {},
                const ImageryToLoad& imagery = {});
    // Starts opening the Earth, or adding insets to the open one.
    Status openEarth(const EarthToLoad& wanted, const TileChoices& choices = {}, const ImageryToLoad& imagery = {});
    // Starts opening the terrain that `other` shows, with its heights as they are now.
    Status openSame(const OpenTerrain& other, const TileChoices& choices, const ImageryToLoad& imagery);
    void cancelOpening() { loading_.reset(); }
    const TerrainLoading* loading() const { return loading_.get(); }  // null: nothing is being loaded

    // Takes over a terrain that has been loaded; call at a frame's start.  Returns whether a new terrain is open.
    // Errors: those of loading and of the renderer.  An unreadable home-view file is a warning.
    Result<bool> takeLoaded(Renderer& renderer, Messages& messages);
    // Takes over heights whose voids were filled or restored; view, settings and recordings stay.  Returns whether the
    // heights changed.
    bool takeChangedHeights(Renderer& renderer, Messages& messages);
    // Shows the open terrain on a new renderer.
    Status showOn(Renderer& renderer) const;

    // Another picture of this terrain, to which later changes of the heights are passed on.
    struct Follower
    {
        OpenTerrain* terrain = nullptr;  // opened by openSame()
        Renderer* renderer = nullptr;    // shows it
    };
    void lead(const std::optional<Follower>& follower);  // sets the follower; empty: none

    // ---- heights that change, of a terrain that is one image (terrain_model/live_model.h) ----
    // takeHeights() replaces the heights, and showHeights() shows them with their error bounds.
    void takeHeights(HeightField field, std::shared_ptr<const MadeRelief> relief);
    Status showHeights(Renderer& renderer, const ChangingBounds& bounds, PatchErrors patch);
    // Takes the heights (metres) of a box of samples, updates `bounds`, and shows both.  The field stores heights as
    // 16-bit codes; a height outside their range becomes the nearest one in it.  Returns whether all were in range.
    bool changeHeights(Renderer& renderer, ChangingBounds& bounds, std::span<const float> heights, const IndexBox& box);
    // Shows the drained area: `cells` has the number of samples that drain through each sample.  Error kLimit.
    Status showDrainage(Renderer& renderer, std::span<const std::uint32_t> cells);
    // Shows the terrain as it was opened.
    Status showOriginal(Renderer& renderer, HeightField field, TerrainBounds bounds);

    // ---- heights that change in a box of a terrain in tiles on a plane (terrain_model/window_ground.h) ----
    // Shows another source of tiles once its tiles have been made.  Its heights differ only in the box `samples` of
    // level 0.  `overview`: overview of the new source.
    void changeTiles(std::shared_ptr<const TileSource> source, const IndexBox& samples, HeightField overview);
    // Returns whether changeTiles() must wait: the last source is not shown yet, or the tiles in view still need some
    // frames to arrive.
    bool tilesChanging() const;
    // Takes over the changed source's range of heights and its overview once its tiles are shown; call once a frame.
    // Returns whether they have changed.
    bool takeTiles(Renderer& renderer, Messages& messages);

    // Starts to fill voids, see VoidFiller::fill().  Error kUsage also on the Earth, and for tiled terrain, whose
    // heights are not all in memory.
    Status fillVoids();
    Status unfillVoids() { return voids_.undo(); }
    void cancelFilling() { voids_.cancel(); }
    const VoidFiller& voids() const { return voids_; }

    const std::optional<TerrainInfo>& info() const { return info_; }  // empty: nothing is open
    const HeightField& field() const { return field_; }               // heights drawn; tiled terrain: their overview
    const EarthSource* earth() const { return earth_.get(); }         // null: a plane terrain, or none is open
    std::shared_ptr<const EarthSource> sharedEarth() const { return earth_; }
    std::span<const Inset> insets() const { return earth_ ? earth_->insets() : std::span<const Inset>(); }
    World world() const { return earth_ ? World::kEarth : World::kPlane; }
    bool changeable() const { return info_ && !earth_; }  // whether the terrain model can change its heights
    // Returns whether the terrain was read from a file or a folder of tiles.
    bool fromFile() const { return info_ && !earth_ && !raster_.synthetic; }
    const TileSource* tiles() const { return source_.get(); }  // null: the terrain is one image
    std::shared_ptr<const TileSource> sharedTiles() const { return source_; }
    TileCache* cache() const { return cache_.get(); }                    // null: the terrain is one image
    const ColourTiles* imagery() const { return imagery_.tiles.get(); }  // null: none
    TileCache* imageryCache() const { return imagery_.cache.get(); }     // null: none
    // Returns the credit of the pictures below all layers; empty: none.
    std::string imageryBase() const { return earth_ && imagery_.tiles ? "Blue Marble (NASA), below all" : ""; }
    const std::vector<std::string>& imageryWarnings() const { return imagery_.warnings; }
    const OpenedPictures& pictures() const { return imagery_.opened; }          // by name
    void takeImagery(LoadedImagery imagery) { imagery_ = std::move(imagery); }  // imagery that the renderer shows
    std::uint64_t heights() const { return heights_; }               // number of changes of terrain or heights
    const Raster& raster() const { return raster_; }                 // without its heights
    const SourceOverrides& overrides() const { return overrides_; }  // those given when the terrain was opened
    std::uint64_t opened() const { return opened_; }                 // terrains opened so far
    double relief() const { return double(raster_.maxHeight) - double(raster_.minHeight); }  // metres, unscaled

    // ---- places ----
    const std::optional<TerrainGeography>& geography() const { return geography_; }  // empty: none, or the Earth
    // Returns whether positionOf() finds places. The error, kInput, says why not: a terrain without a position, or in a
    // coordinate system that neither Orogen nor GDAL computes.
    bool georeferenced() const { return earth_ || geography_ || map_; }
    Status checkGeoreferenced() const;
    // Returns the position of a place, also outside the terrain; empty unless georeferenced(), and where the projection
    // is undefined.
    std::optional<glm::dvec3> positionOf(const Geodetic& place) const;
    // Returns positionOf() for a place at sea level; empty outside the terrain.
    std::optional<glm::dvec3> placeOf(const LatLong& place) const;
    // Returns the place of a position, with its height above the sea; empty on a plane without geography().
    std::optional<Geodetic> placeAt(const glm::dvec3& position) const;

    // Returns the height (metres, unscaled), bilinear in field(); for tiled terrain in the finest samples, which are
    // read from the source again.  Empty: no data (tiles only).  Errors: those of the source.
    Result<std::optional<double>> sourceHeight(double east, double north) const;
    // Returns the source height below a camera, on a plane or on the Earth.
    Result<std::optional<double>> sourceHeight(const Camera& camera) const;
    // Returns the sample spacing (metres): that of the raster, or on the Earth that of the finest tile at `position`.
    double spacingAt(const glm::dvec3& position) const;
    // Returns the spacing of the source data shown at `position` (metres).  Tiles of the Earth may sample these data
    // more finely.
    double dataSpacingAt(const glm::dvec3& position) const;
    double spacing() const;  // sample spacing of the raster, or of the Earth's relief (metres)
    // Returns the size below which drawn detail is procedural (metres); empty: no detail is procedural.
    std::optional<double> syntheticBelow(const Settings& settings) const;
    // Returns the drawn ground height (metres, scaled); `detail` adds procedural detail (Settings::detailShown()).
    double groundAt(double east, double north, double heightScale, bool detail) const;
    // Returns the drawn ground height on the Earth below an earth-fixed position (metres, scaled), or the sea's level
    // if that is higher.
    double groundAt(const glm::dvec3& position, const Settings& settings) const;
    // Returns the ground that a camera moves over, on a display of size `viewport`.  The result refers to this object.
    ViewSurroundings surroundings(const Settings& settings, glm::dvec2 viewport) const;
    // Returns the terrain as tools in the picture use it, without camera and settings.  The result refers to this
    // object.  `squareSide`: side of the triangulation's square (metres), on a plane.
    std::unique_ptr<PictureScene> scene(double squareSide) const;

private:
    Status lead(const std::function<Status(Renderer&)>& show);
    void takeRange(float low, float high);
    double madeAt(double east, double north) const;
    const LandAround& land() const;  // made again after the heights have changed

    std::unique_ptr<TerrainLoading> loading_;
    VoidFiller voids_;
    std::optional<TerrainInfo> info_;
    Raster raster_;
    SourceOverrides overrides_;
    std::shared_ptr<const MadeRelief> relief_;  // relief of field_, for procedural detail
    gpu::DetailUniforms detail_{};              // procedural detail, for tiled terrain
    HeightField field_;                         // kept for ground heights, and for a lost context
    std::shared_ptr<const TileSource> source_;
    std::shared_ptr<const EarthSource> earth_;
    std::shared_ptr<TileCache> cache_;
    std::shared_ptr<const Surroundings> surroundings_;  // null: Earth, unknown place, or unreadable files
    LoadedImagery imagery_;
    std::optional<TerrainGeography> geography_;  // georeference of a plane
    std::shared_ptr<const InsetMap> map_;        // LoadedTerrain::map
    std::optional<Camera> homeCamera_;           // home view of a plane, at height scale 1
    std::uint64_t opened_ = 0, heights_ = 0;
    mutable std::optional<LandAround> land_;  // drawn around a plane
    mutable std::uint64_t landHeights_ = 0;   // heights_ of land_
    std::optional<Follower> follower_;
    static constexpr int kFramesBetweenChanges = 8;
    std::optional<HeightField> nextField_;         // overview of the tiles that are being made; empty: none are
    IndexBox nextSamples_;                         // samples of level 0 in which the next source differs
    IndexBox everChanged_;                         // samples of level 0 in which source_ differs from the opened source
    int framesUnchanged_ = kFramesBetweenChanges;  // frames since a change was shown, up to this limit
};

}  // namespace orogen::app

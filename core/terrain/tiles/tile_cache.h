// Selection of a terrain's tiles: wanted (for the view), resident (in memory) and active (drawn in this frame).
//
// A tile of level l can be wanted if a point of it is nearer to the camera than reach() 2^l. Tiles in view come first,
// then those soon in view, then all others within half of that distance (TileOrder). The distance is sqrt(horizontal^2
// + above^2), where `above` is the camera's height over the terrain's highest point, as in
// shaders/heights/tile_place.glsl. A wanted tile has wanted ancestors and is loaded after them. The coarse levels are
// always resident. On the Earth `horizontal` is measured through the ellipsoid from the point below the camera, and the
// three coarsest levels are resident. Descendants of a tile that the source does not refine (TileSource::refines()) are
// never requested.
//
// At the reach a sample of level 0 is one pixel wide. The reach shrinks if the budget does not hold all tiles in view
// (`coarser` in the stats). It is unlimited if the budget holds all tiles, these are at most 4096, and the source is
// loadedWhole(). Worker threads read and make tiles; only create() and settle() wait.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "core/base/status.h"
#include "core/planet/cube_lattice.h"
#include "core/terrain/detail/roughness.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_source.h"
#include "core/terrain/tiles/tile_stats.h"

namespace orogen {

// The camera as far as tiles depend on it. On the Earth all vectors are along earth-fixed axes.
struct TileView
{
    // Metres east and north of the terrain's centre, and above the sea; on the Earth from its centre.
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0};           // metres per second
    std::array<glm::vec4, 5> planes{};  // frustum planes: camera-relative, inward, normalised
    double pixelsPerRadian = 600;
    double heightScale = 1;
};

// A drawn tile. The tile and all its ancestors are in their slots of the GPU's arrays.
struct ActiveTile
{
    TileKey key;
    int slot = 0;
    float weight = 1;  // fade-in over its parent, in [0, 1]; the parent has weight 1
    TileBounds bounds;
};

// A tile to copy into the GPU's arrays before this frame is drawn.
struct TileUpload
{
    int slot = 0;
    std::shared_ptr<const Tile> tile;
    const TileErrors* errors = nullptr;  // valid until the next update; null: the tile's own
    bool errorsAlone = false;            // the rest of the tile has been uploaded
};

class TileCache
{
public:
    // Loads the coarse levels, and waits for them. Tiles take as much main memory as GPU memory. `clock` returns the
    // time (seconds) that paces retries of failed reads; empty: a steady clock. Errors: those of the source; kLimit
    // (memory, threads).
    static Result<std::unique_ptr<TileCache>> create(std::shared_ptr<const TileSource> source,
                                                     std::uint64_t budgetBytes, int threads = 2,
                                                     std::function<double()> clock = {});
    virtual ~TileCache() = default;

    // Selects the tiles of a frame. Hands out at most `mostUploads` new tiles as uploads(), besides those with
    // errorsAlone. After create(), uploadAgain() and setBudget() it hands out all resident tiles. `fade`: share of the
    // fade-in that passes in this frame; 1: tiles appear at once.
    virtual void update(const TileView& view, int mostUploads, float fade) = 0;
    virtual std::span<const TileUpload> uploads() const = 0;  // from the last update
    virtual std::span<const ActiveTile> active() const = 0;   // from the last update; ancestors first
    virtual double reach() const = 0;                         // distance up to which level 0 is wanted (metres)
    virtual const TileGrid& grid() const = 0;
    virtual const Raster& raster() const
    {
        static const Raster kNone;
        return kNone;
    }
    virtual float highest() const = 0;  // upper bound of the ground's height, unscaled (metres)
    virtual int slots() const = 0;      // tiles that the budget holds; at most the number of all tiles
    virtual TileStats stats() const = 0;

    // Waits until every tile that the view wants is resident, handed out and faded in, at most for `seconds`. Calls
    // `upload` after each update. Returns false after that time, or sooner if the missing tiles keep failing.
    virtual bool settle(const TileView& view, double seconds, const std::function<void()>& upload) = 0;

    // Shows another source of the same grid, whose heights differ only in `samples` (of level 0). The loader threads
    // make the resident tiles with these samples again. The old tiles are shown until all new ones are there. One
    // update() then hands out all new ones, whatever its limit. A further source replaces one that is not shown yet.
    // Needs up to tileBytes() more memory for each tile that changes.
    virtual void change(std::shared_ptr<const TileSource> source, const IndexBox& samples) = 0;
    // Returns whether a changed source is not shown yet. update() advances it.
    virtual bool changing() const = 0;

    // Changes the budget; remaining slots keep their tiles. Returns true if slots() has changed. All tiles are then
    // uploaded again, into slots below the new number.
    virtual bool setBudget(std::uint64_t bytes) = 0;

    // Requests all resident tiles as uploads of the next update, after the GPU's arrays were lost.
    virtual void uploadAgain() = 0;

    // Returns the messages since the last call: a line for each file, or group of files, that could not be read or can
    // be read again.
    virtual std::vector<std::string> takeMessages() = 0;

    // Returns the height (metres, unscaled) of the finest active tile at a place: `east` and `north` metres from the
    // centre of a plane.
    virtual float heightAt(double east, double north) const = 0;
    // Returns the data's properties that procedural detail needs (core/terrain/detail). Only the finest level has
    // roughness, which is 0 where its tile is not active.
    virtual DataRelief reliefAt(double /*east*/, double /*north*/) const { return {}; }
    // Versions for the Earth, with heights above the ellipsoid. reliefAt() uses the finest active tile among levels >=
    // `from`. `shown`: weight of this tile over its parent, in [0, 1], as in the shaders' detailGroundIn().
    virtual float heightAt(const FacePlace& /*place*/) const { return 0; }
    virtual DataRelief reliefAt(const FacePlace& /*place*/, int /*from*/ = 0, float /*shown*/ = 1) const { return {}; }
    virtual int levelAt(const FacePlace& /*place*/) const { return 0; }  // level of the finest active tile there
    virtual int baseLevel() const { return 0; }                          // as TileSource::baseLevel()
};

}  // namespace orogen

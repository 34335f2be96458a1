// Which tiles are resident, which are wanted and which are drawn.
//
// A tile of level l is wanted where a point of it lies nearer to the camera than reach() 2^l: in view first, then what
// the camera moves towards, then all around.  The distance is sqrt(horizontal^2 + above^2), where `above` is the
// camera's height over the terrain's highest point: the same measure as in heights_tiles.glsl.  A wanted tile has
// wanted ancestors, and is loaded after them.  The coarse levels are always resident.  On the Earth `horizontal` is
// measured through the ellipsoid from the point of it below the camera, the coarse levels are three, and nothing is
// asked for below a tile that the source does not refine.
// That distance is one pixel a sample; where the budget does not hold what is in view at that, it shrinks (`coarser` in
// the stats), and where the budget holds all tiles there are, it is without end.
//
// Threads of the cache read and make tiles; nothing that the frame's thread calls waits for them but settle().
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
#include "core/terrain/tiles/tile.h"
#include "core/terrain/tiles/tile_source.h"
#include "core/terrain/tiles/tile_stats.h"

namespace orogen {

struct TileView
{
    // In metres from the terrain's centre, and above the sea; on the Earth all of these along earth-fixed axes.
    glm::dvec3 position{0.0};
    glm::dvec3 velocity{0.0};           // metres a second
    std::array<glm::vec4, 5> planes{};  // of the frustum: camera-relative, inward, normalised
    double pixelsPerRadian = 600;
    double heightScale = 1;
};

// A tile that is drawn: its slot holds it, and so do those of all its ancestors.
struct ActiveTile
{
    TileKey key;
    int slot = 0;
    float weight = 1;  // 0 ... 1: how far it has faded in over its parent, which has weight 1
    TileBounds bounds;
};

// To be copied into the GPU's arrays before anything of this frame is drawn.
struct TileUpload
{
    int slot = 0;
    std::shared_ptr<const Tile> tile;
};

class TileCache
{
public:
    // Loads the coarse levels, and waits for that.  Tiles take as much of main memory as of the budget.  `clock` tells
    // the seconds that pauses between tries of a failed read are counted in; empty: the machine's.  Errors: of the
    // source; kLimit (memory, threads).
    static Result<std::unique_ptr<TileCache>> create(std::shared_ptr<const TileSource> source,
                                                     std::uint64_t budgetBytes, int threads = 2,
                                                     std::function<double()> clock = {});
    virtual ~TileCache() = default;

    // Once a frame.  At most `mostUploads` tiles are handed out; after create(), uploadAgain() and setBudget() all that
    // there are.  `fade`: the share of a tile's fading in that passes in this frame; 1: at once.
    virtual void update(const TileView& view, int mostUploads, float fade) = 0;
    virtual std::span<const TileUpload> uploads() const = 0;  // of the last update
    virtual std::span<const ActiveTile> active() const = 0;   // of the last update; ancestors first
    virtual double reach() const = 0;                         // metres to which level 0 is wanted, in effect
    virtual const TileGrid& grid() const = 0;
    virtual float highest() const = 0;  // metres, unscaled: no ground is known to lie higher
    virtual int slots() const = 0;      // that the budget holds; no more than there are tiles
    virtual TileStats stats() const = 0;

    // Waits until nothing that the view wants is missing and everything has been handed out and faded in, calling
    // `upload` after each update; at most so long.  False: something is still missing.
    virtual bool settle(const TileView& view, double seconds, const std::function<void()>& upload) = 0;

    // Another budget; slots that remain keep what they hold.  True: slots() has changed, and all tiles will be uploaded
    // again, into slots below the new number.
    virtual bool setBudget(std::uint64_t bytes) = 0;

    // All active tiles again as uploads of the next update: the GPU's arrays were lost.
    virtual void uploadAgain() = 0;

    // One line each, and one for each cause however often it comes: files that could not be read, and that they can
    // again.
    virtual std::vector<std::string> takeMessages() = 0;

    // Metres, unscaled, of the finest active tile there; east and north of the terrain's centre.  Of a plane.
    virtual float heightAt(double east, double north) const = 0;
    // Metres of roughness there, that made relief goes by (core/terrain/detail): of the finest level alone; 0 where its
    // tile is not active.
    virtual float roughnessAt(double /*east*/, double /*north*/) const { return 0; }
    // The same of the Earth, above the ellipsoid; roughness is that of the finest tile that the source has there.
    virtual float heightAt(const FacePlace& /*place*/) const { return 0; }
    virtual float roughnessAt(const FacePlace& /*place*/) const { return 0; }
    virtual int levelAt(const FacePlace& /*place*/) const { return 0; }  // of the finest active tile there
};

}  // namespace orogen

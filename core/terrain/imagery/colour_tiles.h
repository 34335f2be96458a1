// Imagery in tiles: pictures laid over each other, resampled to the texels of a terrain's own tiles.
//
// The texels of a tile are those of the grid (tile_grid.h) and one more in each direction, so that a shader can
// interpolate over a smooth kernel without a seam. A texel's value depends on its place and level alone. Tiles of a
// level therefore agree where they meet, also at edges of the cube and at the date line.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/gpu_layout.h"
#include "core/terrain/imagery/image_source.h"
#include "core/terrain/imagery/picture_map.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr int kColourBorder = 1;                         // texels beyond the grid's
inline constexpr int kColourSide = int(gpu::kImageryTileSide);  // texels along a side of Tile::colours
static_assert(kColourSide == kTileCells + 1 + 2 * kColourBorder);

// A picture of the imagery; a later one lies over an earlier one.
struct ImageLayer
{
    std::shared_ptr<const ImagerySource> image;
    float opacity = 1;  // 0 ... 1
};

// Greyscale pictures of the whole Earth, in addition to its daytime colours. A grey of 0 means no lights, or no ice.
struct EarthExtras
{
    std::shared_ptr<const ImagerySource> lights;  // cities by night; null: none
    std::shared_ptr<const ImagerySource> ice;     // on the sea; null: none
};

// Source of tiles with Tile::colours: kColourSide^2 texels of 4 bytes. The first three are red, green and blue,
// multiplied by the coverage. They are stored as the square root of linear light, which is nearly sRGB and cheap to
// undo.
// Alpha on a plane: coverage. Alpha on the Earth, where coverage is complete: 128 + 128 lights - 128 ice, at most 255.
// In the Earth's tiles finer than baseLevel(), its lowest bit is 1 if pictures finer than the first fill half the texel
// or more.
class ColourTiles final : public TileSource
{
public:
    // Lays pictures on the Earth; the first must cover it. `ground`: description of the Earth's heights. Errors,
    // kInput: a picture lacks a usable georeference; the first picture covers only a part of the Earth.
    static Result<std::shared_ptr<const ColourTiles>> forEarth(std::vector<ImageLayer> layers, EarthExtras extras,
                                                               const Raster& ground);
    // Lays pictures on a terrain, whose samples are not read. Errors: those of PictureMap::onPlane().
    static Result<std::shared_ptr<const ColourTiles>> onPlane(std::vector<ImageLayer> layers, const Raster& terrain);
    ~ColourTiles() override;

    const Raster& raster() const override { return raster_; }
    TileGrid grid() const override { return grid_; }
    bool refines(const TileKey& key) const override;
    int baseLevel() const override { return onCube() ? std::min(coarseLevel_, grid_.levels() - 1) : 0; }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey&) const override
    {
        return TileBounds{raster_.minHeight, raster_.maxHeight, 0};
    }
    bool decimated() const override { return false; }
    bool remote() const override;
    bool loadedWhole() const override { return false; }
    std::size_t tileBytes() const override { return 4 * std::size_t(kColourSide) * kColourSide; }

    // Returns the attributions of the pictures and the lights, each once, separated by commas.
    const std::string& credit() const { return credit_; }

private:
    friend class ColourReader;
    struct Layer;
    ColourTiles();
    Status addExtra(const std::shared_ptr<const ImagerySource>& image, std::unique_ptr<Layer>& extra);
    void describe(const Raster& ground);
    void collectCredit();
    bool onCube() const { return grid_.faces() > 1; }
    double texelMetres(int level) const;                  // on the Earth the mean, on a plane the shorter side
    glm::dvec2 texelSize(int level) const;                // lattice units of a face; on a plane metres
    FaceBox boxOf(const TileKey& key, int border) const;  // in lattice units or metres; `border`: texels on each side

    std::vector<Layer> layers_;
    std::unique_ptr<Layer> lights_, ice_;
    TileGrid grid_;
    Raster raster_;
    int coarseLevel_ = kMostTileLevels;  // coarser tiles are refined everywhere; on the Earth the first picture's level
    std::string credit_;
};

}  // namespace orogen

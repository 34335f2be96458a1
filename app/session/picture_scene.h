// The open terrain as the tools in the picture use it: on a plane, or on the Earth.  Positions are metres east, north
// and up of a plane, or earth-fixed metres.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/model/picture_state.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/projection.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_cache.h"
#include "core/view/navigation.h"

namespace orogen::app {

// A leaf in the coordinates of its lattice: metres on a plane, lattice units on a face of the cube.
struct LeafShape
{
    std::array<glm::dvec2, 3> corners{};  // apex and base
    int face = 0;                         // 0 on a plane
    double slack = 0;                     // distance within which a point counts as inside
};

struct PictureScene
{
    ViewSurroundings around;
    Camera camera;
    double heightScale = 1;
    std::uint64_t heights = 0;                  // counter that changes whenever the heights do
    std::uint64_t loaded = 0;                   // tiles loaded so far
    bool tilesSettled = true;                   // all tiles of the view are loaded
    std::optional<double> syntheticBelow = {};  // detail below this size is procedural (metres); empty: none
    std::optional<double> waterLevel = {};      // metres, unscaled; empty: no water

    PictureScene() = default;
    PictureScene(const PictureScene&) = default;
    virtual ~PictureScene() = default;

    // ---- the elevation model at a point ----------------------------------------------------------------------------
    virtual GroundPoint pointAt(const glm::dvec3& position) const = 0;     // from the finest tile drawn there
    virtual double samplesAt(const glm::dvec3& position) const = 0;        // spacing of that tile's data (metres)
    virtual double finestSamplesAt(const glm::dvec3& position) const = 0;  // spacing to sample a line with (metres)
    virtual bool tiled() const = 0;  // whether the spacing of samples differs from place to place
    // Returns latitude and longitude, or metres east and north, with the decimals that a precision of `metres` needs.
    virtual std::string coordinates(const glm::dvec3& position, double metres) const = 0;

    // Returns the point of the drawn ground at a position, and whether terrain hides it.
    SeenPoint seen(const glm::dvec3& position) const;
    virtual bool hides(const glm::dvec3& place) const = 0;  // whether terrain hides a place from the camera
    // Returns the metres that a pixel in the middle of the picture covers at a distance.
    double pixelMetres(double distance) const;

    // ---- a line ----------------------------------------------------------------------------------------------------
    virtual ProfileLeg leg(const glm::dvec3& from, const glm::dvec3& to) const = 0;
    // Returns a function that reads heights along a line.  The function refers to the terrain, not to the scene.
    virtual ProfileHeightAt heightsAlong() const = 0;
    virtual std::vector<ProfileColumn> columns() const = 0;  // columns of coordinates in a saved profile

    // ---- leaves of the triangulation -------------------------------------------------------------------------------
    virtual std::optional<LeafShape> shapeOf(const PickedLeaf& leaf) const = 0;  // empty: the root of a plane's tree
    // Converts a position to coordinates of the lattice (see LeafShape); empty if it lies on another face.
    virtual std::optional<glm::dvec2> onLattice(const glm::dvec3& position, int face) const = 0;
    // Converts coordinates of the lattice to a position, without its height.
    virtual glm::dvec3 offLattice(const glm::dvec2& at, int face) const = 0;

    // ---- top view --------------------------------------------------------------------------------------------------
    virtual double topSide() const = 0;   // side of the largest region (metres)
    virtual int startZoom() const = 0;    // number of times that topSide() is halved when the view opens
    virtual int mostTopZoom() const = 0;  // number of times that topSide() can be halved
    // Returns the region of side `side` (metres) around the camera, which stays for small moves of the camera.
    // `before`: the previous region.
    virtual TopRegion topRegion(const TopRegion& before, double side) const = 0;
    // Converts a place to coordinates of a region: metres east and north, as in TopRegion::corner.
    virtual glm::dvec2 onTop(const TopRegion& region, const glm::dvec3& place) const = 0;
    // Returns points on the border of the ground in view, in order.  Lines of sight that miss the ground end far away
    // or at the horizon.
    virtual std::vector<glm::dvec3> borderInView() const = 0;
};

class PlaneScene final : public PictureScene
{
public:
    // `tiles`: null for a terrain that is one image; otherwise `field` is the overview of the tiles.  `side`: side of
    // the triangulation's square (metres).  All arguments must outlive the scene.
    PlaneScene(const HeightField& field, const Raster& raster, const TileCache* tiles, double side,
               const std::optional<TerrainGeography>& geography)
        : field_(field), raster_(raster), tiles_(tiles), side_(side), geography_(geography)
    {
    }

    GroundPoint pointAt(const glm::dvec3& position) const override;
    double samplesAt(const glm::dvec3& position) const override;
    double finestSamplesAt(const glm::dvec3&) const override;
    bool tiled() const override { return tiles_ != nullptr; }
    std::string coordinates(const glm::dvec3& position, double metres) const override;
    bool hides(const glm::dvec3& place) const override;
    ProfileLeg leg(const glm::dvec3& from, const glm::dvec3& to) const override { return straightLeg(from, to); }
    ProfileHeightAt heightsAlong() const override;
    std::vector<ProfileColumn> columns() const override;
    std::optional<LeafShape> shapeOf(const PickedLeaf& leaf) const override;
    std::optional<glm::dvec2> onLattice(const glm::dvec3& position, int) const override { return position; }
    glm::dvec3 offLattice(const glm::dvec2& at, int) const override { return {at, 0}; }
    double topSide() const override { return side_; }
    int startZoom() const override { return 0; }
    int mostTopZoom() const override { return 10; }
    TopRegion topRegion(const TopRegion& before, double side) const override;
    glm::dvec2 onTop(const TopRegion&, const glm::dvec3& place) const override { return place; }
    std::vector<glm::dvec3> borderInView() const override;

private:
    const HeightField& field_;
    const Raster& raster_;
    const TileCache* tiles_;
    double side_;
    const std::optional<TerrainGeography>& geography_;
};

class EarthScene final : public PictureScene
{
public:
    // `source` knows the spacing of the data; null: the scene uses the spacing of the tiles.  `tiles` and `source` must
    // outlive the scene.
    explicit EarthScene(const TileCache& tiles, const EarthSource* source = nullptr) : tiles_(tiles), source_(source) {}

    GroundPoint pointAt(const glm::dvec3& position) const override;
    double samplesAt(const glm::dvec3& position) const override;
    double finestSamplesAt(const glm::dvec3& position) const override;
    bool tiled() const override { return true; }
    std::string coordinates(const glm::dvec3& position, double metres) const override;
    bool hides(const glm::dvec3& place) const override;
    ProfileLeg leg(const glm::dvec3& from, const glm::dvec3& to) const override;
    ProfileHeightAt heightsAlong() const override;
    std::vector<ProfileColumn> columns() const override;
    std::optional<LeafShape> shapeOf(const PickedLeaf& leaf) const override;
    std::optional<glm::dvec2> onLattice(const glm::dvec3& position, int face) const override;
    glm::dvec3 offLattice(const glm::dvec2& at, int face) const override;
    double topSide() const override;
    int startZoom() const override;
    int mostTopZoom() const override { return 16; }
    TopRegion topRegion(const TopRegion& before, double side) const override;
    glm::dvec2 onTop(const TopRegion& region, const glm::dvec3& place) const override;
    std::vector<glm::dvec3> borderInView() const override;

private:
    int levelAt(const glm::dvec3& position) const;

    const TileCache& tiles_;
    const EarthSource* source_;
};

}  // namespace orogen::app

// Shadows of the Earth's relief around the camera: maps of the visible fraction of the sun's disc or, by night, of the
// moon's.  A map has three levels: squares of three sizes around one centre (shaders/earth/region.glsl).  A map is
// computed in rows, over several frames.  Until it is complete, the previous map is shown.
#pragma once

#include <cstdint>
#include <optional>

#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "core/base/status.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {

struct RegionPrograms
{
    explicit RegionPrograms(ShaderLibrary& library);
    ProgramHandle heights, shadows;
};

struct RegionView
{
    glm::dvec3 eye{0};        // earth-fixed (metres)
    glm::dvec3 sun{0, 0, 1};  // towards the sun or, by night, the moon, earth-fixed, unit
    double heightScale = 1;
    std::uint64_t tiles = 0;  // changes with the resident tiles
    bool tilesRest = false;   // the tiles of this view are resident
    bool wanted = true;       // shadows are to be shown
};

class ShadowRegion
{
public:
    // Creates a region without a map.  `library` must outlive the region.  Error kLimit.
    static Result<ShadowRegion> create(const ShaderLibrary& library, const RegionPrograms& programs);

    // Sets the view of a frame.  Begins a new map if the last one does not fit that view.  Drops the map if shadows are
    // not wanted, or above 200 km.
    void look(const RegionView& view);
    int rowsLeft() const;  // rows of the map that are still to be computed, over both passes
    // Computes about `rows` rows of the map, in steps of 8.  If `rows` is as many as the whole map has and a previous
    // map is shown, computes 64 rows instead.  Uniforms, tiles and terrain must be bound.
    void update(int rows);
    void restart();  // drops all maps; call after the programs changed

    // Sets the uniforms of earth_shadow.glsl in a program, and binds the map.
    void use(GLuint program) const;
    bool shown() const { return front_.base > 0; }
    std::uint64_t bytes() const;

private:
    struct Map
    {
        LocalAxes axes;
        glm::dvec3 centre{0}, sun{0, 0, 1};
        double base = 0, heightScale = 1;  // base: width of level 0 (metres); 0: no map
        std::uint64_t tiles = 0;
    };
    bool serves(const Map& map) const;  // whether the map fits the view
    // Returns whether the map's size fits the camera's height, and the camera is within `share` bases of the centre.
    bool nearEnough(const Map& map, double share) const;

    const ShaderLibrary* library_ = nullptr;
    ProgramHandle heightsProgram_{}, shadowsProgram_{};
    Texture heights_, shares_[2];  // shares_[0]: shown
    Sampler smooth_;
    RegionView view_;
    Map front_, back_;  // the map that is shown, and the one that is being computed
    int row_ = 0;       // next row of back_, counted over both passes; kRows: no map is being computed
};

}  // namespace orogen::app

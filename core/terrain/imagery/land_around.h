// The land that is drawn outside a terrain's border: its rings of triangles, and their height. "Scaled" heights have
// the vertical exaggeration. The shaders land.comp, border.vert and surroundings.glsl compute the same land. `around`
// is a point of the border: 0 ... 4, counter-clockwise from the south-western corner.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/terrain/imagery/surroundings.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// The land follows the Earth's curvature: the sphere that touches the plane at the border. Returns the sphere's point
// at a distance from the border. x: metres outwards in the plane, y: metres below the plane. `distance`: metres in a
// stereographic projection of the sphere.
glm::dvec2 sunkAt(double distance);
// Inverts sunkAt() for a point `outwards` metres out in the plane. x: the distance, y: metres below the plane.
glm::dvec2 distanceAlong(double outwards);

// Closed strip of triangles around the terrain, between an inner and an outer row of vertices.
struct LandRing
{
    int columns = 0;              // vertices of a row, per side of the terrain; a power of two
    int columnsNext = 0;          // columns of the next ring, equal or fewer; a power of two
    double inner = 0, outer = 0;  // distances from the border, as sunkAt() takes them (metres)
};

struct LandShape
{
    int columns = 0;              // heights of the border per side of the terrain; a power of two
    double spacing = 0;           // mean distance between these heights (metres)
    std::vector<LandRing> rings;  // outwards; the first begins at `spacing`
};
// Returns the land around a terrain of the size of `field`.  `surroundings`: the Earth's relief lies around it.
LandShape landShape(const HeightField& field, bool surroundings);

class LandAround
{
public:
    // `field`: heights of the terrain, or an overview of them.  Without `known` the land extends the border's heights.
    LandAround(const HeightField& field, std::shared_ptr<const Surroundings> known);

    // Returns the height of the drawn land (metres, scaled), and inside the terrain that of `ground`. Leaves out the
    // shift by some pixels with which border.vert draws the border.  `east`, `north`: metres from the terrain's centre.
    // `ground`: returns the drawn height of the terrain (metres, scaled), which the land meets at the border.  Takes
    // about 2 microseconds.
    double heightAt(double east, double north, double heightScale,
                    const std::function<double(double east, double north)>& ground) const;

private:
    double borderHeight(double around, double level) const;
    double height(double around, double distance, double heightScale) const;
    glm::dvec3 vertex(double around, double distance, double heightScale, double reach) const;
    glm::dvec3 outerVertex(double around, const LandRing& ring, double heightScale) const;
    double ringHeight(const LandRing& ring, double around, glm::dvec2 place, double heightScale) const;

    glm::dvec2 extent_;  // metres
    LandShape shape_;
    std::vector<std::vector<float>> heights_;  // along the border, then means over 2, 4, 8 ... of them; unscaled
    std::shared_ptr<const Surroundings> known_;
};

}  // namespace orogen

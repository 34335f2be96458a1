// Light in the Earth's air: scattering by molecules and haze, absorption by ozone, from the ground to space.
//
// The model is that of Hillaire, "A Scalable and Production Ready Sky and Atmosphere Rendering Technique" (Computer
// Graphics Forum 39, 2020), with the coefficients and the transmittance coordinates of Bruneton, "Precomputed
// Atmospheric Scattering: a New Implementation" (2017).  Haze is a setting.  Each ray is integrated for light scattered
// once; light scattered more often comes from a table.  The shaders read the same tables (shaders/air/air.glsl).
//
// The ground is a sphere.  Radiance is relative to gpu::kSunlight, that of a white surface facing the sun above the
// air, unless a function's comment says that gpu::kSunlight is included.
#pragma once

#include <span>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

namespace orogen {

// Returns the extinction by haze at sea level for green light (1/metre).  `metres`: visibility (> 0), the distance at
// which 2 % of a contrast remain.  The haze has a minimum, reached at a visibility of some 250 km.
double hazeOfVisibility(double metres);

// Returns the factor on the air's density between the ground and a camera at a height (metres).  The factor falls with
// height from 1 to kLeastAir, since photographs from great heights are usually processed for contrast.
double airShown(double height);
inline constexpr double kLeastAir = 0.30;

// Returns the light of the moon on a surface that faces it, over pi, in units of radiance (gpu::kSunlight included). It
// is brighter than in reality, like the light of the stars, so that both are visible next to twilight.  `sun`, `moon`:
// directions, unit.  `sunSine`: sine of the sun's elevation; the moon does not count before the sun is 4 degrees down.
glm::dvec3 moonlight(const glm::dvec3& sun, const glm::dvec3& moon, double sunSine);

// Returns whether the sun, and not the moon, casts the shadows.
bool sunRules(double sunSine);

class AirLight
{
public:
    // Computes the tables.  `haze`: extinction by haze at sea level, green (1/metre, >= 0).  Cost: some 50 ms.
    explicit AirLight(double haze);

    double haze() const { return haze_; }

    // Returns the share of light from outside the air that reaches a place.  Light that haze hardly deflects counts as
    // passing through (gpu::kHazePasses).  `height`: metres above the sphere, clamped to the air; `cosine`: between the
    // vertical and the light's direction.  Falls to 0 over the sun's width where the ground hides the light.
    glm::dvec3 transmittance(double height, double cosine) const;
    // Returns sunlight scattered more than once, and starlight, divided by the scattering coefficient at the place.
    // `cosine`, here and below: between the vertical and the sun.  gpu::kSunlight is not included.
    glm::dvec3 scatteredOften(double height, double cosine) const;
    // Returns the irradiance of a level surface by the sky, divided by pi; gpu::kSunlight is not included.
    glm::dvec3 skylight(double height, double cosine) const;
    // Returns the irradiance of a level surface by sun and sky, divided by pi, in units of radiance (gpu::kSunlight
    // included).
    glm::dvec3 daylight(double height, double cosine) const;

    // Light along a ray.
    struct Ray
    {
        glm::dvec3 added;  // scattered towards the ray's start, gpu::kSunlight not included
        glm::dvec3 left;   // transmittance of molecules and haze, without ozone
    };
    // Integrates along a ray.  `height`: of its start (metres); `rise`: cosine between ray and vertical; `sun`:
    // cosine between the vertical and the sun; `cosSun`: between the ray and the sun; `length`: metres, within the air;
    // `share`: factor of the density, applied to this ray only; `steps`: of the numerical integration.
    Ray integral(double height, double rise, double sun, double cosSun, double length, double share, int steps) const;

    // Returns the factor on radiance before the tone curve (tone.glsl).  Mid-grey ground straight below a camera is
    // shown as kMidGrey with the sun 40 degrees high, a little brighter or darker with a higher or lower sun, and as
    // kNightGrey at night.
    // `sun`: sine of the sun's elevation at that ground; `height`: of the camera (metres); `moon`: light of the moon on
    // level ground, over pi (moonlight()).
    double exposure(double height, double sun, const glm::dvec3& moon = glm::dvec3(0)) const;
    static constexpr double kMidGrey = 0.57, kNightGrey = 0.42;  // display values, 0 ... 1

    // Texels for the shaders; each row belongs to one height.
    std::span<const glm::vec3> transmittanceTexels() const { return transmittance_; }
    std::span<const glm::vec3> scatteredTexels() const { return scattered_; }
    std::span<const glm::vec3> skyTexels() const { return sky_; }

private:
    struct Order;
    Order orderAlong(double height, double rise, double sun, double cosSun) const;
    void fillTransmittance();
    void fillScattered();
    void fillSky();
    glm::dvec3 depthOf(double height, double cosine) const;
    glm::dvec3 sampled(const std::vector<glm::vec3>& table, double height, double cosine) const;

    double haze_;
    std::vector<glm::vec3> transmittance_, scattered_, sky_;
};

}  // namespace orogen

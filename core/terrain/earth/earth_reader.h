// Reader of the Earth's heights, for EarthSource.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "core/terrain/earth/earth_source.h"

namespace orogen {

// Returns the lattice units between a level's samples, in a grid on the cube.
double latticeStep(const TileGrid& grid, int level);

// Places at which heights are read: a rectangular grid of samples on a face, or arbitrary places stored as one row.
struct InsetPlaces
{
    int width = 0, height = 0;
    std::optional<FaceBox> box;   // set if the places are the samples of a rectangle of a face
    std::vector<LatLong> places;  // row by row; longitudes in [-180, 180]

    std::size_t at(int column, int row) const { return std::size_t(row) * std::size_t(width) + std::size_t(column); }
};

// Reader of the Earth's heights: the relief (EarthRelief) with insets, the user's elevation models, laid over it.
// Valid while the source lives; not thread-safe. A 145 x 145 window takes 3 ms over relief, 5 to 10 ms over an inset.
class EarthReader final : public TileReader
{
public:
    explicit EarthReader(const EarthSource& source);
    ~EarthReader() override;

    Status read(const TileWindow& window, std::span<float> out) override;
    bool distances(std::span<float> out) const override;
    bool baseHeights(std::span<float> out) const override;
    std::uint64_t bytesRead() const override;

    Result<double> heightAt(LatLong place);  // as EarthSource::heightAt()
    // Does the work of EarthSource::groundAt().
    Status readPlaces(std::span<const LatLong> places, std::span<float> out);
    // Returns the ground at a place: the relief with only the first `count` insets over it. Reads each inset from the
    // level that InsetReader::load() chooses for `metres`.
    Result<BaseGround> groundBelow(std::size_t count, LatLong place, double metres);
    // Returns the reader of an inset's samples, which the first call opens. `inset`: index in EarthSource::models().
    Result<InsetReader*> readerOf(std::size_t inset);

private:
    // An inset that affects a window, and the positions of the window's places in it.
    struct Layer
    {
        InsetReader* reader = nullptr;
        std::size_t inset = 0;
        const InsetMembrane* membrane = nullptr;  // see inset_membrane.h; null: none
        // Distance from the rim, the border of the inset's data, up to which heights are corrected (metres). 0: no
        // correction. Membrane nodes sparser than the inset's samples, or a coarse level, make it necessary.
        double seam = 0;
        std::vector<glm::dvec2> at;  // for each place, in samples of the inset's level 0; NaN: too far or off the map

        // Returns the height that the membrane adds to the ground below the inset (metres).
        float carriedTo(glm::dvec2 sample) const { return membrane ? membrane->at(sample) : 0.0f; }
    };
    // Place of an inset's data that is nearest to a place outside them.
    struct Rim
    {
        glm::dvec2 at;                 // in samples of the inset's level 0
        double metres = 0, reach = 0;  // distance to `at`, and the distance at which the correction ends
        float height = 0;              // height of the inset at `at` (metres)
    };

    Status compose(double metres, std::span<float> out);
    Status findLayers(double metres);
    bool reaches(std::size_t inset) const;
    Result<bool> prepare(Layer& layer, std::size_t inset, double metres) const;
    std::optional<Rim> rimAt(const Layer& layer, glm::dvec2 at) const;
    float laid(std::size_t layer, glm::dvec2 at, float below) const;
    float groundAt(std::size_t count, LatLong place) const;
    float composed(std::size_t place, float relief, std::size_t layers) const;

    const EarthSource& source_;
    std::vector<std::unique_ptr<InsetReader>> readers_;  // by inset, opened when needed
    InsetPlaces grid_;
    std::vector<Layer> layers_;  // the first `used_` are valid, in the order of EarthSource's insets
    std::size_t used_ = 0;
};

}  // namespace orogen

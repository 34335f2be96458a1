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

// Places at which heights are read: the samples of a tile, or any others in one row.
struct InsetPlaces
{
    int width = 0, height = 0;
    std::optional<FaceBox> box;   // set if the places are the samples of a rectangle of a face
    std::vector<LatLong> places;  // row by row; longitudes in [-180, 180]

    std::size_t at(int column, int row) const { return std::size_t(row) * std::size_t(width) + std::size_t(column); }
};

// Reader of the Earth's heights: the relief with insets over it.
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
    // Returns the ground made of the first `count` insets; reads with samples at most `metres` apart.
    Result<BaseGround> groundBelow(std::size_t count, LatLong place, double metres);
    Result<InsetReader*> readerOf(std::size_t inset);

private:
    // An inset that affects a window, and the positions of the window's places in it.
    struct Layer
    {
        InsetReader* reader = nullptr;
        std::size_t inset = 0;
        const InsetMembrane* membrane = nullptr;  // null: none
        double seam = 0;  // metres around the rim where the membrane's coarser samples are corrected
        std::vector<glm::dvec2> at;

        float carriedTo(glm::dvec2 sample) const { return membrane ? membrane->at(sample) : 0.0f; }
    };
    struct Rim
    {
        glm::dvec2 at;                 // nearest place of an inset, in its samples
        double metres = 0, reach = 0;  // distance to `at`, and the one at which its influence ends
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
    std::vector<Layer> layers_;  // the first `used_` are valid, in the order of naming
    std::size_t used_ = 0;
};

}  // namespace orogen

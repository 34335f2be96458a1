#include "core/terrain/imagery/surroundings.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/terrain/earth/earth_source.h"
#include "core/terrain/imagery/image_source.h"
#include "core/terrain/imagery/picture_map.h"
#include "core/terrain/raster/projection.h"

namespace orogen {
namespace {

constexpr int kColumns = int(gpu::kSurroundingColumns), kRows = int(gpu::kSurroundingRows), kOfSide = kColumns / 4;
constexpr int kWidestPicture = 2048;  // preferred limit on the width read (pixels; 20 km each at the equator)
constexpr int kMeans = 5;             // a mean over a square is taken from kMeans x kMeans samples

// The Earth's relief around a terrain. Places are given in metres east and north of the terrain's centre.
class ReliefAround
{
public:
    // `centre`: place of the terrain's centre.
    ReliefAround(const EarthRelief& relief, const TerrainGeography& geography, const LatLong& centre)
        : relief_(relief), geography_(geography), up_(directionOf(centre)),
          east_(-std::sin(centre.longitude / kDegrees), std::cos(centre.longitude / kDegrees), 0),
          north_(glm::cross(up_, east_))
    {
    }

    // Returns a place on the Earth. Up to kMapped the terrain's map projection gives the place. Farther away a
    // projection stretches the Earth, or is undefined. So from kOnSphere on, the place lies in the point's direction
    // and at its distance on a sphere (stereographic, as sunkAt()). Between these limits, both places are blended.
    LatLong placeAt(glm::dvec2 place) const
    {
        const double distance = glm::length(place);
        std::optional<LatLong> mapped;
        if (distance < kOnSphere) mapped = geography_.place(place.x, place.y);
        if (mapped && distance < kMapped) return *mapped;
        const double angle = 2 * std::atan(distance / (2 * double(gpu::kAirRadius)));
        const glm::dvec2 way = place * (std::sin(angle) / distance);
        const glm::dvec3 far = east_ * way.x + north_ * way.y + up_ * std::cos(angle);
        const double share = mapped ? (distance - kMapped) / (kOnSphere - kMapped) : 1.0;
        const glm::dvec3 there = share < 1.0 ? glm::mix(directionOf(*mapped), far, share) : far;
        return {std::atan2(there.z, std::hypot(there.x, there.y)) * kDegrees, std::atan2(there.y, there.x) * kDegrees};
    }
    float heightAt(glm::dvec2 place) const
    {
        const LatLong there = placeAt(place);
        return relief_.heightAt(there.latitude, there.longitude);
    }
    // Returns the mean height over a square of `side` metres; the height itself up to the relief's spacing.
    float meanAt(glm::dvec2 place, double side) const
    {
        if (side <= relief_.spacing()) return heightAt(place);
        double sum = 0;
        for (int i = 0; i < kMeans * kMeans; ++i)
            sum += double(heightAt(place + side * (glm::dvec2(i % kMeans, i / kMeans) / double(kMeans - 1) - 0.5)));
        return float(sum / (kMeans * kMeans));
    }
    // `side`: spacing of the grid of Surroundings at the place (metres).
    Surroundings::Ground groundAt(glm::dvec2 place, double side) const
    {
        const double step = std::max(side, relief_.spacing()) / 2;
        const auto slope = [&](glm::dvec2 along) {
            return float((double(heightAt(place + along)) - double(heightAt(place - along))) / (2 * step));
        };
        return {meanAt(place, side), slope({step, 0}), slope({0, step})};
    }

private:
    static constexpr double kMapped = 300e3, kOnSphere = 1200e3;  // metres from the centre
    static constexpr double kDegrees = 180 / std::numbers::pi;    // degrees per radian

    static glm::dvec3 directionOf(const LatLong& place)
    {
        const double latitude = place.latitude / kDegrees, longitude = place.longitude / kDegrees;
        return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)};
    }

    const EarthRelief& relief_;
    const TerrainGeography& geography_;
    glm::dvec3 up_, east_, north_;  // at the terrain's centre, earth-fixed
};

// A picture of the whole Earth in memory.
class WholePicture
{
public:
    static Result<WholePicture> read(const std::string& file)
    {
        const Result<std::shared_ptr<const ImagerySource>> source = openImage(file);
        if (!source) return source.error();
        const std::span<const ImageSize> sizes = (*source)->images();
        std::size_t image = 0;
        while (image + 1 < sizes.size() && sizes[image].width > kWidestPicture)
            ++image;
        WholePicture picture;
        picture.size_ = sizes[image];
        picture.share_ = double(sizes[image].width) / (*source)->raster().width;
        picture.rgba_.resize(std::size_t(picture.size_.width) * std::size_t(picture.size_.height) * 4);
        Result<std::unique_ptr<PictureMap>> map = PictureMap::onEarth((*source)->raster());
        if (!map) return map.error();
        picture.map_ = std::move(*map);
        if (!picture.map_->everywhere()) return inputError(file, "covers a part of the Earth, expected all of it");
        Result<std::unique_ptr<ImageryReader>> reader = (*source)->openReader();
        if (!reader) return reader.error();
        const ImageBox all{0, 0, picture.size_.width, picture.size_.height};
        if (Status s = (*reader)->read(image, all, picture.rgba_); !s) return s.error();
        return picture;
    }

    // Appends the bilinear colour at each place; transparent black where the picture's map has no position.
    void coloursAt(const TexelPlaces& places, std::vector<std::uint8_t>& out) const
    {
        std::vector<glm::dvec2> pixels(places.earth.size());
        map_->pixelsOf(places, pixels);
        for (const glm::dvec2& pixel : pixels)
            for (int channel = 0; channel < 4; ++channel)
                out.push_back(std::isfinite(pixel.x + pixel.y)
                                  ? std::uint8_t(std::lround(at((pixel + 0.5) * share_ - 0.5, channel)))
                                  : std::uint8_t(0));
    }

private:
    double at(glm::dvec2 pixel, int channel) const
    {
        const glm::dvec2 whole(std::floor(pixel.x), std::floor(pixel.y)), part = pixel - whole;
        const auto value = [&](int x, int y) {
            const int column = (int(whole.x) + x + size_.width) % size_.width;
            const int row = std::clamp(int(whole.y) + y, 0, size_.height - 1);
            return double(
                rgba_[4 * (std::size_t(row) * std::size_t(size_.width) + std::size_t(column)) + std::size_t(channel)]);
        };
        const double above = value(0, 0) + part.x * (value(1, 0) - value(0, 0));
        const double below = value(0, 1) + part.x * (value(1, 1) - value(0, 1));
        return above + part.y * (below - above);
    }

    ImageSize size_;
    double share_ = 1;  // width in pixels divided by that of the full picture
    std::vector<std::uint8_t> rgba_;
    std::unique_ptr<PictureMap> map_;
};

}  // namespace

BorderPoint borderPoint(int side, double along)
{
    const double t = along, out = 2 * t - 1;
    switch (side)
    {
    case 0:
        return {{t, 0}, {out, -1}};
    case 1:
        return {{1, t}, {1, out}};
    case 2:
        return {{1 - t, 1}, {-out, 1}};
    default:
        return {{0, 1 - t}, {-1, -out}};
    }
}

double Surroundings::distanceOf(int row)
{
    return double(gpu::kNearestSurroundings) * std::exp2(double(row) / double(gpu::kSurroundingRowsPerOctave));
}

Result<std::optional<Surroundings>> surroundingsOf(const Raster& terrain, const std::string& relief,
                                                   const std::string& picture)
{
    const std::optional<TerrainGeography> geography = TerrainGeography::of(terrain);
    if (!geography) return std::optional<Surroundings>();
    const std::optional<LatLong> west = geography->place(-terrain.east() / 2, 0),
                                 east = geography->place(terrain.east() / 2, 0),
                                 south = geography->place(0, -terrain.north() / 2),
                                 north = geography->place(0, terrain.north() / 2), centre = geography->place(0, 0);
    if (!centre || !west || !east || !south || !north || east->longitude - west->longitude > kMostSurroundedDegrees ||
        east->longitude < west->longitude || north->latitude - south->latitude > kMostSurroundedDegrees)
        return std::optional<Surroundings>();
    const Result<EarthRelief> earth = EarthRelief::read(relief);
    if (!earth) return earth.error();
    const Result<WholePicture> colours = WholePicture::read(picture);
    if (!colours) return colours.error();

    const ReliefAround around(*earth, *geography, *centre);
    const glm::dvec2 size(terrain.east(), terrain.north());
    Surroundings made;
    TexelPlaces places;
    for (int row = 0; row < kRows; ++row)
    {
        const double distance = Surroundings::distanceOf(row);
        const double outwards = Surroundings::distanceOf(row + 1) - distance;
        const double along = (2 * (terrain.east() + terrain.north()) + 8 * distance) / kColumns;
        for (int column = 0; column < kColumns; ++column)
        {
            const BorderPoint point = borderPoint(column / kOfSide, double(column % kOfSide) / kOfSide);
            const glm::dvec2 place = (point.place - 0.5) * size + distance * point.outwards;
            made.ground.push_back(around.groundAt(place, std::max(along, outwards)));
            places.earth.push_back(around.placeAt(place));
        }
    }
    made.highest = std::ranges::max(made.ground, {}, &Surroundings::Ground::height).height;
    colours->coloursAt(places, made.colours);
    return std::optional(std::move(made));
}

}  // namespace orogen

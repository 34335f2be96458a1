#include "core/terrain/earth/earth_reader.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/planet/ellipsoid.h"
#include "core/terrain/tiles/cube_tiles.h"

namespace orogen {

double latticeStep(const TileGrid& grid, int level)
{
    return std::ldexp(double(kCubeSide) / kTileCells, level + 1 - grid.levels());
}

namespace {

FacePlace facePlace(const TileGrid& grid, const TileWindow& window, int column, int row)
{
    const double step = latticeStep(grid, window.level);
    return {window.face, glm::dvec2(window.column + column, window.row + row) * step};
}

// Cells along a side of a block, whose places are interpolated together.
constexpr int kBlock = 8;

struct Block
{
    int column, row, width, height;  // first place, and cells; width + 1 by height + 1 places
};

std::vector<Block> blocksOf(const InsetPlaces& grid)
{
    std::vector<Block> blocks;
    for (int row = 0; row < std::max(grid.height - 1, 1); row += kBlock)
        for (int column = 0; column < std::max(grid.width - 1, 1); column += kBlock)
            blocks.push_back(
                {column, row, std::min(kBlock, grid.width - 1 - column), std::min(kBlock, grid.height - 1 - row)});
    return blocks;
}

FaceBox boxOf(const InsetPlaces& grid, const Block& block)
{
    const glm::dvec2 cells(std::max(grid.width - 1, 1), std::max(grid.height - 1, 1));
    const glm::dvec2 step = (grid.box->high - grid.box->low) / cells;
    const glm::dvec2 low = grid.box->low + step * glm::dvec2(block.column, block.row);
    return {grid.box->face, low, low + step * glm::dvec2(block.width, block.height)};
}

// The corners of a block, and its middle.
constexpr std::size_t kProbes = 5;

void addProbes(const InsetPlaces& grid, const Block& block, std::vector<LatLong>& places)
{
    for (const auto& [column, row] :
         {std::pair(0, 0), std::pair(block.width, 0), std::pair(0, block.height), std::pair(block.width, block.height),
          std::pair(block.width / 2, block.height / 2)})
        places.push_back(grid.places[grid.at(block.column + column, block.row + row)]);
}

glm::dvec2 interpolated(std::span<const glm::dvec2> corners, const Block& block, int column, int row)
{
    const double s = block.width > 0 ? double(column) / block.width : 0.0;
    const double t = block.height > 0 ? double(row) / block.height : 0.0;
    return (corners[0] * (1.0 - s) + corners[1] * s) * (1.0 - t) + (corners[2] * (1.0 - s) + corners[3] * s) * t;
}

void fillBlock(const InsetMap& map, const InsetPlaces& grid, const Block& block, std::span<const glm::dvec2> probes,
               double tolerance, std::vector<glm::dvec2>& out)
{
    const glm::dvec2 off = interpolated(probes, block, block.width / 2, block.height / 2) - probes[4];
    const bool smooth = std::hypot(off.x, off.y) <= tolerance;  // false if a probe is NaN
    for (int row = 0; row <= block.height; ++row)
    {
        const std::size_t first = grid.at(block.column, block.row + row), count = std::size_t(block.width) + 1;
        if (smooth)
            for (int column = 0; column <= block.width; ++column)
                out[first + std::size_t(column)] = interpolated(probes, block, column, row);
        else
            map.samplesOf(std::span(grid.places).subspan(first, count), std::span(out).subspan(first, count));
    }
}

FaceBox boxOf(const TileGrid& grid, const TileWindow& window)
{
    return {window.face, facePlace(grid, window, 0, 0).at,
            facePlace(grid, window, window.width - 1, window.height - 1).at};
}

void placesOf(const TileGrid& grid, const TileWindow& window, InsetPlaces& places)
{
    places.width = window.width, places.height = window.height;
    places.box = boxOf(grid, window);
    places.places.clear();
    std::vector<double> columns, rows;
    for (int column = 0; column < window.width; ++column)
        columns.push_back(facePlace(grid, window, column, 0).at.x);
    for (int row = 0; row < window.height; ++row)
        rows.push_back(facePlace(grid, window, 0, row).at.y);
    addPlaces(window.face, columns, rows, places.places);
}

// Returns the distance between neighbouring samples at a window's centre (metres), the shorter of both directions.
double spacingAt(const TileGrid& grid, const TileWindow& window)
{
    const int column = window.width / 2, row = window.height / 2;
    const auto position = [&](int x, int y) { return onEllipsoid(scaledDirection(facePlace(grid, window, x, y))); };
    const glm::dvec3 middle = position(column, row);
    return std::min(glm::distance(middle, position(column + 1, row)), glm::distance(middle, position(column, row + 1)));
}

// Computes positions in an inset's map, to about `tolerance` samples. Divides the grid into blocks of kBlock cells per
// side. Blocks farther than `metres` from the inset get NaN, which also means off the map. Projects the corners and the
// middle of the other blocks. If the middle agrees with interpolation between the corners, the block is interpolated.
// Otherwise all its places are projected. In a geographic map, and in a grid without a box, all places are projected.
void samplesOf(const InsetReader& inset, const InsetPlaces& grid, double metres, double tolerance,
               std::vector<glm::dvec2>& out)
{
    const InsetMap& map = inset.map();
    out.assign(grid.places.size(), glm::dvec2(std::numeric_limits<double>::quiet_NaN()));
    if (map.simple() || !grid.box) return map.samplesOf(grid.places, out);
    std::vector<Block> blocks = blocksOf(grid);
    std::erase_if(blocks, [&](const Block& block) { return !inset.inset().meets(boxOf(grid, block), metres); });
    std::vector<LatLong> places;
    for (const Block& block : blocks)
        addProbes(grid, block, places);
    std::vector<glm::dvec2> probes(places.size());
    map.samplesOf(places, probes);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        fillBlock(map, grid, blocks[i], std::span(probes).subspan(i * kProbes, kProbes), tolerance, out);
}

}  // namespace

namespace {

constexpr double kPlaceTolerance = 0.01;  // share of the window's sample spacing, or of the inset's if that is larger

// Returns the weight of a correction: 1 at the inset's rim (the border of its data), 0 from `reach` on, with zero slope
// at either end.
double haloAt(double metres, double reach)
{
    const double t = std::clamp(metres / reach, 0.0, 1.0);
    return 1.0 - t * t * (3.0 - 2.0 * t);
}

// Returns an inset's own height; NaN where it has no data.
float ownHeight(const InsetReader& reader, glm::dvec2 at)
{
    return reader.covers(at) ? reader.heightAt(at) : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

EarthReader::EarthReader(const EarthSource& source) : source_(source), readers_(source.insets_.size()) {}
EarthReader::~EarthReader() = default;

std::uint64_t EarthReader::bytesRead() const
{
    std::uint64_t bytes = 0;
    for (const std::unique_ptr<InsetReader>& reader : readers_)
        if (reader) bytes += reader->bytesRead();
    return bytes;
}

Result<InsetReader*> EarthReader::readerOf(std::size_t inset)
{
    std::unique_ptr<InsetReader>& reader = readers_[inset];
    if (!reader)
    {
        Result<std::unique_ptr<InsetReader>> opened = InsetReader::open(source_.insets_[inset]->inset);
        if (!opened) return opened.error();
        reader = std::move(*opened);
    }
    return reader.get();
}

Status EarthReader::read(const TileWindow& window, std::span<float> out)
{
    assert(out.size() == std::size_t(window.width) * std::size_t(window.height));
    placesOf(source_.grid_, window, grid_);
    return compose(spacingAt(source_.grid_, window), out);
}

Status EarthReader::readPlaces(std::span<const LatLong> places, std::span<float> out)
{
    assert(out.size() == places.size());
    grid_.width = int(places.size()), grid_.height = 1;
    grid_.box.reset();
    grid_.places.assign(places.begin(), places.end());
    return compose(0.0, out);
}

// Computes the heights of all places, from samples of insets at most `metres` apart, or their finest.
Status EarthReader::compose(double metres, std::span<float> out)
{
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = source_.relief_->heightAt(grid_.places[i].latitude, grid_.places[i].longitude);
    if (Status status = findLayers(metres); !status) return status;
    if (used_ == 0) return Status::ok();
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = composed(i, out[i], used_);
    return Status::ok();
}

bool EarthReader::distances(std::span<float> out) const
{
    if (source_.insets_.size() == source_.replaced_) return false;
    std::ranges::fill(out, kFarthestDistance);
    for (std::size_t k = 0; k < used_; ++k)
    {
        const Layer& layer = layers_[k];
        if (layer.inset < source_.replaced_) continue;
        const double reach = source_.insets_[layer.inset]->reach;
        for (std::size_t i = 0; i < out.size(); ++i)
        {
            const double metres = layer.reader->metresBetween(layer.at[i], layer.reader->nearest(layer.at[i]));
            // Distances grow to infinity at the reach, where the membrane ends. Windows beyond do not read the inset.
            if (metres < reach) out[i] = std::min(out[i], float(metres / (1.0 - metres / reach)));
        }
    }
    return true;
}

bool EarthReader::baseHeights(std::span<float> out) const
{
    std::size_t replaced = 0;  // number of layers of the model that replaces the relief, which come first
    while (replaced < used_ && layers_[replaced].inset < source_.replaced_)
        ++replaced;
    if (replaced == used_) return false;
    for (std::size_t i = 0; i < out.size(); ++i)
    {
        const LatLong& place = grid_.places[i];
        out[i] = composed(i, source_.relief_->heightAt(place.latitude, place.longitude), replaced);
    }
    return true;
}

// Returns whether an inset or its membrane may lie under one of the places.
bool EarthReader::reaches(std::size_t number) const
{
    const EarthSource::Laid& laid = *source_.insets_[number];
    if (grid_.box) return laid.inset->meets(*grid_.box, laid.reach);
    return std::ranges::any_of(grid_.places, [&laid](const LatLong& place) {
        const FacePlace on = facePlaceOf(scaledDirectionOf(place.latitude, place.longitude));
        return laid.inset->meets(FaceBox{on.face, on.at, on.at}, laid.reach);
    });
}

Status EarthReader::findLayers(double metres)
{
    used_ = 0;
    for (std::size_t inset = 0; inset < source_.insets_.size(); ++inset)
    {
        if (!reaches(inset)) continue;
        const Result<InsetReader*> reader = readerOf(inset);
        if (!reader) return reader.error();
        if (layers_.size() == used_) layers_.emplace_back();
        Layer& layer = layers_[used_];
        layer.reader = *reader;
        layer.inset = inset;
        const Result<bool> counts = prepare(layer, inset, metres);
        if (!counts) return counts.error();
        used_ += *counts ? 1 : 0;
    }
    return Status::ok();
}

// Loads a layer. Returns false if all of the window's places are beyond the inset's reach (EarthSource::Laid).
Result<bool> EarthReader::prepare(Layer& layer, std::size_t inset, double metres) const
{
    InsetReader& reader = *layer.reader;
    const EarthSource::Laid& laid = *source_.insets_[inset];
    const double tolerance = kPlaceTolerance * std::max(metres / reader.inset().spacing(), 1.0);
    samplesOf(reader, grid_, laid.reach, tolerance, layer.at);
    if (reader.around())  // bring the places into one revolution, so that a window at the raster's ends is read once
    {
        const auto first = std::ranges::find_if(layer.at, [](glm::dvec2 at) { return std::isfinite(at.x); });
        if (first == layer.at.end()) return false;
        for (glm::dvec2& at : layer.at)
            at.x -= reader.period() * std::round((at.x - first->x) / reader.period());
    }
    const auto distance = [&](glm::dvec2 at) { return reader.metresBetween(at, reader.nearest(at)); };
    if (std::ranges::none_of(layer.at, [&](glm::dvec2 at) { return distance(at) <= laid.reach; })) return false;
    const Result<const InsetMembrane*> membrane = source_.membraneOf(inset);
    if (!membrane) return membrane.error();
    layer.membrane = *membrane;
    const double finest = layer.membrane ? layer.membrane->finestStep() * reader.inset().spacing() : laid.reach / 8;
    layer.seam = kHaloSamples * std::max(finest, metres);
    glm::dvec2 low(std::numeric_limits<double>::infinity()), high(-low);
    for (const glm::dvec2 at : layer.at)
    {
        if (!(distance(at) <= layer.seam)) continue;
        low = glm::min(low, reader.nearest(at)), high = glm::max(high, reader.nearest(at));
    }
    if (low.x <= high.x)
        if (Status status = reader.load(low, high, metres); !status) return status.error();
    const bool everySample = layer.membrane && layer.membrane->finestStep() <= 1 && reader.step() <= 1;
    layer.seam = everySample || !(low.x <= high.x) ? 0.0 : layer.seam;
    return true;
}

std::optional<EarthReader::Rim> EarthReader::rimAt(const Layer& layer, glm::dvec2 at) const
{
    const InsetReader& reader = *layer.reader;
    Rim rim{reader.nearest(at), 0, layer.seam, 0};
    const double metres = reader.metresBetween(at, rim.at);
    if (!(metres < rim.reach)) return std::nullopt;
    rim.height = reader.heightAt(rim.at);
    if (std::isnan(rim.height))
    {
        rim.reach = std::min(rim.reach, reader.searchMetres());
        const auto known = metres < rim.reach ? reader.nearestKnown(rim.at) : std::nullopt;
        if (!known) return std::nullopt;
        rim.at = *known;
        rim.height = reader.heightAt(rim.at);
    }
    rim.metres = reader.metresBetween(at, rim.at);
    return rim.metres < rim.reach ? std::optional(rim) : std::nullopt;
}

// Lays an inset over the ground below (`below`, metres): the inset's data, or else its membrane (inset_membrane.h).
// Sparse membrane nodes or a coarse level leave a difference at the rim, which fades with the distance from the rim.
float EarthReader::laid(std::size_t number, glm::dvec2 at, float below) const
{
    const Layer& layer = layers_[number];
    if (!std::isfinite(at.x + at.y)) return below;
    if (const float own = ownHeight(*layer.reader, at); !std::isnan(own)) return own;
    const float ground = below + layer.carriedTo(at);
    if (layer.seam == 0) return ground;
    const std::optional<Rim> rim = rimAt(layer, at);
    if (!rim) return ground;
    const float beside = groundAt(number, layer.reader->map().placeOf(rim->at)) + layer.carriedTo(rim->at);
    return std::isnan(beside) ? ground : ground + (rim->height - beside) * float(haloAt(rim->metres, rim->reach));
}

// Returns the ground made of the first `count` layers, at a place that is not one of the window's.
float EarthReader::groundAt(std::size_t count, LatLong place) const
{
    float height = source_.relief_->heightAt(place.latitude, place.longitude);
    for (std::size_t k = 0; k < count; ++k)
    {
        const InsetReader& reader = *layers_[k].reader;
        const glm::dvec2 at = reader.map().sampleOf(place);
        if (!std::isfinite(at.x + at.y)) continue;
        const float own = ownHeight(reader, at);
        height = std::isnan(own) ? height + layers_[k].carriedTo(at) : own;
    }
    return height;
}

// Returns the ground made of the first `layers` layers at a place of the window.
float EarthReader::composed(std::size_t place, float relief, std::size_t layers) const
{
    float height = relief;
    for (std::size_t k = 0; k < layers; ++k)
        height = laid(k, layers_[k].at[place], height);
    return height;
}

Result<BaseGround> EarthReader::groundBelow(std::size_t count, LatLong place, double metres)
{
    BaseGround ground{source_.relief_->heightAt(place.latitude, place.longitude), 0.0};
    if (count == 0) return ground;
    const FacePlace on = facePlaceOf(scaledDirectionOf(place.latitude, place.longitude));
    for (std::size_t k = 0; k < count; ++k)
    {
        const EarthSource::Laid& laid = *source_.insets_[k];
        if (!laid.inset->meets(FaceBox{on.face, on.at, on.at}, laid.reach)) continue;
        const Result<InsetReader*> reader = readerOf(k);
        if (!reader) return reader.error();
        const glm::dvec2 at = (*reader)->map().sampleOf(place);
        if (!std::isfinite(at.x + at.y)) continue;
        if ((*reader)->covers(at))
        {
            if (Status status = (*reader)->load(at, at, metres); !status) return status.error();
            if (const float own = (*reader)->heightAt(at); !std::isnan(own))
            {
                ground = {own, k < source_.replaced_ ? 0.0 : laid.inset->spacing()};
                continue;
            }
        }
        const Result<const InsetMembrane*> membrane = source_.membraneOf(k);
        if (!membrane) return membrane.error();
        if (*membrane) ground.height += (*membrane)->at(at);
    }
    return ground;
}

Result<double> EarthReader::heightAt(LatLong place)
{
    const FacePlace on = facePlaceOf(scaledDirectionOf(place.latitude, place.longitude));
    for (std::size_t inset = source_.insets_.size(); inset-- > 0;)
    {
        if (!source_.insets_[inset]->inset->meets(FaceBox{on.face, on.at, on.at}, 0.0)) continue;
        const Result<InsetReader*> reader = readerOf(inset);
        if (!reader) return reader.error();
        const glm::dvec2 at = (*reader)->map().sampleOf(place);
        if (!(*reader)->covers(at)) continue;
        if (Status status = (*reader)->load(at, at, 0.0); !status) return status.error();
        if (const float height = (*reader)->heightAt(at); !std::isnan(height)) return double(height);
    }
    return double(source_.relief_->heightAt(place.latitude, place.longitude));
}

}  // namespace orogen

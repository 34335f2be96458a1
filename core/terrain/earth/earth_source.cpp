#include "core/terrain/earth/earth_source.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/detail/roughness.h"
#include "core/terrain/earth/earth_inset.h"
#include "core/terrain/earth/inset_membrane.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// ---- places of a tile's samples, and their positions among an inset's samples ----

struct PlaceGrid
{
    int width = 0, height = 0;
    FaceBox box;                  // box around all places
    std::vector<LatLong> places;  // row by row; longitudes in [-180, 180]

    std::size_t at(int column, int row) const { return std::size_t(row) * std::size_t(width) + std::size_t(column); }
};

namespace {

// Returns the lattice units between a level's samples, in a grid on the cube.
double latticeStep(const TileGrid& grid, int level)
{
    return std::ldexp(double(kCubeSide) / kTileCells, level + 1 - grid.levels());
}

FacePlace facePlace(const TileGrid& grid, const TileWindow& window, int column, int row)
{
    const double step = latticeStep(grid, window.level);
    return {window.face, glm::dvec2(window.column + column, window.row + row) * step};
}

// Cells of a grid that are interpolated together, along a side.
constexpr int kBlock = 8;

struct Block
{
    int column, row, width, height;  // in places; includes one more place in each direction
};

std::vector<Block> blocksOf(const PlaceGrid& grid)
{
    std::vector<Block> blocks;
    for (int row = 0; row < std::max(grid.height - 1, 1); row += kBlock)
        for (int column = 0; column < std::max(grid.width - 1, 1); column += kBlock)
            blocks.push_back(
                {column, row, std::min(kBlock, grid.width - 1 - column), std::min(kBlock, grid.height - 1 - row)});
    return blocks;
}

FaceBox boxOf(const PlaceGrid& grid, const Block& block)
{
    const glm::dvec2 cells(std::max(grid.width - 1, 1), std::max(grid.height - 1, 1));
    const glm::dvec2 step = (grid.box.high - grid.box.low) / cells;
    const glm::dvec2 low = grid.box.low + step * glm::dvec2(block.column, block.row);
    return {grid.box.face, low, low + step * glm::dvec2(block.width, block.height)};
}

// The corners of a block, and its middle.
constexpr std::size_t kProbes = 5;

void addProbes(const PlaceGrid& grid, const Block& block, std::vector<LatLong>& places)
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

void fillBlock(const InsetMap& map, const PlaceGrid& grid, const Block& block, std::span<const glm::dvec2> probes,
               double tolerance, std::vector<glm::dvec2>& out)
{
    const glm::dvec2 off = interpolated(probes, block, block.width / 2, block.height / 2) - probes[4];
    const bool smooth = std::hypot(off.x, off.y) <= tolerance;  // false if one of them is NaN
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

// Computes the places of a window's samples; takes about 0.1 microseconds a sample.
void placesOf(const TileGrid& grid, const TileWindow& window, PlaceGrid& places)
{
    places.width = window.width, places.height = window.height;
    places.box = boxOf(grid, window);
    places.places.clear();
    for (int row = 0; row < window.height; ++row)
        for (int column = 0; column < window.width; ++column)
            places.places.push_back(placeOfDirection(scaledDirection(facePlace(grid, window, column, row))));
}

// Returns the distance between neighbouring samples at a window's centre (metres), the shorter of both directions.
double spacingAt(const TileGrid& grid, const TileWindow& window)
{
    const int column = window.width / 2, row = window.height / 2;
    const auto position = [&](int x, int y) { return onEllipsoid(scaledDirection(facePlace(grid, window, x, y))); };
    const glm::dvec3 middle = position(column, row);
    return std::min(glm::distance(middle, position(column + 1, row)), glm::distance(middle, position(column, row + 1)));
}

// Computes positions in an inset's map, to `tolerance` samples. Projects every eighth place each way and one in each
// middle, interpolates where these agree, and otherwise projects all. NaN: farther than `metres` away, or off the map.
void samplesOf(const InsetReader& inset, const PlaceGrid& grid, double metres, double tolerance,
               std::vector<glm::dvec2>& out)
{
    const InsetMap& map = inset.map();
    out.assign(grid.places.size(), glm::dvec2(std::numeric_limits<double>::quiet_NaN()));
    if (map.simple()) return map.samplesOf(grid.places, out);
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

// ---- reading ----

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
        double metres = 0, reach = 0;  // distance to `at`, and at which its influence ends
        float height = 0;              // there (metres)
    };

    Status findLayers(const TileWindow& window);
    Result<bool> prepare(Layer& layer, std::size_t inset, double metres) const;
    std::optional<Rim> rimAt(const Layer& layer, glm::dvec2 at) const;
    float laid(std::size_t layer, glm::dvec2 at, float below) const;
    float groundAt(std::size_t count, LatLong place) const;
    float composed(std::size_t place, float relief, std::size_t layers) const;

    const EarthSource& source_;
    std::vector<std::unique_ptr<InsetReader>> readers_;  // by inset, opened when needed
    PlaceGrid grid_;
    std::vector<Layer> layers_;  // the first `used_` are valid, in the order of naming
    std::size_t used_ = 0;
};

namespace {

constexpr double kPlaceTolerance = 0.01;  // in samples of the level that is read

// Returns the weight of a correction: 1 at the inset's rim, 0 at the end of its reach, with zero slope at both.
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
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = source_.relief_->heightAt(grid_.places[i].latitude, grid_.places[i].longitude);
    if (Status status = findLayers(window); !status) return status;
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
            // Stretched to infinity at the reach, beyond which other windows do not look for the inset.
            if (metres < reach) out[i] = std::min(out[i], float(metres / (1.0 - metres / reach)));
        }
    }
    return true;
}

bool EarthReader::baseHeights(std::span<float> out) const
{
    std::size_t replaced = 0;  // layers that belong to the base come first
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

Status EarthReader::findLayers(const TileWindow& window)
{
    used_ = 0;
    const FaceBox box = boxOf(source_.grid_, window);
    const double metres = spacingAt(source_.grid_, window);
    for (std::size_t inset = 0; inset < source_.insets_.size(); ++inset)
    {
        if (!source_.insets_[inset]->inset->meets(box, source_.insets_[inset]->reach)) continue;
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

// Loads a layer. Returns false if none of the window's places lies in the inset or within its reach.
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

// Lays an inset over the ground below it: its data, or else its membrane. Where either has fewer samples than the rim,
// the remaining difference at the nearest place of the rim is blended out.
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

// ---- source ----

namespace {

constexpr double kHaloCells = 16.0;  // distance from an inset up to which a level is refined, in its samples

// Returns the number of levels of the cube until its samples are as dense as the inset's.
int levelsFor(const EarthInset& inset)
{
    const double coarsest = double(kCubeSide) / kTileCells;
    return std::clamp(1 + int(std::ceil(std::log2(coarsest / inset.latticeSpacing()))), 1, kMostCubeLevels);
}

}  // namespace

EarthSource::~EarthSource() = default;

Status EarthSource::openInsets(const std::vector<InsetRequest>& requests, const LoadProgress& progress, Insets& insets)
{
    for (const InsetRequest& request : requests)
    {
        Result<std::shared_ptr<const EarthInset>> inset = EarthInset::open(request, progress);
        if (!inset) return inset.error();
        auto laid = std::make_shared<Laid>();
        laid->inset = std::move(*inset);
        laid->reach = membraneReach(*laid->inset);
        insets.push_back(std::move(laid));
    }
    return Status::ok();
}

Result<std::shared_ptr<EarthSource>> EarthSource::open(const std::filesystem::path& relief,
                                                       std::vector<InsetRequest> requests, SolveVoids solve,
                                                       const LoadProgress& progress,
                                                       const std::optional<InsetRequest>& replaced)
{
    Result<EarthRelief> read = EarthRelief::read(relief.string());
    if (!read) return read.error();
    Insets insets;
    if (replaced) requests.insert(requests.begin(), *replaced);
    if (const Status status = openInsets(requests, progress, insets); !status) return status.error();
    return make(std::make_shared<const EarthRelief>(std::move(*read)), std::move(insets), replaced ? 1 : 0,
                std::move(solve));
}

Result<std::shared_ptr<EarthSource>> EarthSource::with(std::vector<InsetRequest> more,
                                                       const LoadProgress& progress) const
{
    Insets insets = insets_;
    if (const Status status = openInsets(more, progress, insets); !status) return status.error();
    return make(relief_, std::move(insets), replaced_, solve_);
}

Result<std::shared_ptr<EarthSource>> EarthSource::make(std::shared_ptr<const EarthRelief> relief, Insets insets,
                                                       std::size_t replaced, SolveVoids solve)
{
    const std::shared_ptr<EarthSource> earth(new EarthSource);
    earth->relief_ = std::move(relief);
    earth->insets_ = std::move(insets);
    earth->replaced_ = replaced;
    earth->solve_ = std::move(solve);
    earth->layOut();
    earth->describe();
    return earth;
}

Result<const InsetMembrane*> EarthSource::membraneOf(std::size_t number) const
{
    Laid& laid = *insets_[number];
    if (laid.inset->map().period()) return nullptr;
    const std::lock_guard lock(laid.mutex);  // those of insets named before follow, never the other way round
    if (!laid.membrane)
    {
        bool overData = false;
        for (std::size_t k = replaced_; k < number; ++k)
            overData = overData || laid.inset->meets(*insets_[k]->inset, laid.reach);
        EarthReader reader(*this);
        const Result<InsetReader*> inset = reader.readerOf(number);
        if (!inset) return inset.error();
        const auto base = [&](LatLong place, double metres) { return reader.groundBelow(number, place, metres); };
        Result<InsetMembrane> made = InsetMembrane::make(**inset, base, overData, solve_);
        if (!made) return made.error();
        laid.membrane = std::move(*made);
    }
    return &*laid.membrane;
}

void EarthSource::layOut()
{
    int levels = kReliefLevels;
    for (const auto& laid : insets_)
        levels = std::max(levels, levelsFor(*laid->inset));
    grid_ = TileGrid::onCube(levels);
    for (const auto& laid : insets_)
        levels_.push_back(levels - levelsFor(*laid->inset));
}

void EarthSource::describe()
{
    raster_.name = raster_.format = kEarthName;
    raster_.crs = "WGS 84";
    raster_.heightUnit = HeightUnit::kMetre;
    raster_.width = grid_.width(), raster_.height = grid_.height();
    raster_.pixelWidth = raster_.pixelHeight = latticeStep(grid_, 0) * metresOfCubeUnit();
    raster_.minHeight = relief_->lowest(), raster_.maxHeight = relief_->highest();
    for (const auto& laid : insets_)
    {
        const std::shared_ptr<const EarthInset>& inset = laid->inset;
        about_.push_back(inset->about());
        raster_.minHeight = std::min(raster_.minHeight, inset->raster().minHeight);
        raster_.maxHeight = std::max(raster_.maxHeight, inset->raster().maxHeight);
        decimated_ = decimated_ && !inset->tiles();
        for (const std::string& warning : inset->about().warnings)
            raster_.warnings.push_back(fmt::format("{}: {}", printable(inset->about().name), warning));
    }
}

bool EarthSource::remote() const
{
    return std::ranges::any_of(insets_,
                               [](const auto& laid) { return laid->inset->tiles() && laid->inset->tiles()->remote(); });
}

bool EarthSource::refines(const TileKey& key) const
{
    if (key.level == 0) return false;
    if (key.level > reliefLevel()) return true;
    const double side = latticeStep(grid_, key.level) * kTileCells;
    const glm::dvec2 low = glm::dvec2(key.x, key.y) * side;
    const FaceBox box{key.face, low, low + side};
    // Around an inset samples get sparser in proportion to the distance, as the membrane gets smoother.
    const double halo = kHaloCells * cubeSampleMetres(grid_, key.level);
    for (std::size_t i = 0; i < insets_.size(); ++i)
        if (levels_[i] < key.level && insets_[i]->inset->meets(box, std::min(insets_[i]->reach, halo))) return true;
    return false;
}

Result<std::unique_ptr<TileReader>> EarthSource::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<EarthReader>(*this));
}

Result<std::optional<double>> EarthSource::heightAt(double latitude, double longitude) const
{
    if (!(std::fabs(latitude) <= 90.0) || !std::isfinite(longitude)) return std::optional<double>();
    const std::lock_guard lock(mutex_);
    if (!own_) own_ = std::make_unique<EarthReader>(*this);
    const Result<double> height = own_->heightAt({latitude, wrappedLongitude(longitude)});
    if (!height) return height.error();
    return std::optional(*height);
}

double EarthSource::spacingAt(int level, LatLong place) const
{
    const double base = replaced_ > 0 ? about_.front().spacing : relief_->spacing();
    const auto lies = [&](const Inset& inset) {
        const double east = std::remainder(place.longitude - inset.extent.west, 360.0);
        return place.latitude >= inset.extent.south && place.latitude <= inset.extent.north &&
               (east < 0 ? east + 360 : east) <= inset.extent.east - inset.extent.west;
    };
    const bool finer = level < baseLevel() && std::ranges::any_of(insets(), lies);
    return std::max(cubeSampleMetres(grid_, level), finer ? 0.0 : base);
}

}  // namespace orogen

#include "core/terrain/imagery/colour_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <glm/common.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "core/base/text.h"
#include "core/planet/cube_lattice.h"
#include "core/terrain/raster/raster_making.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tile.h"

namespace orogen {
namespace {

constexpr std::size_t kTexels = std::size_t(kColourSide) * kColourSide;
constexpr int kLeastEarthLevels = 4;
constexpr double kFinestShare =
    1.42;  // a tile's texel is at most as wide as this many pixels of the stored image that it is read from
constexpr std::uint64_t kMostRead = 64u << 20;  // pixels read for one tile; a picture without overviews may need more

bool coversEarth(const InsetMap& map)
{
    const EarthExtent extent = map.extent();
    return extent.east - extent.west > 359.9 && extent.north > 89 && extent.south < -89;
}

// Returns a byte of sRGB as the square root of linear light.
const std::array<float, 256>& rootTable()
{
    static const std::array<float, 256> table = [] {
        std::array<float, 256> made{};
        for (std::size_t i = 0; i < made.size(); ++i)
        {
            const double s = double(i) / 255, linear = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
            made[i] = float(std::sqrt(linear));
        }
        return made;
    }();
    return table;
}

}  // namespace

struct ColourTiles::Layer
{
    ImageLayer picture;
    InsetMap map;
    InsetArea area;
    bool everywhere;  // covers the Earth
    int level = 0;    // level of the grid whose texels are as dense as the picture's pixels
};

ColourTiles::ColourTiles() = default;
ColourTiles::~ColourTiles() = default;

// ---- opening ----

Result<ColourTiles::Layer> ColourTiles::layerOf(const ImageLayer& picture)
{
    Result<InsetMap> map = InsetMap::of(picture.image->raster());
    if (!map) return map.error();
    InsetArea area(*map);
    const bool everywhere = coversEarth(*map);
    return Layer{picture, std::move(*map), std::move(area), everywhere};
}

Status ColourTiles::addExtra(const std::shared_ptr<const ImagerySource>& image, std::unique_ptr<Layer>& extra)
{
    if (!image) return Status::ok();
    Result<Layer> layer = layerOf({image, 1.0f});
    if (!layer) return layer.error();
    extra = std::make_unique<Layer>(std::move(*layer));
    return Status::ok();
}

Result<std::shared_ptr<const ColourTiles>> ColourTiles::forEarth(std::vector<ImageLayer> layers, EarthExtras extras,
                                                                 const Raster& ground)
{
    const std::shared_ptr<ColourTiles> made(new ColourTiles());
    for (const ImageLayer& picture : layers)
    {
        Result<Layer> layer = layerOf(picture);
        if (!layer) return layer.error();
        if (made->layers_.empty() && !layer->everywhere)
            return inputError(picture.image->raster().name, "covers a part of the Earth, expected all of it below the "
                                                            "other pictures");
        made->layers_.push_back(std::move(*layer));
    }
    if (Status s = made->addExtra(extras.lights, made->lights_); !s) return s.error();
    if (Status s = made->addExtra(extras.ice, made->ice_); !s) return s.error();
    made->describe(ground);
    return std::shared_ptr<const ColourTiles>(made);
}

void ColourTiles::describe(const Raster& ground)
{
    const auto levelsFor = [](const Layer& layer) {
        const double metres = std::min(layer.map.metresOfColumn(), layer.map.metresOfRow());
        int levels = kLeastEarthLevels;
        while (levels < kMostCubeLevels && cubeSampleMetres(TileGrid::onCube(levels), 0) > metres)
            ++levels;
        return levels;
    };
    int levels = kLeastEarthLevels;
    for (const Layer& layer : layers_)
        levels = std::max(levels, levelsFor(layer));
    grid_ = TileGrid::onCube(levels);
    for (Layer& layer : layers_)
        layer.level = levels - levelsFor(layer);
    coarseLevel_ = layers_.empty() ? 0 : layers_.front().level;
    raster_.name = "imagery of the Earth";
    raster_.width = grid_.width(), raster_.height = grid_.height();
    raster_.pixelWidth = raster_.pixelHeight = cubeSampleMetres(grid_, 0);
    raster_.minHeight = ground.minHeight, raster_.maxHeight = ground.maxHeight;
    const auto credit = [&](const Layer& layer) {
        const std::string text = layer.picture.image->credit();
        if (text.empty() || credit_.find(text) != std::string::npos) return;
        credit_ += (credit_.empty() ? "" : ", ") + text;
    };
    std::ranges::for_each(layers_, credit);
    if (lights_) credit(*lights_);
}

bool ColourTiles::refines(const TileKey& key) const
{
    if (key.level == 0) return false;
    if (key.level > coarseLevel_) return true;
    const double side = std::ldexp(double(kTileCells), cubeSampleBits(grid_, key.level));
    const glm::dvec2 low = glm::dvec2(key.x, key.y) * side;
    const FaceBox box{key.face, low, low + side};
    return std::ranges::any_of(layers_, [&](const Layer& layer) {
        return layer.level < key.level && (layer.everywhere || layer.area.meets(box, 0.0));
    });
}

// ---- reading ----

class ColourReader final : public TileReader
{
public:
    explicit ColourReader(const ColourTiles& source) : source_(source)
    {
        for (const ColourTiles::Layer& layer : source.layers_)
            layers_.push_back({&layer, {}, nullptr});
        if (source.lights_) lights_ = {source.lights_.get(), {}, nullptr};
        if (source.ice_) ice_ = {source.ice_.get(), {}, nullptr};
    }

    Status read(const TileWindow&, std::span<float>) override
    {
        return Error{ExitCode::kInput, source_.raster().name + ": has no heights"};
    }
    Result<std::shared_ptr<const Tile>> make(TileMaker&, const TileKey& key, const Tile*) override;
    std::uint64_t bytesRead() const override
    {
        std::uint64_t bytes = 0;
        for (const Access& access : layers_)
            bytes += access.reader ? access.reader->bytesRead() : 0;
        return bytes;
    }

private:
    // A picture and this thread's access to it, opened on first use.
    struct Access
    {
        const ColourTiles::Layer* layer = nullptr;
        std::optional<InsetMap> map;
        std::unique_ptr<ImageryReader> reader;
    };
    // A part of a stored image, around whose columns a picture of the whole Earth continues.
    struct Part
    {
        std::size_t image = 0;
        double scale = 1;  // pixels of the full image per pixel
        ImageBox box;
        int around = 0;  // columns of the whole image if it continues there; 0: it ends
    };

    Status open(Access& access) const;
    void findPlaces(const TileKey& key);
    std::optional<Part> findPart(const Access& access, int level);
    Status readPart(Access& access, const Part& part);
    glm::vec4 sampled(const Part& part, glm::dvec2 at) const;
    // Adds a picture's texels by add(texel, colour); colours are square roots, multiplied by the coverage.
    template <class Add>
    Status lay(Access& access, const TileKey& key, const Add& add);

    const ColourTiles& source_;
    std::vector<Access> layers_;
    Access lights_, ice_;
    std::vector<LatLong> places_;       // the tile's texels
    std::vector<glm::dvec2> at_;        // in the pixels of a picture's full image; (0, 0) is the first one's centre
    std::vector<std::uint8_t> pixels_;  // the part that was read
    std::vector<glm::vec4> colours_;
};

Status ColourReader::open(Access& access) const
{
    if (access.reader) return Status::ok();
    Result<InsetMap> map = access.layer->map.another();
    if (!map) return map.error();
    access.map.emplace(std::move(*map));
    Result<std::unique_ptr<ImageryReader>> reader = access.layer->picture.image->openReader();
    if (!reader) return reader.error();
    access.reader = std::move(*reader);
    return Status::ok();
}

void ColourReader::findPlaces(const TileKey& key)
{
    const double step = std::ldexp(1.0, cubeSampleBits(source_.grid_, key.level));
    const glm::dvec2 first = glm::dvec2(key.x, key.y) * double(kTileCells) - double(kColourBorder);
    places_.clear();
    for (int y = 0; y < kColourSide; ++y)
        for (int x = 0; x < kColourSide; ++x)
            places_.push_back(
                placeOfDirection(scaledDirection(FacePlace{key.face, (first + glm::dvec2(x, y)) * step})));
}

// Finds the stored image whose pixels are about as dense as the texels, and the box of it that they lie in.
// The choice of the image depends on the level alone, so that tiles agree where they meet.
std::optional<ColourReader::Part> ColourReader::findPart(const Access& access, int level)
{
    const std::span<const ImageSize> images = access.layer->picture.image->images();
    const bool around = access.layer->everywhere;
    const double columns = images[0].width;
    const std::size_t middle = kTexels / 2;
    if (around)  // unwraps longitudes around the tile's middle
        for (glm::dvec2& at : at_)
            at.x -= columns * std::round((at.x - at_[middle].x) / columns);
    const InsetMap& map = access.layer->map;
    const double density = cubeSampleMetres(source_.grid_, level) / std::sqrt(map.metresOfColumn() * map.metresOfRow());
    Part part;
    for (std::size_t i = 0; i < images.size(); ++i)
        if (columns / images[i].width <= density * kFinestShare || i == 0) part.image = i;
    const ImageSize size = images[part.image];
    part.scale = columns / size.width;
    part.around = around ? size.width : 0;
    glm::dvec2 low(std::numeric_limits<double>::infinity()), high(-low);
    for (const glm::dvec2 at : at_)
        if (!std::isnan(at.x + at.y)) low = glm::min(low, at), high = glm::max(high, at);
    if (!(low.x <= high.x)) return std::nullopt;
    const glm::ivec2 first = glm::floor((low + 0.5) / part.scale - 0.5);
    const glm::ivec2 last = glm::ivec2(glm::floor((high + 0.5) / part.scale - 0.5)) + 1;
    const int left = around ? first.x : std::max(first.x, 0),
              right = around ? last.x : std::min(last.x, size.width - 1);
    const int top = std::clamp(first.y, 0, size.height - 1), bottom = std::clamp(last.y, 0, size.height - 1);
    if (left > right || last.y < 0 || first.y >= size.height) return std::nullopt;
    part.box = {left, top, right - left + 1, bottom - top + 1};
    return part;
}

Status ColourReader::readPart(Access& access, const Part& part)
{
    const ImageBox& box = part.box;
    const std::uint64_t count = std::uint64_t(box.width) * std::uint64_t(box.height);
    if (count > kMostRead)
        return inputError(access.layer->picture.image->raster().name,
                          "has too few overviews: a tile needs more pixels of it than can be read at once");
    pixels_.resize(4 * count);
    if (part.around == 0) return access.reader->read(part.image, box, pixels_);
    std::vector<std::uint8_t> piece;
    for (int done = 0; done < box.width;)
    {
        const int column = ((box.column + done) % part.around + part.around) % part.around;
        const int width = std::min(box.width - done, part.around - column);
        piece.resize(4 * std::size_t(width) * std::size_t(box.height));
        if (Status s = access.reader->read(part.image, {column, box.row, width, box.height}, piece); !s) return s;
        for (int y = 0; y < box.height; ++y)
            std::copy_n(piece.data() + 4 * std::size_t(y) * std::size_t(width), 4 * std::size_t(width),
                        pixels_.data() + 4 * (std::size_t(y) * std::size_t(box.width) + std::size_t(done)));
        done += width;
    }
    return Status::ok();
}

// Interpolates bilinearly; outside the picture there is nothing.
glm::vec4 ColourReader::sampled(const Part& part, glm::dvec2 at) const
{
    const glm::dvec2 place = (at + 0.5) / part.scale - 0.5, whole = glm::floor(place);
    const glm::vec2 share(place - whole);
    const auto pixel = [&](int x, int y) {
        x -= part.box.column, y -= part.box.row;
        if (part.around > 0) y = std::clamp(y, 0, part.box.height - 1);  // a pole
        if (x < 0 || y < 0 || x >= part.box.width || y >= part.box.height) return glm::vec4(0.0f);
        const std::uint8_t* p = pixels_.data() + 4 * (std::size_t(y) * std::size_t(part.box.width) + std::size_t(x));
        const std::array<float, 256>& root = rootTable();
        if (p[3] == 255) return glm::vec4(root[p[0]], root[p[1]], root[p[2]], 1.0f);
        if (p[3] == 0) return glm::vec4(0.0f);
        const auto straight = [&](int c) { return root[std::size_t(std::min(255, p[c] * 255 / p[3]))]; };
        const float alpha = float(p[3]) / 255.0f;
        return glm::vec4(straight(0) * alpha, straight(1) * alpha, straight(2) * alpha, alpha);
    };
    const int x = int(whole.x), y = int(whole.y);
    return glm::mix(glm::mix(pixel(x, y), pixel(x + 1, y), share.x),
                    glm::mix(pixel(x, y + 1), pixel(x + 1, y + 1), share.x), share.y);
}

template <class Add>
Status ColourReader::lay(Access& access, const TileKey& key, const Add& add)
{
    if (!access.layer->everywhere)
    {
        const double side = std::ldexp(1.0, cubeSampleBits(source_.grid_, key.level));
        const glm::dvec2 low = (glm::dvec2(key.x, key.y) * double(kTileCells) - double(kColourBorder)) * side;
        if (!access.layer->area.meets({key.face, low, low + side * double(kColourSide)}, 0.0)) return Status::ok();
    }
    if (Status s = open(access); !s) return s;
    at_.resize(kTexels);
    access.map->samplesOf(places_, at_);
    const std::optional<Part> part = findPart(access, key.level);
    if (!part) return Status::ok();
    if (Status s = readPart(access, *part); !s) return s;
    for (std::size_t i = 0; i < kTexels; ++i)
        if (!std::isnan(at_[i].x + at_[i].y)) add(i, sampled(*part, at_[i]));
    return Status::ok();
}

Result<std::shared_ptr<const Tile>> ColourReader::make(TileMaker&, const TileKey& key, const Tile*)
{
    findPlaces(key);
    colours_.assign(kTexels, glm::vec4(0.0f));
    for (Access& access : layers_)
    {
        const float opacity = access.layer->picture.opacity;
        const Status laid = lay(access, key, [&](std::size_t i, const glm::vec4& colour) {
            colours_[i] = colours_[i] * (1.0f - opacity * colour.a) + opacity * colour;
        });
        if (!laid) return laid.error();
    }
    for (glm::vec4& colour : colours_)
        colour.a = 0.5f;
    const auto shift = [&](float by) {
        return [this, by](std::size_t i, const glm::vec4& colour) { colours_[i].a += by * colour.r; };
    };
    if (lights_.layer)
        if (Status s = lay(lights_, key, shift(0.5f)); !s) return s.error();
    if (ice_.layer)
        if (Status s = lay(ice_, key, shift(-0.5f)); !s) return s.error();
    auto tile = std::make_shared<Tile>();
    tile->key = key;
    tile->refined = source_.refines(key);
    tile->bounds = *source_.bounds(key);
    tile->colours.resize(4 * kTexels);
    for (std::size_t i = 0; i < kTexels; ++i)
        for (int c = 0; c < 4; ++c)
            tile->colours[4 * i + std::size_t(c)] =
                std::uint8_t(std::clamp(colours_[i][c] * (c == 3 ? 256.0f : 255.0f) + 0.5f, 0.0f, 255.0f));
    return std::shared_ptr<const Tile>(std::move(tile));
}

Result<std::unique_ptr<TileReader>> ColourTiles::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<ColourReader>(*this));
}

}  // namespace orogen

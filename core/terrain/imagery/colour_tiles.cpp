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
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/cube_tiles.h"
#include "core/terrain/tiles/tile.h"

namespace orogen {
namespace {

constexpr std::size_t kTexels = std::size_t(kColourSide) * kColourSide;
// Texels beyond a tile of the base level (ColourTiles::baseLevel()), for cubic splines up to the tile's edges.
constexpr int kBaseBorder = 2;
constexpr int kBaseSide = kTileCells + 1 + 2 * kBaseBorder;
constexpr int kLeastEarthLevels = 4;
constexpr double kFinestShare = 1.42;           // limit on the pixel size of a coarser image chosen for a tile (texels)
constexpr int kMostCoarser = 6;                 // limit on further, coarser images that are read to fill holes
constexpr std::uint64_t kMostRead = 64u << 20;  // limit on pixels of an image read for one tile; more are an error

// Returns the square root of linear light for each byte of sRGB.
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
    std::unique_ptr<PictureMap> map;
    int level = 0;  // coarsest level of the grid with texels as dense as the picture's pixels; 0 if none has

    Layer(ImageLayer image, std::unique_ptr<PictureMap> place) : picture(std::move(image)), map(std::move(place)) {}

    double finest() const { return std::min(map->pixelMetres().x, map->pixelMetres().y); }
};

ColourTiles::ColourTiles() = default;
ColourTiles::~ColourTiles() = default;

// ---- opening ----

Status ColourTiles::addExtra(const std::shared_ptr<const ImagerySource>& image, std::unique_ptr<Layer>& extra)
{
    if (!image) return Status::ok();
    Result<std::unique_ptr<PictureMap>> map = PictureMap::onEarth(image->raster());
    if (!map) return map.error();
    extra = std::make_unique<Layer>(ImageLayer{image, 1.0f}, std::move(*map));
    return Status::ok();
}

Result<std::shared_ptr<const ColourTiles>> ColourTiles::forEarth(std::vector<ImageLayer> layers, EarthExtras extras,
                                                                 const Raster& ground)
{
    const std::shared_ptr<ColourTiles> made(new ColourTiles());
    for (const ImageLayer& picture : layers)
    {
        Result<std::unique_ptr<PictureMap>> map = PictureMap::onEarth(picture.image->raster());
        if (!map) return map.error();
        if (made->layers_.empty() && !(*map)->everywhere())
            return inputError(picture.image->raster().name, "covers a part of the Earth, expected all of it below the "
                                                            "other pictures");
        made->layers_.emplace_back(picture, std::move(*map));
    }
    if (Status s = made->addExtra(extras.lights, made->lights_); !s) return s.error();
    if (Status s = made->addExtra(extras.ice, made->ice_); !s) return s.error();
    made->describe(ground);
    return std::shared_ptr<const ColourTiles>(made);
}

void ColourTiles::describe(const Raster& ground)
{
    const auto levelsFor = [](const Layer& layer) {
        int levels = kLeastEarthLevels;
        while (levels < kMostCubeLevels && cubeSampleMetres(TileGrid::onCube(levels), 0) > layer.finest())
            ++levels;
        return levels;
    };
    int levels = kLeastEarthLevels;
    for (const Layer& layer : layers_)
        levels = std::max(levels, levelsFor(layer));
    grid_ = TileGrid::onCube(levels);
    for (Layer& layer : layers_)
        layer.level = levels - levelsFor(layer);
    if (!layers_.empty()) coarseLevel_ = layers_.front().level;
    raster_.name = "imagery of the Earth";
    raster_.width = grid_.width(), raster_.height = grid_.height();
    raster_.pixelWidth = raster_.pixelHeight = cubeSampleMetres(grid_, 0);
    raster_.minHeight = ground.minHeight, raster_.maxHeight = ground.maxHeight;
    collectCredit();
}

Result<std::shared_ptr<const ColourTiles>> ColourTiles::onPlane(std::vector<ImageLayer> layers, const Raster& terrain)
{
    const std::shared_ptr<ColourTiles> made(new ColourTiles());
    double finest = std::max(terrain.east(), terrain.north()) / kTileCells;
    for (const ImageLayer& picture : layers)
    {
        Result<std::unique_ptr<PictureMap>> map = PictureMap::onPlane(picture.image->raster(), terrain);
        if (!map) return map.error();
        for (std::string& warning : (*map)->warnings())
            made->raster_.warnings.push_back(std::move(warning));
        made->layers_.emplace_back(picture, std::move(*map));
        finest = std::min(finest, made->layers_.back().finest());
    }
    // Texels have the size of the finest pixels, rounded so that they end at the terrain's borders.
    Raster& raster = made->raster_;
    const auto intervals = [&](double metres) {
        return int(std::clamp(std::ceil(metres / finest), 1.0, double(kMaxTiledSide - 1)));
    };
    raster.name = "imagery of " + terrain.name;
    raster.width = intervals(terrain.east()) + 1, raster.height = intervals(terrain.north()) + 1;
    raster.pixelWidth = terrain.east() / (raster.width - 1), raster.pixelHeight = terrain.north() / (raster.height - 1);
    raster.minHeight = terrain.minHeight, raster.maxHeight = terrain.maxHeight;
    made->grid_ = TileGrid(raster.width, raster.height);
    for (Layer& layer : made->layers_)
        layer.level = std::max(int(std::floor(std::log2(layer.finest() / made->texelMetres(0)) + 1e-6)), 0);
    made->collectCredit();
    return std::shared_ptr<const ColourTiles>(made);
}

void ColourTiles::collectCredit()
{
    const auto add = [&](const Layer& layer) {
        const std::string text = layer.picture.image->credit();
        if (text.empty() || credit_.find(text) != std::string::npos) return;
        credit_ += (credit_.empty() ? "" : ", ") + text;
    };
    std::ranges::for_each(layers_, add);
    if (lights_) add(*lights_);
}

double ColourTiles::texelMetres(int level) const
{
    return onCube() ? cubeSampleMetres(grid_, level)
                    : std::ldexp(std::min(raster_.pixelWidth, raster_.pixelHeight), level);
}

glm::dvec2 ColourTiles::texelSize(int level) const
{
    return onCube() ? glm::dvec2(std::ldexp(1.0, cubeSampleBits(grid_, level)))
                    : std::ldexp(1.0, level) * glm::dvec2(raster_.pixelWidth, raster_.pixelHeight);
}

FaceBox ColourTiles::boxOf(const TileKey& key, int border) const
{
    const glm::dvec2 first = glm::dvec2(key.x, key.y) * double(kTileCells) - double(border);
    const glm::dvec2 size = texelSize(key.level);
    return {key.face, first * size, (first + double(kTileCells + 2 * border)) * size};
}

bool ColourTiles::remote() const
{
    return std::ranges::any_of(layers_, [](const Layer& layer) { return layer.picture.image->remote(); });
}

bool ColourTiles::refines(const TileKey& key) const
{
    if (key.level == 0) return false;
    if (key.level > coarseLevel_) return true;
    return std::ranges::any_of(layers_, [this, &key, box = boxOf(key, 0)](const Layer& layer) {
        return layer.level < key.level && layer.map->meets(box);
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
        const auto bytesOf = [](const Access& access) { return access.reader ? access.reader->bytesRead() : 0; };
        std::uint64_t bytes = bytesOf(lights_) + bytesOf(ice_);
        for (const Access& access : layers_)
            bytes += bytesOf(access);
        return bytes;
    }

private:
    // A picture and this thread's access to it, opened on first use.
    struct Access
    {
        const ColourTiles::Layer* layer = nullptr;
        std::unique_ptr<PictureMap> map;
        std::unique_ptr<ImageryReader> reader;
    };
    // A part of a stored image. In a picture all around the Earth the last column is followed by the first one.
    struct Part
    {
        std::size_t image = 0;
        double scale = 1;  // pixels of the full image per pixel
        ImageBox box;
        int around = 0;      // columns of the image if it goes all around the Earth; otherwise 0
        bool poles = false;  // its first and last rows are repeated beyond the image
    };

    Status open(Access& access) const;
    void findPlaces(const TileKey& key, int border);
    std::optional<Part> findPart(const Access& access, int level, int coarser);
    Status readPart(Access& access, const Part& part);
    glm::vec4 sampled(const Part& part, glm::dvec2 at) const;
    // Calls add(texel, colour) for the texels that a picture covers. Colours are square roots of linear light,
    // times the coverage.
    template <class Add>
    Status lay(Access& access, const TileKey& key, const Add& add);
    Status layExtras(const TileKey& key);
    Status layBase(const TileKey& key);

    const ColourTiles& source_;
    std::vector<Access> layers_;
    Access lights_, ice_;
    TexelPlaces places_;  // the tile's texels and `border_` more around them
    int border_ = kColourBorder;
    std::vector<glm::dvec2> at_;        // in the pixels of a picture's full image; (0, 0) is the first one's centre
    std::vector<std::uint8_t> pixels_;  // the part that was read
    std::vector<glm::vec4> seen_, colours_;  // colours of one picture, and of all pictures laid over each other
    std::vector<float> finer_;               // share in each of `colours_` of pictures finer than the first one
    std::vector<glm::vec4> base_;            // kBaseSide^2 texels of the first picture and the extras
    std::optional<TileKey> baseKey_;         // tile of the base level whose texels `base_` holds
};

Status ColourReader::open(Access& access) const
{
    if (access.reader) return Status::ok();
    Result<std::unique_ptr<PictureMap>> map = access.layer->map->another();
    if (!map) return map.error();
    access.map = std::move(*map);
    Result<std::unique_ptr<ImageryReader>> reader = access.layer->picture.image->openReader();
    if (!reader) return reader.error();
    access.reader = std::move(*reader);
    return Status::ok();
}

void ColourReader::findPlaces(const TileKey& key, int border)
{
    const glm::dvec2 size = source_.texelSize(key.level);
    const glm::dvec2 first = glm::dvec2(key.x, key.y) * double(kTileCells) - double(border);
    places_.earth.clear(), places_.plane.clear();
    border_ = border;
    std::vector<double> columns, rows;
    for (int i = 0; i < kTileCells + 1 + 2 * border; ++i)
        columns.push_back((first.x + i) * size.x), rows.push_back((first.y + i) * size.y);
    if (source_.onCube()) return addPlaces(key.face, columns, rows, places_.earth);
    for (const double y : rows)
        for (const double x : columns)
            places_.plane.emplace_back(x, y);
}

// Finds the stored image whose pixels are about as dense as the texels, and the box of its pixels around the texels.
// The image depends on the level alone, so that tiles agree where they meet. `coarser`: how many images coarser to
// choose. Returns nothing if there is no such image, or if the texels lie outside the picture.
std::optional<ColourReader::Part> ColourReader::findPart(const Access& access, int level, int coarser)
{
    const std::span<const ImageSize> images = access.layer->picture.image->images();
    const bool around = access.layer->map->around();
    const double columns = images[0].width;
    const auto known = [](glm::dvec2 at) { return !std::isnan(at.x + at.y); };
    const auto first =
        known(at_[at_.size() / 2]) ? at_.begin() + std::ptrdiff_t(at_.size() / 2) : std::ranges::find_if(at_, known);
    if (around && first != at_.end())  // unwraps longitudes around the tile's middle
        for (const glm::dvec2 middle = *first; glm::dvec2 & at : at_)
            at.x -= columns * std::round((at.x - middle.x) / columns);
    const glm::dvec2 pixel = access.layer->map->pixelMetres();
    const double density = source_.texelMetres(level) / std::sqrt(pixel.x * pixel.y);
    Part part;
    for (std::size_t i = 0; i < images.size(); ++i)
        if (columns / images[i].width <= density * kFinestShare || i == 0) part.image = i;
    if (coarser > 0 && part.image + std::size_t(coarser) >= images.size()) return std::nullopt;
    part.image += std::size_t(coarser);
    const ImageSize size = images[part.image];
    part.scale = columns / size.width;
    part.around = around ? size.width : 0;
    part.poles = access.layer->map->everywhere();
    glm::dvec2 low(std::numeric_limits<double>::infinity()), high(-low);
    for (const glm::dvec2 at : at_)
        if (known(at)) low = glm::min(low, at), high = glm::max(high, at);
    if (!(low.x <= high.x)) return std::nullopt;
    const glm::ivec2 from = glm::floor((low + 0.5) / part.scale - 0.5);
    const glm::ivec2 to = glm::ivec2(glm::floor((high + 0.5) / part.scale - 0.5)) + 1;
    const int left = around ? from.x : std::max(from.x, 0), right = around ? to.x : std::min(to.x, size.width - 1);
    const int top = std::clamp(from.y, 0, size.height - 1), bottom = std::clamp(to.y, 0, size.height - 1);
    if (left > right || to.y < 0 || from.y >= size.height) return std::nullopt;
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

// Interpolates bilinearly; returns 0 (no coverage) outside the picture.
glm::vec4 ColourReader::sampled(const Part& part, glm::dvec2 at) const
{
    const glm::dvec2 place = (at + 0.5) / part.scale - 0.5, whole = glm::floor(place);
    const glm::vec2 share(place - whole);
    const std::array<float, 256>& root = rootTable();
    const int left = int(whole.x) - part.box.column, top = int(whole.y) - part.box.row;
    if (left >= 0 && top >= 0 && left + 1 < part.box.width && top + 1 < part.box.height)  // nearly always
    {
        const std::uint8_t* p =
            pixels_.data() + 4 * (std::size_t(top) * std::size_t(part.box.width) + std::size_t(left));
        const std::uint8_t* q = p + 4 * std::size_t(part.box.width);
        if ((p[3] & p[7] & q[3] & q[7]) == 255)
        {
            glm::vec4 colour(1.0f);
            for (int c = 0; c < 3; ++c)
                colour[c] = glm::mix(glm::mix(root[p[c]], root[p[c + 4]], share.x),
                                     glm::mix(root[q[c]], root[q[c + 4]], share.x), share.y);
            return colour;
        }
    }
    const auto pixel = [&](int x, int y) {
        if (part.poles) y = std::clamp(y, 0, part.box.height - 1);
        if (x < 0 || y < 0 || x >= part.box.width || y >= part.box.height) return glm::vec4(0.0f);
        const std::uint8_t* p = pixels_.data() + 4 * (std::size_t(y) * std::size_t(part.box.width) + std::size_t(x));
        if (p[3] == 255) return glm::vec4(root[p[0]], root[p[1]], root[p[2]], 1.0f);
        if (p[3] == 0) return glm::vec4(0.0f);
        const auto straight = [&](int c) { return root[std::size_t(std::min(255, p[c] * 255 / p[3]))]; };
        const float alpha = float(p[3]) / 255.0f;
        return glm::vec4(straight(0) * alpha, straight(1) * alpha, straight(2) * alpha, alpha);
    };
    return glm::mix(glm::mix(pixel(left, top), pixel(left + 1, top), share.x),
                    glm::mix(pixel(left, top + 1), pixel(left + 1, top + 1), share.x), share.y);
}

template <class Add>
Status ColourReader::lay(Access& access, const TileKey& key, const Add& add)
{
    if (!access.layer->map->meets(source_.boxOf(key, border_))) return Status::ok();
    if (Status s = open(access); !s) return s;
    const std::size_t texels = colours_.size();
    at_.resize(texels);
    access.map->pixelsOf(places_, at_);
    std::optional<Part> part = findPart(access, key.level, 0);
    if (!part) return Status::ok();
    if (Status s = readPart(access, *part); !s) return s;
    const bool sparse = access.layer->picture.image->sparse();
    seen_.assign(texels, glm::vec4(0.0f));
    for (int coarser = 1; part; ++coarser)  // coarser images fill holes in finer ones
    {
        bool holes = false;
        for (std::size_t i = 0; i < texels; ++i)
        {
            if (seen_[i].a > 0.99f || std::isnan(at_[i].x + at_[i].y)) continue;
            seen_[i] += (1.0f - seen_[i].a) * sampled(*part, at_[i]);
            holes = holes || seen_[i].a <= 0.99f;
        }
        if (!sparse || !holes || coarser > kMostCoarser) break;
        part = findPart(access, key.level, coarser);
        if (part)
            if (Status s = readPart(access, *part); !s) return s;
    }
    for (std::size_t i = 0; i < texels; ++i)
        if (seen_[i].a > 0) add(i, seen_[i]);
    return Status::ok();
}

// Sets alpha to 0.5 + 0.5 lights - 0.5 ice.
Status ColourReader::layExtras(const TileKey& key)
{
    for (glm::vec4& colour : colours_)
        colour.a = 0.5f;
    const auto shift = [&](float by) {
        return [this, by](std::size_t i, const glm::vec4& colour) { colours_[i].a += by * colour.r; };
    };
    if (lights_.layer)
        if (Status s = lay(lights_, key, shift(0.5f)); !s) return s;
    return ice_.layer ? lay(ice_, key, shift(-0.5f)) : Status::ok();
}

// Sets the colours of a tile finer than the base level to those that interpolatedImagery() of imagery_tiles.glsl
// returns in the base level's tile. So no border shows where finer tiles end.
Status ColourReader::layBase(const TileKey& key)
{
    const int finer = source_.baseLevel() - key.level;
    const TileKey base{source_.baseLevel(), key.x >> finer, key.y >> finer, key.face};
    if (!baseKey_ || !(*baseKey_ == base))
    {
        baseKey_.reset();
        findPlaces(base, kBaseBorder);
        colours_.assign(std::size_t(kBaseSide) * kBaseSide, glm::vec4(0.0f));
        const auto add = [this](std::size_t i, const glm::vec4& colour) { colours_[i] = colour; };
        if (Status s = lay(layers_.front(), base, add); !s) return s;
        if (Status s = layExtras(base); !s) return s;
        base_ = colours_;
        baseKey_ = base;
    }
    findPlaces(key, kColourBorder);
    colours_.resize(kTexels);
    struct Taps
    {
        int first = 0;
        std::array<float, 4> weights;  // weights of four neighbouring texels
    };
    const auto taps = [&](int tile, int baseTile, int i) {
        const double at = std::ldexp(double(tile * kTileCells + i - kColourBorder), -finer) - baseTile * kTileCells;
        const double whole = std::floor(at);
        const float f = float(at - whole), g = 1.0f - f, cubic = gpu::kImagerySmooth;
        return Taps{int(whole) - 1 + kBaseBorder,
                    {cubic * g * g * g / 6, glm::mix(g, 2.0f / 3 - 0.5f * f * f * (2 - f), cubic),
                     glm::mix(f, 2.0f / 3 - 0.5f * g * g * (2 - g), cubic), cubic * f * f * f / 6}};
    };
    std::array<Taps, kColourSide> columns;
    for (int i = 0; i < kColourSide; ++i)
        columns[std::size_t(i)] = taps(key.x, base.x, i);
    for (int y = 0; y < kColourSide; ++y)
    {
        const Taps row = taps(key.y, base.y, y);
        for (int x = 0; x < kColourSide; ++x)
        {
            const Taps& column = columns[std::size_t(x)];
            glm::vec4 sum(0.0f);
            for (std::size_t i = 0; i < 4; ++i)
                for (std::size_t j = 0; j < 4; ++j)
                {
                    const std::size_t at = std::size_t(row.first + int(i)) * kBaseSide + std::size_t(column.first) + j;
                    const float weight = row.weights[i] * column.weights[j];
                    if (weight > 0) sum += weight * base_[at];
                }
            colours_[std::size_t(y) * kColourSide + std::size_t(x)] = sum;
        }
    }
    return Status::ok();
}

Result<std::shared_ptr<const Tile>> ColourReader::make(TileMaker&, const TileKey& key, const Tile*)
{
    const bool fine = source_.onCube() && key.level < source_.baseLevel();
    finer_.assign(kTexels, 0.0f);
    if (fine)
    {
        if (Status s = layBase(key); !s) return s.error();
    }
    else
    {
        findPlaces(key, kColourBorder);
        colours_.assign(kTexels, glm::vec4(0.0f));
    }
    for (std::size_t layer = fine ? 1 : 0; layer < layers_.size(); ++layer)
    {
        Access& access = layers_[layer];
        const float opacity = access.layer->picture.opacity;
        const float finer = access.layer->level < source_.baseLevel() ? 1.0f : 0.0f;
        const Status laid = lay(access, key, [&](std::size_t i, const glm::vec4& colour) {
            const float extra = colours_[i].a, share = opacity * colour.a;
            colours_[i] = colours_[i] * (1.0f - share) + opacity * colour;
            finer_[i] = finer_[i] * (1.0f - share) + finer * share;
            if (fine) colours_[i].a = extra;
        });
        if (!laid) return laid.error();
    }
    if (source_.onCube() && !fine)
        if (Status s = layExtras(key); !s) return s.error();
    auto tile = std::make_shared<Tile>();
    tile->key = key;
    tile->refined = source_.refines(key);
    tile->bounds = *source_.bounds(key);
    tile->colours.resize(4 * kTexels);
    for (std::size_t i = 0; i < kTexels; ++i)
        for (int c = 0; c < 4; ++c)
            tile->colours[4 * i + std::size_t(c)] = std::uint8_t(
                std::clamp(colours_[i][c] * (c == 3 && source_.onCube() ? 256.0f : 255.0f) + 0.5f, 0.0f, 255.0f));
    for (std::size_t i = 0; fine && i < kTexels; ++i)
        tile->colours[4 * i + 3] = std::uint8_t((tile->colours[4 * i + 3] & ~1) | (finer_[i] >= 0.5f ? 1 : 0));
    return std::shared_ptr<const Tile>(std::move(tile));
}

Result<std::unique_ptr<TileReader>> ColourTiles::openReader() const
{
    return std::unique_ptr<TileReader>(std::make_unique<ColourReader>(*this));
}

}  // namespace orogen

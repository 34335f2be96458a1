#include "app/render/tile_textures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <glm/common.hpp>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/tiles/tile_place.h"

namespace orogen::app {
namespace {

// Bits of a tile's name, the key of an entry, as in shaders/heights/tile_lookup.glsl.
constexpr std::uint32_t kUsed = 1u << 31;
constexpr int kLevelShift = 20, kFaceShift = 25;

glm::uvec2 nameOf(const TileKey& key)
{
    return {std::uint32_t(key.x) | std::uint32_t(key.level) << kLevelShift | std::uint32_t(key.face) << kFaceShift,
            std::uint32_t(key.y) | kUsed};
}

std::uint32_t hashOf(const glm::uvec2& name)
{
    std::uint32_t h = name.x * 0x9e3779b1u ^ name.y * 0x85ebca77u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 13);
}

// Returns the number of entries, at least three per tile, so that most lookups need one probe.
std::uint32_t entriesFor(int slots) { return std::bit_ceil(std::uint32_t(std::max(slots, 16)) * 3u); }

}  // namespace

TileTable::TileTable(int slots, const TileGrid& grid)
    : grid_(grid), mask_(entriesFor(slots) - 1),
      rowBits_(std::min(int(std::bit_width(2 * entriesFor(slots))) - 1, int(kMostRowBits))),
      texels_(2 * std::size_t(mask_ + 1), glm::uvec4(0)), deviations_(mask_ + 1, 0.0f), endOfChanged_(height())
{
}

int TileTable::find(const TileKey& key) const
{
    const glm::uvec2 name = nameOf(key);
    for (std::uint32_t i = hashOf(name) & mask_;; i = (i + 1) & mask_)
    {
        const glm::uvec4& entry = texels_[2 * std::size_t(i)];
        if (entry.y == 0) return -1;
        if (entry.x == name.x && entry.y == name.y) return int(i);
    }
}

bool TileTable::same(std::span<const ActiveTile> active) const
{
    return std::ranges::equal(active, known_, [](const ActiveTile& now, const Known& before) {
        return now.key == before.key && now.slot == before.slot && now.bounds.lowest == before.bounds.lowest &&
               now.bounds.highest == before.bounds.highest && now.bounds.deviation == before.bounds.deviation;
    });
}

void TileTable::write(std::size_t texel, const glm::uvec4& value)
{
    if (texels_[texel] == value) return;
    texels_[texel] = value;
    const int row = int(texel >> rowBits_);
    firstChanged_ = std::min(firstChanged_, row);
    endOfChanged_ = std::max(endOfChanged_, row + 1);
}

bool TileTable::set(std::span<const ActiveTile> active, std::span<const float> bases)
{
    firstChanged_ = height();
    endOfChanged_ = 0;
    const bool other = !same(active);
    if (other)
    {
        fill(active, bases);
        spreadDeviations(active);
        firstChanged_ = 0;
        endOfChanged_ = height();
    }
    for (std::size_t i = 0; i < active.size(); ++i)
    {
        const std::size_t facts = 2 * std::size_t(places_[i]) + 1;
        glm::uvec4 value = texels_[facts];
        value.x = std::bit_cast<std::uint32_t>(active[i].weight);
        write(facts, value);
    }
    return other;
}

void TileTable::fill(std::span<const ActiveTile> active, std::span<const float> bases)
{
    std::ranges::fill(texels_, glm::uvec4(0));
    known_.clear();
    places_.clear();
    finest_ = grid_.levels() - 1;
    for (const ActiveTile& tile : active)
    {
        const glm::uvec2 name = nameOf(tile.key);
        std::uint32_t i = hashOf(name) & mask_;
        while (texels_[2 * std::size_t(i)].y != 0)
            i = (i + 1) & mask_;
        const int parent = find(tile.key.parent());  // -1 only without a parent: parents come first in the list
        const std::uint32_t above = parent < 0 ? std::uint32_t(tile.slot) : texels_[2 * std::size_t(parent)].z;
        texels_[2 * std::size_t(i)] = {name.x, name.y, std::uint32_t(tile.slot), above};
        texels_[2 * std::size_t(i) + 1] = {0u, 0u, std::bit_cast<std::uint32_t>(bases[std::size_t(tile.slot)]), 0u};
        deviations_[i] = tile.bounds.deviation;
        known_.push_back({tile.key, tile.slot, tile.bounds});
        places_.push_back(i);
        finest_ = std::min(finest_, tile.key.level);
    }
}

// Returns the deviation of the tile, or of the ancestor that is drawn in its place.
float TileTable::deviationAt(TileKey key) const
{
    for (; grid_.has(key); key = key.parent())
        if (const int place = find(key); place >= 0) return deviations_[std::size_t(place)];
    return 0.0f;
}

// Stores two doubled deviations per tile: its own, and the largest of the tile and its neighbours, because triangles at
// the tile's border reach into its neighbours.
void TileTable::spreadDeviations(std::span<const ActiveTile> active)
{
    for (std::size_t i = 0; i < active.size(); ++i)
    {
        float largest = 0.0f;
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
            {
                const TileKey& own = active[i].key;  // no triangle spans two faces
                largest = std::max(largest, deviationAt({own.level, own.x + x, own.y + y, own.face}));
            }
        glm::uvec4& facts = texels_[2 * std::size_t(places_[i]) + 1];
        facts.y = std::bit_cast<std::uint32_t>(2.0f * active[i].bounds.deviation);
        facts.w = std::bit_cast<std::uint32_t>(2.0f * largest);
    }
}

namespace {

constexpr std::uint64_t kFencePatience = 1'000'000'000;  // longest wait for a fence (nanoseconds)

}  // namespace

Result<TileStaging> TileStaging::create(std::size_t tileBytes)
{
    TileStaging made;
    made.tileBytes_ = tileBytes;
    Result<MappedBuffer> mapped = makeMappedBuffer("tiles on their way", kTiles * tileBytes, GL_MAP_WRITE_BIT);
    if (!mapped) return mapped.error();
    made.mapped_ = std::move(*mapped);
    return made;
}

int TileStaging::free() const
{
    int count = 0;
    while (count < kTiles)
    {
        const Sync& fence = fences_[std::size_t((next_ + count) % kTiles)];
        if (fence && !fence.passed()) break;
        ++count;
    }
    return count;
}

std::size_t TileStaging::stage(const TileUpload& upload, float base, WriteTile* write)
{
    Sync& fence = fences_[std::size_t(next_)];
    if (fence) (void)fence.passed(kFencePatience);
    fence.reset();
    const std::size_t offset = std::size_t(next_) * tileBytes_;
    write(upload, base, mapped_.data + offset);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, mapped_.buffer.id());
    return offset;
}

void TileStaging::sent()
{
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    fences_[std::size_t(next_)] = Sync::fence();
    next_ = (next_ + 1) % kTiles;
}

namespace {

constexpr int kMostUploads = 8;      // tiles per frame while tiles fade in: 1.5 MB for tiles of heights
constexpr double kFadeShare = 0.25;  // last fraction of a level's largest distance, where the coarser level fades in

glm::uvec4 wordsOf(const SampleAxis& axis)
{
    const auto low = [](std::int64_t v) { return std::uint32_t(std::uint64_t(v)); };
    const auto high = [](std::int64_t v) { return std::uint32_t(std::uint64_t(v) >> 32); };
    return {low(axis.step), high(axis.step), low(axis.offset), high(axis.offset)};
}

}  // namespace

TileTextures::TileTextures(const TileKind& kind, const Limits& limits, std::shared_ptr<TileCache> cache)
    : kind_(&kind), limits_(limits), cache_(std::move(cache)), grid_(cache_->grid())
{
    uniforms_.last = glm::ivec4(grid_.width() - 1, grid_.height() - 1, grid_.levels() - 1, 0);
    uniforms_.reach.y = float(1.0 / (1.0 - (1.0 - kFadeShare) * (1.0 - kFadeShare)));
}

Status TileTextures::layOnPlane(const Raster& raster)
{
    extent_ = {raster.east(), raster.north()};
    pixel_ = {raster.pixelWidth, raster.pixelHeight};
    const double side = std::max(extent_.x, extent_.y), samples = side / std::min(pixel_.x, pixel_.y);
    if (samples > kMostSamplesOfSquare)
        return Error{ExitCode::kLimit,
                     fmt::format("{}: its square would be {:.0f} samples wide, at most {:.0f} are possible",
                                 raster.name, samples, kMostSamplesOfSquare)};
    gpu::TileUniforms& u = uniforms_;
    u.columnOfLattice = wordsOf(SampleAxis::columns(raster.width, extent_.x, side));
    u.rowOfLattice = wordsOf(SampleAxis::rows(raster.height, extent_.y, side));
    unitBits_ = TileLattice::onPlane(raster.width, raster.height, pixel_.x, pixel_.y).unitBits;
    u.reach.z = float(pixel_.x);
    u.reach.w = float(pixel_.y);
    return Status::ok();
}

void TileTextures::layOnCube()
{
    const int bits = unitBits_ = TileLattice::onCube(grid_).unitBits;  // log2 of cube units between samples
    uniforms_.columnOfLattice = glm::uvec4(unsigned(bits), unsigned(cache_->baseLevel()), 0, 0);
    uniforms_.reach.z = uniforms_.reach.w = float(std::ldexp(metresOfCubeUnit(), bits));
}

Result<TileTextures> TileTextures::create(const TileKind& kind, const Limits& limits, const Raster& raster,
                                          std::shared_ptr<TileCache> cache)
{
    TileTextures made(kind, limits, std::move(cache));
    if (made.grid_.faces() > 1)
        made.layOnCube();
    else if (Status s = made.layOnPlane(raster); !s)
        return s.error();
    if (Status s = made.makeBuffers(); !s) return s.error();
    return made;
}

Status TileTextures::makeBuffers()
{
    Result<Arrays> arrays = makeArrays(cache_->slots());
    if (!arrays) return arrays.error();
    arrays_ = std::move(*arrays);
    if (Status s = makeTable(cache_->slots()); !s) return s;
    Result<TileStaging> staging = TileStaging::create(kind_->stagedBytes);
    if (!staging) return staging.error();
    staging_ = std::move(*staging);
    Result<Buffer> uniforms =
        makeBuffer("tile uniforms", sizeof(gpu::TileUniforms), GL_DYNAMIC_STORAGE_BIT, &uniforms_);
    if (!uniforms) return uniforms.error();
    uniformBuffer_ = std::move(*uniforms);
    exact_ = makeSampler("tiles, exact", GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST);
    smooth_ = makeSampler("tiles, smooth", GL_LINEAR, GL_LINEAR);
    budget_ = cache_->stats().budgetBytes;
    cache_->uploadAgain();
    return Status::ok();
}

Result<TileTextures::Arrays> TileTextures::makeArrays(int slots) const
{
    GLint mostLayers = 256;
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &mostLayers);
    Arrays arrays;
    const auto layers = [&] { return (slots + (1 << 2 * arrays.sideBits) - 1) >> 2 * arrays.sideBits; };
    while (layers() > mostLayers)
        ++arrays.sideBits;
    int tileSide = 1;
    for (const TileArray& array : kind_->arrays)
        tileSide = std::max(tileSide, array.side);
    if (tileSide << arrays.sideBits > limits_.textureSize)
        return Error{ExitCode::kLimit,
                     fmt::format("{}: {} tiles, but this driver's textures hold {}", kind_->budgetKey, slots,
                                 std::int64_t(mostLayers) * (limits_.textureSize / tileSide) *
                                     (limits_.textureSize / tileSide))};
    for (const TileArray& array : kind_->arrays)
    {
        Result<Texture> made = makeTexture(array.label, {.target = GL_TEXTURE_2D_ARRAY,
                                                         .format = array.format,
                                                         .width = array.side << arrays.sideBits,
                                                         .height = array.side << arrays.sideBits,
                                                         .depth = layers(),
                                                         .levels = array.levels});
        if (!made) return made.error();
        arrays.textures.push_back(std::move(*made));
    }
    return arrays;
}

Status TileTextures::makeTable(int slots)
{
    auto table = std::make_unique<TileTable>(slots, grid_);
    Result<Texture> texture =
        makeTexture("page table of tiles", {.format = GL_RGBA32UI, .width = table->width(), .height = table->height()});
    if (!texture) return texture.error();
    tableTexture_ = std::move(*texture);
    table_ = std::move(table);
    bases_.assign(std::size_t(slots), 0.0f);
    uniforms_.table = glm::uvec4(table_->mask(), table_->rowBits(), 0, unitBits_);
    return Status::ok();
}

Status TileTextures::setBudget(std::uint64_t bytes)
{
    if (bytes == budget_) return Status::ok();
    const std::uint64_t before = budget_;
    if (cache_->setBudget(bytes))
    {
        Result<Arrays> arrays = makeArrays(cache_->slots());
        Status made = arrays ? makeTable(cache_->slots()) : Status(arrays.error());
        if (!made)
        {
            cache_->setBudget(before);
            cache_->uploadAgain();
            return made;
        }
        arrays_ = std::move(*arrays);
    }
    budget_ = bytes;
    return Status::ok();
}

void TileTextures::update(const TileView& view, float fade)
{
    // Without fades, the caller waits for the complete picture, so the uploads may take longer than in a smooth frame.
    cache_->update(view, std::min(fade < 1 ? kMostUploads : TileStaging::kTiles, staging_.free()), fade);
    const std::uint64_t before = shown_;
    take();
    describe(view);
    stats_ = cache_->stats();
    fading_ = shown_ != before;
    rests_ = !fading_ && cache_->uploads().empty() && stats_.missing <= stats_.failed && stats_.loading == 0;
}

bool TileTextures::settle(const TileView& view, double seconds)
{
    const bool settled = cache_->settle(view, seconds, [this] { take(); });
    describe(view);
    stats_ = cache_->stats();
    return settled;
}

void TileTextures::take()
{
    for (const TileUpload& one : cache_->uploads())
        upload(one);
    const bool other = table_->set(cache_->active(), bases_);
    const int first = table_->firstChanged(), rows = table_->endOfChanged() - first;
    if (other || !cache_->uploads().empty()) ++residency_;
    if (rows <= 0) return;
    ++shown_;
    glTextureSubImage2D(tableTexture_.id(), 0, 0, first, table_->width(), rows, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
                        table_->texels().data() + (std::size_t(first) << table_->rowBits()));
    uploaded_ += 16 * std::uint64_t(rows) * std::uint64_t(table_->width());
}

// Copies a tile's texels into slot `slot` of the array `i`.  `staged`: the texels, finest level first: an address, or
// an offset while a buffer is bound to GL_PIXEL_UNPACK_BUFFER.
void TileTextures::copy(std::size_t i, int slot, const std::byte* staged)
{
    const TileArray& array = kind_->arrays[i];
    const int mask = (1 << arrays_.sideBits) - 1, layer = slot >> 2 * arrays_.sideBits;
    const glm::ivec2 place(slot & mask, (slot >> arrays_.sideBits) & mask);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (int level = 0; level < array.levels; ++level)
    {
        const int side = array.side >> level;
        glTextureSubImage3D(arrays_.textures[i].id(), level, place.x * side, place.y * side, layer, side, side, 1,
                            array.pixels, array.type, staged);
        staged += array.texelBytes * std::size_t(side) * std::size_t(side);
    }
}

void TileTextures::upload(const TileUpload& one)
{
    if (one.errorsAlone)
    {
        std::vector<std::byte> texels(kind_->stagedBytes);
        for (std::size_t i = 0; i < arrays_.textures.size(); ++i)
        {
            if (!kind_->arrays[i].writeAlone) continue;
            kind_->arrays[i].writeAlone(one, 0.0f, texels.data());
            copy(i, one.slot, texels.data());
            uploaded_ += kErrorImageBytes;
        }
        return;
    }
    const float base = one.tile->bounds.lowest;
    bases_[std::size_t(one.slot)] = base;
    const std::size_t at = staging_.stage(one, base, kind_->write);
    for (std::size_t i = 0; i < arrays_.textures.size(); ++i)
        copy(i, one.slot, reinterpret_cast<const std::byte*>(at + kind_->arrays[i].offset));
    staging_.sent();
    uploaded_ += kind_->stagedBytes;
}

double TileTextures::heightOf(const TileView& view) const
{
    return grid_.faces() > 1 ? geodeticOf(view.position).height : view.position.z;
}

void TileTextures::describe(const TileView& view)
{
    gpu::TileUniforms& u = uniforms_;
    const double above = std::max(heightOf(view) - double(cache_->highest()) * view.heightScale, 0.0);
    const double reach = cache_->reach();
    glm::dvec2 sample(0.0), whole(0.0);
    if (grid_.faces() == 1)
    {
        sample = {(view.position.x + extent_.x / 2) / pixel_.x, (extent_.y / 2 - view.position.y) / pixel_.y};
        whole = glm::floor(sample);
    }
    u.cameraSample = glm::ivec4(glm::ivec2(whole), 0, 0);
    u.cameraPart = glm::vec4(glm::vec2(sample - whole), float(above * above), float(1.0 / (reach * reach)));
    u.last.w = table_->finest();
    u.reach.x = float(reach);
    u.table.z = gpu::uint(arrays_.sideBits);
    glNamedBufferSubData(uniformBuffer_.id(), 0, sizeof u, &u);
    uploaded_ += sizeof u;
}

void TileTextures::bind() const
{
    const auto use = [](gpu::uint unit, const Texture& texture, const Sampler& sampler) {
        glBindTextureUnit(unit, texture.id());
        glBindSampler(unit, sampler.id());
    };
    use(kind_->tableUnit, tableTexture_, exact_);
    for (std::size_t i = 0; i < arrays_.textures.size(); ++i)
        use(kind_->arrays[i].unit, arrays_.textures[i], kind_->arrays[i].smooth ? smooth_ : exact_);
    glBindBufferBase(GL_UNIFORM_BUFFER, kind_->uniformBinding, uniformBuffer_.id());
}

std::vector<BufferUse> TileTextures::memory() const
{
    std::uint64_t bytes = 0;
    for (const Texture& texture : arrays_.textures)
        bytes += texture.bytes();
    const std::string name = kind_->name;
    return {
        {name, bytes}, {"page table of " + name, tableTexture_.bytes()}, {name + " on their way", staging_.bytes()}};
}

}  // namespace orogen::app

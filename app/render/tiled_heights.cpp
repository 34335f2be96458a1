#include "app/render/tiled_heights.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/gtc/packing.hpp>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/tiles/tile_place.h"

namespace orogen::app {
namespace {

constexpr std::uint64_t kPatience = 1'000'000'000;  // nanoseconds

struct CellBounds
{
    float rise = 0, lowest = 0, highest = 0;
};

// Returns the largest half float <= `value`, possibly minus infinity; minus infinity for NaN.
std::uint16_t halfAtMost(float value)
{
    constexpr std::uint16_t kMinusInfinity = 0xfc00, kSign = 0x8000, kLeastBelowZero = 0x8001;
    if (std::isnan(value)) return kMinusInfinity;
    const std::uint16_t half = glm::packHalf1x16(value);
    if (glm::unpackHalf1x16(half) <= value) return half;
    // The nearest half is above `value`, so the next lower one is the result.  Codes ascend with magnitude for either
    // sign.
    if ((half & ~kSign) == 0) return kLeastBelowZero;
    return std::uint16_t(half & kSign ? half + 1 : half - 1);
}
std::uint16_t halfAtLeast(float value) { return std::uint16_t(halfAtMost(-value) ^ 0x8000u); }

CellBounds both(const CellBounds& a, const CellBounds& b)
{
    return {std::max(a.rise, b.rise), std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
}

// Returns the bounds of 2 x 2 intervals.
CellBounds squareOf(const Tile& tile, int column, int row, float base)
{
    CellBounds square{0, 3e38f, -3e38f};
    for (int y = row; y <= row + 2; ++y)
        for (int x = column; x <= column + 2; ++x)
        {
            const float height = tile.heights[std::size_t(y) * kTileSide + std::size_t(x)];
            square.lowest = std::min(square.lowest, height);
            square.highest = std::max(square.highest, height);
        }
    return {square.highest - square.lowest, square.lowest - base, square.highest - base};
}

CellBounds cellOf(const Tile& tile, int x, int y, float base)
{
    CellBounds cell = squareOf(tile, x * kRangeCell, y * kRangeCell, base);
    for (int row = y * kRangeCell; row < (y + 1) * kRangeCell; row += 2)
        for (int column = x * kRangeCell; column < (x + 1) * kRangeCell; column += 2)
            cell = both(cell, squareOf(tile, column, row, base));
    return cell;
}

}  // namespace

void writeCells(const Tile& tile, float base, std::byte* out)
{
    std::array<CellBounds, std::size_t(kRangeSide) * kRangeSide> cells;
    for (int y = 0; y < kRangeSide; ++y)
        for (int x = 0; x < kRangeSide; ++x)
            cells[std::size_t(y * kRangeSide + x)] = cellOf(tile, x, y, base);
    for (int level = 0; level < StagedTile::kCellLevels; ++level)
    {
        const int side = StagedTile::cellSide(level);
        for (int i = 0; i < side * side; ++i, out += 8)
        {
            const CellBounds& cell = cells[std::size_t(i)];
            const std::uint16_t texel[4] = {halfAtLeast(cell.rise), halfAtMost(cell.lowest), halfAtLeast(cell.highest),
                                            0};
            std::memcpy(out, texel, sizeof texel);
        }
        for (int y = 0; y < side / 2; ++y)
            for (int x = 0; x < side / 2; ++x)
            {
                const CellBounds* at = cells.data() + 2 * y * side + 2 * x;
                cells[std::size_t(y * (side / 2) + x)] = both(both(at[0], at[1]), both(at[side], at[side + 1]));
            }
    }
}

Result<TileStaging> TileStaging::create()
{
    TileStaging made;
    Result<MappedBuffer> mapped = makeMappedBuffer("tiles on their way", kTiles * StagedTile::kBytes, GL_MAP_WRITE_BIT);
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

std::size_t TileStaging::stage(const TileUpload& upload, float base)
{
    const Tile& tile = *upload.tile;
    Sync& fence = fences_[std::size_t(next_)];
    if (fence) (void)fence.passed(kPatience);
    fence.reset();
    const std::size_t offset = std::size_t(next_) * StagedTile::kBytes;
    std::byte* out = mapped_.data + offset;
    std::memcpy(out + StagedTile::kHeights, tile.heights.data(), 4 * StagedTile::kSamples);
    std::memcpy(out + StagedTile::kSlopes, tile.slopes.data(), 4 * StagedTile::kSamples);
    std::memcpy(out + StagedTile::kRoughness, tile.roughness.data(),
                std::min(StagedTile::kSamples, tile.roughness.size()));
    writeCells(tile, base, out + StagedTile::kCells);
    writeErrorImage(upload.errors ? upload.errors->own : tile.errors.own, out + StagedTile::kErrors);
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

constexpr int kMostUploads = 8;      // per frame: 1.2 megabytes
constexpr double kFadeShare = 0.25;  // share of a level's reach over which it fades to the next coarser one

std::uint64_t bytesOf(const Texture& texture, std::uint64_t texelBytes)
{
    const TextureShape& s = texture.shape();
    std::uint64_t bytes = 0;
    for (int level = 0; level < s.levels; ++level)
        bytes +=
            std::uint64_t(s.width >> level) * std::uint64_t(s.height >> level) * std::uint64_t(s.depth) * texelBytes;
    return bytes;
}

Sampler makeArraySampler(const char* label, GLint filter)
{
    Sampler sampler = makeSampler(label);
    glSamplerParameteri(sampler.id(), GL_TEXTURE_MIN_FILTER, filter);
    glSamplerParameteri(sampler.id(), GL_TEXTURE_MAG_FILTER, filter);
    glSamplerParameteri(sampler.id(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glSamplerParameteri(sampler.id(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return sampler;
}

glm::uvec4 wordsOf(const SampleAxis& axis)
{
    const auto low = [](std::int64_t v) { return std::uint32_t(std::uint64_t(v)); };
    const auto high = [](std::int64_t v) { return std::uint32_t(std::uint64_t(v) >> 32); };
    return {low(axis.step), high(axis.step), low(axis.offset), high(axis.offset)};
}

}  // namespace

TiledHeights::TiledHeights(const Limits& limits, std::shared_ptr<TileCache> cache)
    : limits_(limits), cache_(std::move(cache)), grid_(cache_->grid())
{
    uniforms_.last = glm::ivec4(grid_.width() - 1, grid_.height() - 1, grid_.levels() - 1, 0);
    uniforms_.reach.y = float(1.0 / (1.0 - (1.0 - kFadeShare) * (1.0 - kFadeShare)));
}

void TiledHeights::layOnPlane(const Raster& raster)
{
    extent_ = {raster.east(), raster.north()};
    pixel_ = {raster.pixelWidth, raster.pixelHeight};
    const double side = std::max(extent_.x, extent_.y);
    gpu::TileUniforms& u = uniforms_;
    u.columnOfLattice = wordsOf(SampleAxis::columns(raster.width, extent_.x, side));
    u.rowOfLattice = wordsOf(SampleAxis::rows(raster.height, extent_.y, side));
    unitBits_ = TileLattice::onPlane(raster.width, raster.height, pixel_.x, pixel_.y).unitBits;
    u.reach.z = float(pixel_.x);
    u.reach.w = float(pixel_.y);
}

void TiledHeights::layOnCube()
{
    const int bits = unitBits_ = TileLattice::onCube(grid_).unitBits;  // the unit of level 0 is a sample
    uniforms_.columnOfLattice = glm::uvec4(unsigned(bits), 0, 0, 0);
    uniforms_.reach.z = uniforms_.reach.w = float(std::ldexp(metresOfCubeUnit(), bits));
}

Result<TiledHeights> TiledHeights::create(const Limits& limits, const Raster& raster, std::shared_ptr<TileCache> cache)
{
    const double side = std::max(raster.east(), raster.north());
    const double most = side / std::min(raster.pixelWidth, raster.pixelHeight);
    if (most > kMostSamplesOfSquare)
        return Error{ExitCode::kLimit,
                     fmt::format("{}: its square would be {:.0f} samples wide, at most {:.0f} are possible",
                                 raster.name, most, kMostSamplesOfSquare)};
    TiledHeights made(limits, std::move(cache));
    made.layOnPlane(raster);
    if (Status s = made.makeBuffers(); !s) return s.error();
    return made;
}

Result<TiledHeights> TiledHeights::createOnEarth(const Limits& limits, std::shared_ptr<TileCache> cache)
{
    TiledHeights made(limits, std::move(cache));
    made.layOnCube();
    if (Status s = made.makeBuffers(); !s) return s.error();
    return made;
}

Status TiledHeights::makeBuffers()
{
    Result<Arrays> arrays = makeArrays(limits_, cache_->slots());
    if (!arrays) return arrays.error();
    arrays_ = std::move(*arrays);
    if (Status s = makeTable(cache_->slots()); !s) return s;
    Result<TileStaging> staging = TileStaging::create();
    if (!staging) return staging.error();
    staging_ = std::move(*staging);
    Result<Buffer> uniforms =
        makeBuffer("tile uniforms", sizeof(gpu::TileUniforms), GL_DYNAMIC_STORAGE_BIT, &uniforms_);
    if (!uniforms) return uniforms.error();
    uniformBuffer_ = std::move(*uniforms);
    exact_ = makeArraySampler("tiles, exact", GL_NEAREST);
    glSamplerParameteri(exact_.id(), GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    smooth_ = makeArraySampler("tiles, smooth", GL_LINEAR);
    budget_ = cache_->stats().budgetBytes;
    cache_->uploadAgain();
    return Status::ok();
}

Result<TiledHeights::Arrays> TiledHeights::makeArrays(const Limits& limits, int slots)
{
    GLint mostLayers = 256;
    glGetIntegerv(GL_MAX_ARRAY_TEXTURE_LAYERS, &mostLayers);
    Arrays arrays;
    const auto layers = [&] { return (slots + (1 << 2 * arrays.sideBits) - 1) >> 2 * arrays.sideBits; };
    while (layers() > mostLayers)
        ++arrays.sideBits;
    const int side = kTileSide << arrays.sideBits;
    if (side > limits.textureSize)
        return Error{ExitCode::kLimit,
                     fmt::format("terrain.tile_budget: {} tiles, but this driver's textures hold {}", slots,
                                 std::int64_t(mostLayers) * (limits.textureSize / kTileSide) *
                                     (limits.textureSize / kTileSide))};
    const struct
    {
        const char* name;
        GLenum format;
        int side, levels;
        Texture* place;
    } parts[] = {{"tiles, heights", GL_R32F, side, 1, &arrays.heights},
                 {"tiles, slopes", GL_RG16F, side, 1, &arrays.slopes},
                 {"tiles, roughness", GL_R8, side, 1, &arrays.roughness},
                 {"tiles, cells", GL_RGBA16F, kRangeSide << arrays.sideBits, StagedTile::kCellLevels, &arrays.cells},
                 {"tiles, errors", GL_RGBA8UI, kErrorSide << arrays.sideBits, kErrorImageLevels, &arrays.errors}};
    for (const auto& part : parts)
    {
        Result<Texture> made = makeTexture(part.name, {.target = GL_TEXTURE_2D_ARRAY,
                                                       .format = part.format,
                                                       .width = part.side,
                                                       .height = part.side,
                                                       .depth = layers(),
                                                       .levels = part.levels});
        if (!made) return made.error();
        *part.place = std::move(*made);
    }
    return arrays;
}

Status TiledHeights::makeTable(int slots)
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

Status TiledHeights::setBudget(std::uint64_t bytes)
{
    if (bytes == budget_) return Status::ok();
    const std::uint64_t before = budget_;
    if (cache_->setBudget(bytes))
    {
        Result<Arrays> arrays = makeArrays(limits_, cache_->slots());
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

void TiledHeights::update(const TileView& view, float fade)
{
    cache_->update(view, std::min(kMostUploads, staging_.free()), fade);
    const std::uint64_t before = shown_;
    take();
    describe(view);
    stats_ = cache_->stats();
    fading_ = shown_ != before;
    rests_ = !fading_ && cache_->uploads().empty() && stats_.missing <= stats_.failed && stats_.loading == 0;
}

bool TiledHeights::settle(const TileView& view, double seconds)
{
    const bool settled = cache_->settle(view, seconds, [this] { take(); });
    describe(view);
    stats_ = cache_->stats();
    return settled;
}

void TiledHeights::take()
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

void TiledHeights::upload(const TileUpload& one)
{
    const int mask = (1 << arrays_.sideBits) - 1, layer = one.slot >> 2 * arrays_.sideBits;
    const glm::ivec2 place(one.slot & mask, (one.slot >> arrays_.sideBits) & mask);
    const auto copy = [&](const Texture& texture, int level, int side, GLenum format, GLenum type, const void* from) {
        glTextureSubImage3D(texture.id(), level, place.x * side, place.y * side, layer, side, side, 1, format, type,
                            from);
    };
    const auto copyErrors = [&](const std::byte* image) {
        for (int level = 0; level < kErrorImageLevels; ++level)
            copy(arrays_.errors, level, kErrorSide >> level, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE,
                 image + (StagedTile::errorOffset(level) - StagedTile::kErrors));
    };
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    if (one.errorsAlone)
    {
        std::vector<std::byte> image(kErrorImageBytes);
        writeErrorImage(one.errors->own, image.data());
        copyErrors(image.data());
        uploaded_ += image.size();
        return;
    }
    const float base = one.tile->bounds.lowest;
    bases_[std::size_t(one.slot)] = base;
    const std::size_t at = staging_.stage(one, base);
    const auto staged = [&](std::size_t offset) { return reinterpret_cast<const std::byte*>(at + offset); };
    copy(arrays_.heights, 0, kTileSide, GL_RED, GL_FLOAT, staged(StagedTile::kHeights));
    copy(arrays_.slopes, 0, kTileSide, GL_RG, GL_HALF_FLOAT, staged(StagedTile::kSlopes));
    copy(arrays_.roughness, 0, kTileSide, GL_RED, GL_UNSIGNED_BYTE, staged(StagedTile::kRoughness));
    for (int level = 0; level < StagedTile::kCellLevels; ++level)
        copy(arrays_.cells, level, StagedTile::cellSide(level), GL_RGBA, GL_HALF_FLOAT,
             staged(StagedTile::cellOffset(level)));
    copyErrors(staged(StagedTile::kErrors));
    staging_.sent();
    uploaded_ += StagedTile::kBytes;
}

double TiledHeights::heightOf(const TileView& view) const
{
    return grid_.faces() > 1 ? geodeticOf(view.position).height : view.position.z;
}

void TiledHeights::describe(const TileView& view)
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

void TiledHeights::bind() const
{
    const struct
    {
        gpu::uint unit;
        const Texture& texture;
        const Sampler& sampler;
    } rows[] = {
        {gpu::kTileTableTexture, tableTexture_, exact_},   {gpu::kTileHeightTexture, arrays_.heights, exact_},
        {gpu::kTileSlopeTexture, arrays_.slopes, smooth_}, {gpu::kTileRoughnessTexture, arrays_.roughness, exact_},
        {gpu::kTileRangeTexture, arrays_.cells, exact_},   {gpu::kTileErrorTexture, arrays_.errors, exact_}};
    for (const auto& row : rows)
    {
        glBindTextureUnit(row.unit, row.texture.id());
        glBindSampler(row.unit, row.sampler.id());
    }
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kTileBinding, uniformBuffer_.id());
}

std::vector<BufferUse> TiledHeights::memory() const
{
    return {{"tiles", bytesOf(arrays_.heights, 4) + bytesOf(arrays_.slopes, 4) + bytesOf(arrays_.roughness, 1) +
                          bytesOf(arrays_.cells, 8) + bytesOf(arrays_.errors, 4)},
            {"page table of tiles", bytesOf(tableTexture_, 16)},
            {"tiles on their way", staging_.bytes()}};
}

}  // namespace orogen::app

#include "core/terrain/synthetic/synthetic.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/base/thread_pool.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/synthetic/landscape_erosion.h"

namespace orogen {
namespace {

constexpr int kMargin = LandscapeLevel::kMargin;
constexpr int kCoarsestSide = 128;  // most cells across the landscape at its coarsest level, which forms rivers
constexpr int kCoarsestSteps = 90;
constexpr ErosionStep kCoarsestStep{.uplift = 40.0f, .talus = 0.6f, .creep = 0.02f, .repeats = 1};
constexpr ErosionStep kFinerStep{.uplift = 20.0f, .talus = 0.6f, .creep = 0.2f, .repeats = 2};
constexpr float kRoughness = 0.3f;  // range of the heights that a refinement adds at random where uplift is 1, in cells

constexpr int kLandscapeBytes = 24;                       // memory for each sample, besides the result
constexpr float kLowest = 200.0f, kExaggeration = 1.15f;  // result: kLowest + kExaggeration * height (m)

// Returns the number of erosion steps of a level; fewer on the finer levels, whose changes are small and local.
int stepsOf(int level) { return level == 0 ? kCoarsestSteps : std::max(16 >> (level - 1), 2); }

// Returns the number of cells per side of a level, including margins. `side`: cells of the finest level, without them.
// If these do not fill the cells of a coarser level exactly, that level covers slightly more.
int sideOf(int side, int level, int finest)
{
    return ((side + (1 << (finest - level)) - 1) >> (finest - level)) + 2 * kMargin;
}

LandscapeLevel emptyLevel(int number, int side, float cell, std::uint32_t seed)
{
    LandscapeLevel level;
    level.number = number;
    level.side = side;
    level.cell = cell;
    level.seed = seed;
    level.heights.resize(std::size_t(side) * std::size_t(side));
    level.areas.assign(level.heights.size(), 0.0f);
    return level;
}

// Returns nearly flat, slightly rough ground, with the sea (height 0) at its border.
LandscapeLevel coarsestLevel(int side, float cell, std::uint32_t seed)
{
    LandscapeLevel level = emptyLevel(0, side, cell, seed);
    for (int y = 1; y < side - 1; ++y)
        for (int x = 1; x < side - 1; ++x)
            level.heights[level.index(x, y)] = 20.0f * unitOf(hashOf(std::uint32_t(x), std::uint32_t(y), seed));
    return level;
}

// Moving least squares of degree 1: the height of the plane that best fits the nearest nodes.
class LocalPlane
{
public:
    void add(float dx, float dy, float height)
    {
        const float near = std::max(0.0f, 1.0f - (dx * dx + dy * dy) / 2.9f);
        const float weight = near * near * near + 1e-6f;
        sum_ += weight, x_ += weight * dx, y_ += weight * dy;
        xx_ += weight * dx * dx, xy_ += weight * dx * dy, yy_ += weight * dy * dy;
        h_ += weight * height, hx_ += weight * dx * height, hy_ += weight * dy * height;
    }
    // Returns the plane's height where dx and dy are 0, by Cramer's rule. A small ridge term keeps the equations
    // regular.
    float height() const
    {
        const float xx = xx_ + 0.02f * sum_, yy = yy_ + 0.02f * sum_;
        const float c0 = xx * yy - xy_ * xy_, c1 = xy_ * y_ - x_ * yy, c2 = x_ * xy_ - xx * y_;
        return (h_ * c0 + hx_ * c1 + hy_ * c2) / (sum_ * c0 + x_ * c1 + y_ * c2);
    }

private:
    float sum_ = 0, x_ = 0, y_ = 0, xx_ = 0, xy_ = 0, yy_ = 0, h_ = 0, hx_ = 0, hy_ = 0;
};

// Returns a level's height (metres) at (x, y), in cells from the level's north-western corner.
float heightOf(const LandscapeLevel& level, float x, float y)
{
    const int column = int(x), row = int(y);
    LocalPlane plane;
    for (int v = std::max(row - 1, 0); v <= std::min(row + 1, level.side - 1); ++v)
        for (int u = std::max(column - 1, 0); u <= std::min(column + 1, level.side - 1); ++u)
        {
            const NodeOffset offset = level.offset(u, v);
            plane.add(float(u) + 0.5f + float(offset.x) / 256.0f - x, float(v) + 0.5f + float(offset.y) / 256.0f - y,
                      level.heights[level.index(u, v)]);
        }
    return plane.height();
}

// Returns the next finer level, whose cells are half as wide. Ground with much uplift gets rougher than the plains.
LandscapeLevel refined(const LandscapeLevel& coarse, const LandscapeGround& ground, int side, ThreadPool& pool)
{
    LandscapeLevel fine = emptyLevel(coarse.number + 1, side, coarse.cell / 2, coarse.seed);
    forRows(pool, side, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < side; ++x)
            {
                const NodeOffset offset = fine.offset(x, y);
                const float u = float(x - kMargin) + 0.5f + float(offset.x) / 256.0f;
                const float v = float(y - kMargin) + 0.5f + float(offset.y) / 256.0f;
                const float fromX = u / 2 + kMargin, fromY = v / 2 + kMargin;
                const float random = unitOf(hashOf(std::uint32_t(x), std::uint32_t(y), fine.seed + 600)) - 0.5f;
                const float uplift = ground.at(u * fine.cell / 1000.0f, v * fine.cell / 1000.0f).uplift;
                const std::size_t i = fine.index(x, y);
                fine.heights[i] = heightOf(coarse, fromX, fromY) + kRoughness * fine.cell * uplift * random;
                fine.areas[i] = coarse.areas[coarse.index(int(fromX), int(fromY))];
            }
    });
    return fine;
}

// Returns the landscape without its margin; each sample is the mean of block x block samples of the level.
std::vector<float> finished(const LandscapeLevel& level, int side, int block, ThreadPool& pool)
{
    std::vector<float> heights(std::size_t(side) * std::size_t(side));
    const auto mean = [&](int x, int y) {
        float sum = 0;
        for (int v = 0; v < block; ++v)
            for (int u = 0; u < block; ++u)
                sum += heightOf(level, float(kMargin + x * block + u) + 0.5f, float(kMargin + y * block + v) + 0.5f);
        return sum / float(block * block);
    };
    forRows(pool, side, [&](int begin, int end) {
        for (int y = begin; y < end; ++y)
            for (int x = 0; x < side; ++x)
                heights[std::size_t(y) * std::size_t(side) + std::size_t(x)] = kLowest + kExaggeration * mean(x, y);
    });
    return heights;
}

// Progress meter: reports the fraction of all cell visits that is done. `ofStep`: fraction of the present step.
class Meter
{
public:
    Meter(int side, int finest, const std::function<bool(double)>& progress) : progress_(progress)
    {
        for (int level = 0; level <= finest; ++level)
            total_ += stepsOf(level) * squareOf(sideOf(side, level, finest));
    }
    void begin(const LandscapeLevel& level) { done_ = next_, next_ += squareOf(level.side); }
    bool tell(double ofStep) const { return !progress_ || progress_((done_ + ofStep * (next_ - done_)) / total_); }

private:
    static double squareOf(int side) { return double(side) * side; }

    const std::function<bool(double)>& progress_;
    double total_ = 0, done_ = 0, next_ = 0;
};

}  // namespace

std::vector<float> makeLandscape(int side, std::uint32_t seed, int threads, const std::function<bool(double)>& progress)
{
    assert(side >= 1);
    // A landscape too small for rivers is the mean of a larger one: `block` is the number of cells along a side of the
    // square that a sample averages.
    int block = 1;
    while (side * block < kCoarsestSide)
        block *= 2;
    int finest = 0;  // number of refinements
    while ((kCoarsestSide << finest) < side * block)
        ++finest;
    ThreadPool pool(threads);
    const LandscapeGround ground(seed, pool);
    Meter meter(side * block, finest, progress);
    const float finestCell = float(kLandscapeSide / (side * block));
    LandscapeLevel level = coarsestLevel(sideOf(side * block, 0, finest), finestCell * float(1 << finest), seed);
    for (int number = 0; number <= finest; ++number)
    {
        if (number > 0) level = refined(level, ground, sideOf(side * block, number, finest), pool);
        for (int i = 0; i < stepsOf(number); ++i)
        {
            meter.begin(level);
            if (!erode(level, ground, number == 0 ? kCoarsestStep : kFinerStep, pool, [&] { return meter.tell(0.5); }))
                return {};
        }
    }
    return finished(level, side, block, pool);
}

namespace {

constexpr std::string_view kPrefix = "synthetic";
constexpr float kStep = 1.0f / 16.0f;  // metres per code

// Header of the cache file; size * size codes follow. All values have the byte order of the machine, since no other
// machine reads its cache.
struct CacheHeader
{
    std::array<char, 8> magic;
    std::uint32_t version;  // version of the landscape algorithm
    std::uint32_t size;
    std::uint32_t seed;
    std::uint32_t reserved;
    std::uint64_t checksum;  // covers the codes
};
static_assert(sizeof(CacheHeader) == 32);
constexpr std::array<char, 8> kMagic = {'o', 'r', 'o', 'g', 'e', 'n', 'h', 'f'};
constexpr std::uint32_t kLandscapeVersion = 1;

// Returns a fast checksum: FNV-1a over 8-byte words, with a shift for better mixing. A change of one word always
// changes the checksum.
std::uint64_t checksumOf(std::span<const std::uint16_t> codes)
{
    const auto bytes = std::as_bytes(codes);
    std::uint64_t sum = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < bytes.size(); i += 8)
    {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
        sum = (sum ^ word) * 0x100000001b3u;
        sum ^= sum >> 29;
    }
    return sum;
}

template <class T>
bool readInto(InputFile& file, std::span<T> values)
{
    for (std::span<char> rest(reinterpret_cast<char*>(values.data()), values.size_bytes()); !rest.empty();)
    {
        const Result<std::size_t> count = file.read(rest);
        if (!count || *count == 0) return false;
        rest = rest.subspan(*count);
    }
    return true;
}

std::optional<std::vector<std::uint16_t>> readCache(const SyntheticName& name)
{
    const std::string path = syntheticCachePath(name);
    if (path.empty()) return std::nullopt;
    Result<InputFile> file = InputFile::open(path);
    CacheHeader header{};
    if (!file || !readInto(*file, std::span(&header, 1))) return std::nullopt;
    const std::uint64_t count = std::uint64_t(name.size) * std::uint64_t(name.size);
    if (header.magic != kMagic || header.version != kLandscapeVersion || header.size != std::uint32_t(name.size) ||
        header.seed != name.seed || file->size() != sizeof header + 2 * count)
        return std::nullopt;
    std::vector<std::uint16_t> codes(static_cast<std::size_t>(count));
    if (!readInto(*file, std::span(codes)) || checksumOf(codes) != header.checksum) return std::nullopt;
    return codes;
}

void writeCache(const SyntheticName& name, const std::vector<std::uint16_t>& codes)
{
    const std::string path = syntheticCachePath(name);
    if (path.empty()) return;
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return;
    const CacheHeader header{kMagic, kLandscapeVersion, std::uint32_t(name.size), name.seed, 0, checksumOf(codes)};
    // A failed write is ignored: the next start computes the terrain again.
    if (!file->write(std::as_bytes(std::span(&header, 1)))) return;
    if (!file->write(std::as_bytes(std::span(codes)))) return;
    (void)bool(file->commit());
}

std::vector<std::uint16_t> codesOf(const std::vector<float>& heights)
{
    std::vector<std::uint16_t> codes(heights.size());
    for (std::size_t i = 0; i < heights.size(); ++i)
        codes[i] = std::uint16_t(std::clamp(std::floor(heights[i] / kStep + 0.5f), 0.0f, 65535.0f));
    return codes;
}

Raster rasterOf(const SyntheticName& name, const std::vector<std::uint16_t>& codes, Raster raster)
{
    for (std::size_t i = 0; i < codes.size(); ++i)
        raster.heights[i] = float(codes[i]) * kStep;
    raster.pixelWidth = raster.pixelHeight = kLandscapeSide / name.size;
    raster.format = "synthetic";
    raster.bits = 16;
    raster.synthetic = true;
    return raster;
}

}  // namespace

bool isSyntheticName(const std::string& dem)
{
    return dem == kPrefix || (dem.starts_with(kPrefix) && dem[kPrefix.size()] == ':');
}

Result<SyntheticName> parseSyntheticName(const std::string& dem)
{
    const auto wrong = [&] {
        return Error{ExitCode::kUsage,
                     fmt::format("'{}': expected synthetic:SIZE[:SEED], SIZE from {} to {}, SEED from 0 "
                                 "to 4294967295",
                                 printable(dem), kMinSyntheticSize, kMaxSyntheticSize)};
    };
    if (dem.size() <= kPrefix.size()) return wrong();
    const std::string_view rest = std::string_view(dem).substr(kPrefix.size() + 1);
    const std::size_t colon = rest.find(':');
    const auto size = numberIn<int>(rest.substr(0, colon), kMinSyntheticSize, kMaxSyntheticSize);
    if (!size) return wrong();
    if (colon == std::string_view::npos) return SyntheticName{*size};
    const auto seed = numberIn<std::uint32_t>(rest.substr(colon + 1));
    return seed ? Result<SyntheticName>(SyntheticName{*size, *seed}) : wrong();
}

std::string syntheticCachePath(const SyntheticName& name)
{
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    std::string folder;
    if (cache && cache[0] == '/')  // the XDG specification requires relative paths to be ignored
        folder = cache;
    else if (home && home[0] == '/')
        folder = std::string(home) + "/.cache";
    else
        return {};
    return fmt::format("{}/orogen/synthetic-{}-{}.landscape", folder, name.size, name.seed);
}

Result<Raster> makeSynthetic(const std::string& dem, const LoadProgress& progress)
{
    const Result<SyntheticName> name = parseSyntheticName(dem);
    if (!name) return name.error();
    if (name->size > kMaxLandscapeSize)
        return Error{ExitCode::kUsage,
                     fmt::format("'{}': more than {} samples along a side are made by tile, not as one image",
                                 printable(dem), kMaxLandscapeSize)};
    Raster raster;
    raster.name = dem;
    const std::uint64_t samples = std::uint64_t(name->size) * std::uint64_t(name->size);
    const std::uint64_t side = std::uint64_t(name->size);
    if (Status status = allocateHeights(raster, side, side, samples * kLandscapeBytes); !status) return status.error();
    std::optional<std::vector<std::uint16_t>> codes = readCache(*name);
    if (!codes)
    {
        Progress steps(progress, "making " + dem);
        const auto tell = [&](double fraction) { return steps.at(std::uint64_t(fraction * 1000), 1000); };
        const std::vector<float> heights = makeLandscape(name->size, name->seed, usableThreads(), tell);
        if (heights.empty()) return steps.interrupted();
        codes = codesOf(heights);
        writeCache(*name, *codes);
    }
    raster = rasterOf(*name, *codes, std::move(raster));
    raster.heightUnit = HeightUnit::kMetre;
    finishRaster(raster, dem);
    return raster;
}

}  // namespace orogen

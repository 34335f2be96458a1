#include "core/terrain/synthetic/synthetic.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/terminal_text.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/base/threads.h"
#include "core/terrain/raster/raster_making.h"
#include "core/terrain/synthetic/landscape.h"

namespace orogen {
namespace {

constexpr std::string_view kPrefix = "synthetic";
constexpr float kStep = 1.0f / 16.0f;  // metres per code

// Header of the cache file; size * size codes follow. All little-endian, like every machine that OpenGL 4.6 runs on.
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

// Returns a fast checksum, FNV-1a over 8-byte words; any changed word changes it.
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
    // Errors are ignored: the next start only has to recompute.
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

#include "core/terrain/import/import_job.h"

#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/io/tiff_file.h"
#include "core/terrain/raster/georeference.h"

namespace orogen {
namespace {

constexpr int kProbes = 17;  // samples along the diagonal for the fingerprint

// Sets a key with a 16-bit value in a GeoTIFF key directory, which is sorted by key.
void setKey(std::vector<std::uint16_t>& directory, std::uint16_t key, std::uint16_t value)
{
    if (directory.size() < 4) return;
    std::size_t at = 4;
    while (at + 3 < directory.size() && directory[at] < key)
        at += 4;
    const std::array<std::uint16_t, 4> entry = {key, 0, 1, value};
    if (at + 3 < directory.size() && directory[at] == key)
        std::copy(entry.begin(), entry.end(), directory.begin() + std::ptrdiff_t(at));
    else
    {
        directory.insert(directory.begin() + std::ptrdiff_t(at), entry.begin(), entry.end());
        ++directory[3];
    }
}

// Returns the source's own tags, with the raster's position if the file is mirrored or `overrides` has a pixel size.
// Returns tags derived from the raster if the file has no usable tags, `path` is empty, or `overrides` has a system.
GeoTags tagsOf(const Raster& raster, const std::string& path, const SourceOverrides& overrides)
{
    const GeoTags said = geoTagsOf(raster);
    if (path.empty() || !overrides.crs.empty()) return said;
    const Result<ByteSource> file = ByteSource::open(path);
    if (!file) return said;
    const Result<TiffFile> tiff = TiffFile::open(*file);
    if (!tiff) return said;
    GeoTags own = tiff->geoTags();
    const Result<Georeference> georeferenced = georeference(path, own, raster.width, raster.height);
    if (!georeferenced || !georeferenced->placement || own.directory.size() < 4) return said;
    if (!georeferenced->southUp && !georeferenced->eastLeft && !overrides.pixelSize) return own;
    own.pixelScale = said.pixelScale;
    own.tiePoints = said.tiePoints;
    own.transformation = said.transformation;
    if (georeferenced->placement->geographic) setKey(own.directory, kAngularUnits, 9102);  // degrees, as in `said`
    setKey(own.directory, kRasterType, 2);  // pixel is point, as in `said`
    return own;
}

std::string metadataOf(const ImportJob& job, std::optional<HeightUnit> unit)
{
    std::string items;
    const auto add = [&items](const char* name, const char* role, const std::string& value) {
        items += fmt::format("  <Item name=\"{}\" sample=\"0\" role=\"{}\">{}</Item>\n", name, role, value);
    };
    if (job.code.offset != 0) add("OFFSET", "offset", fmt::format("{}", job.code.offset));
    if (job.code.scale != 1) add("SCALE", "scale", fmt::format("{}", job.code.scale));
    if (unit)
        add("UNITTYPE", "unittype", *unit == HeightUnit::kMetre ? "metre" : *unit == HeightUnit::kFoot ? "ft" : "ftUS");
    return items.empty() ? items : "<GDALMetadata>\n" + items + "</GDALMetadata>\n";
}

Status setFingerprint(const TileSource& source, ImportJob& job)
{
    Sha256 hash;
    hash.add(jobToJson(job));
    Result<std::unique_ptr<TileReader>> reader = source.openReader();
    if (!reader) return reader.error();
    for (int i = 0; i < kProbes; ++i)
    {
        float height = 0;
        const auto along = [i](int side) { return int(std::int64_t(side - 1) * i / (kProbes - 1)); };
        const TileWindow window = {0, along(job.width), along(job.height), 1, 1};
        if (Status s = (*reader)->read(window, {&height, 1}); !s) return s;
        if (std::isnan(height)) height = kLargestHeight;  // one bit pattern for all NaNs
        hash.add(std::as_bytes(std::span(&height, 1)));
    }
    const Sha256::Digest digest = hash.finish();
    std::memcpy(&job.fingerprint, digest.data(), sizeof job.fingerprint);
    return Status::ok();
}

}  // namespace

Result<ImportJob> importJob(const TileSource& source, const std::string& path, const SourceOverrides& overrides,
                            std::string_view samples, ImportCompression compression)
{
    const Raster& raster = source.raster();
    ImportJob job;
    job.width = raster.width;
    job.height = raster.height;
    const bool whole =
        samples.empty() ? raster.bits <= 16 && !raster.fractional && !raster.synthetic : samples == "int16";
    job.samples = whole ? StoredSamples::kInt16 : StoredSamples::kFloat32;
    job.compression = compression;
    job.code = raster.code;
    if (!whole) job.code.scale = 1, job.code.offset = 0;  // floating-point samples: heights in the source's unit
    job.unknown = raster.minHeight;
    const auto fits = [whole](double value) {
        return whole ? value >= -32768 && value <= 32767 && value == std::floor(value) : double(float(value)) == value;
    };
    job.nodata = raster.nodata && fits(*raster.nodata) ? *raster.nodata : whole ? -32768 : std::nan("");
    job.nodataText = std::isnan(job.nodata) ? "nan" : fmt::format("{}", job.nodata);
    job.tags = tagsOf(raster, path, overrides);
    if (raster.heightUnit)
        setKey(job.tags.directory, kVerticalUnits,
               std::uint16_t(*raster.heightUnit == HeightUnit::kMetre  ? 9001
                             : *raster.heightUnit == HeightUnit::kFoot ? 9002
                                                                       : 9003));
    job.metadata = metadataOf(job, raster.heightUnit);
    // The fingerprint is computed before the version is set: it is stored in the output file, whose bytes must not
    // depend on the version.
    if (Status s = setFingerprint(source, job); !s) return s.error();
    Result<std::string> version = source.version();
    if (!version) return version.error();
    job.version = std::move(*version);
    return job;
}

Status toSamples(const ImportJob& job, const std::string& name, const TileWindow& window, std::span<float> heights)
{
    const bool whole = job.samples == StoredSamples::kInt16;
    const bool plain = job.code.scale == 1 && job.code.offset == 0 && job.code.unit == 1;
    for (std::size_t i = 0; i < heights.size(); ++i)
    {
        float& height = heights[i];
        if (!(std::fabs(height) <= kLargestHeight)) height = kVoid;
        if (std::isnan(height) || (plain && !whole)) continue;
        const double exact = (double(height) / job.code.unit - job.code.offset) / job.code.scale;
        float sample = whole ? float(std::nearbyint(exact)) : float(exact);
        // The division's result may be a neighbour of the right float. If several floats give the height, each is
        // right.
        for (const float other : {sample, std::nextafter(sample, -INFINITY), std::nextafter(sample, INFINITY)})
            if (job.code.heightOf(other) == height && (!whole || other == std::floor(other))) sample = other;
        const bool fits = !whole || (sample >= -32768 && sample <= 32767 && double(sample) != job.nodata);
        if (!fits || job.code.heightOf(sample) != height)
            return inputError(name, fmt::format("column {}, row {}: {} m, expected a height that {} give (--samples "
                                                "float32 keeps any)",
                                                window.column + int(i % std::size_t(window.width)),
                                                window.row + int(i / std::size_t(window.width)), height,
                                                whole ? "16-bit whole samples" : "samples in the source's unit"));
        height = sample;
    }
    return Status::ok();
}

std::string jobToJson(const ImportJob& job)
{
    Json json;
    json["width"] = job.width;
    json["height"] = job.height;
    json["samples"] = job.samples == StoredSamples::kInt16 ? "int16" : "float32";
    json["compression"] = job.compression == ImportCompression::kNone ? "none" : "deflate";
    json["nodata"] = job.nodataText;
    json["code"] = {job.code.scale, job.code.offset, job.code.unit};
    json["unknown"] = job.unknown;
    json["pixel_scale"] = job.tags.pixelScale;
    json["tie_points"] = job.tags.tiePoints;
    json["transformation"] = job.tags.transformation;
    json["directory"] = job.tags.directory;
    json["doubles"] = job.tags.doubles;
    json["ascii"] = std::vector<int>(job.tags.ascii.begin(), job.tags.ascii.end());  // may be invalid UTF-8
    json["metadata"] = job.metadata;
    json["fingerprint"] = job.fingerprint;
    if (!job.version.empty()) json["version"] = job.version;
    return json.dump();
}

Result<ImportJob> jobFromJson(const std::string& name, const std::string& text)
{
    const Result<Json> json = parseJson(text, name, "an import's description");
    if (!json) return json.error();
    try
    {
        const auto get = [&json](const char* key) -> const Json& { return json->at(key); };
        ImportJob job;
        job.width = get("width").get<int>();
        job.height = get("height").get<int>();
        job.samples = get("samples").text() == "int16" ? StoredSamples::kInt16 : StoredSamples::kFloat32;
        job.compression = get("compression").text() == "none" ? ImportCompression::kNone : ImportCompression::kDeflate;
        job.nodataText = get("nodata").get<std::string>();
        job.nodata = job.nodataText == "nan" ? std::nan("") : std::stod(job.nodataText);
        const std::vector<double> code = get("code").get<std::vector<double>>();
        job.code = {code.at(0), code.at(1), code.at(2)};
        job.unknown = get("unknown").get<float>();
        job.tags.pixelScale = get("pixel_scale").get<std::vector<double>>();
        job.tags.tiePoints = get("tie_points").get<std::vector<double>>();
        job.tags.transformation = get("transformation").get<std::vector<double>>();
        job.tags.directory = get("directory").get<std::vector<std::uint16_t>>();
        job.tags.doubles = get("doubles").get<std::vector<double>>();
        for (const int c : get("ascii").get<std::vector<int>>())
            job.tags.ascii.push_back(char(c));
        job.metadata = get("metadata").get<std::string>();
        job.fingerprint = get("fingerprint").get<std::uint64_t>();
        if (const Json* version = json->find("version")) job.version = version->text();
        const bool sides =
            job.width >= 2 && job.height >= 2 && job.width <= kMaxTiledSide && job.height <= kMaxTiledSide;
        if (sides) return job;
    }
    catch (const std::exception&)
    {
    }
    return inputError(name, "is not part of an import");
}

}  // namespace orogen

#include "core/terrain/io/drape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

#include <fmt/format.h>
#ifdef OROGEN_HAVE_GDAL
#include <cpl_string.h>
#include <gdal_alg.h>
#include <gdal_utils.h>
#endif
#include <glm/common.hpp>
#include <glm/matrix.hpp>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/terrain/io/gdal_map.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {
namespace {

#ifdef OROGEN_HAVE_GDAL
constexpr int kBorderSteps = 32;                 // points along a side, to follow its curvature
constexpr std::uint64_t kLookTwice = 64u << 20;  // bytes; for larger pictures free memory is checked
#endif

// Affine map from a column and a row to map coordinates (metres or degrees).
struct Grid
{
    glm::dmat2 turn;
    glm::dvec2 first;  // coordinates of cell (0, 0)

    explicit Grid(const Placement& placement)
        : turn(glm::dvec2(placement.column().x, placement.column().y),
               glm::dvec2(placement.row().x, placement.row().y)),
          first(placement.x, placement.y)
    {
        if (!placement.geographic) turn *= placement.unit, first *= placement.unit;
    }
};

// Pixel coordinates start at the corner of the first pixel, a placement at its centre.
constexpr glm::dvec2 kMiddle{0.5, 0.5};

bool overlaps(const DrapedPicture& draped, const Raster& terrain)
{
    glm::dvec2 low(1e300), high(-1e300);
    for (const double x : {0.0, terrain.width - 1.0})
        for (const double y : {0.0, terrain.height - 1.0})
        {
            low = glm::min(low, draped.at({x, y}));
            high = glm::max(high, draped.at({x, y}));
        }
    return low.x < 1 && low.y < 1 && high.x > 0 && high.y > 0;
}

Error besideTerrain(const Picture& picture, const Raster& terrain)
{
    return inputError(picture.name, fmt::format("lies outside the terrain {}", terrain.name));
}

std::string nameOf(const std::string& crs, const Placement& placement)
{
    return !crs.empty() ? printable(crs) : placement.geographic ? "degrees" : "an unknown coordinate system";
}

bool sameSystem(const Picture& picture, const Raster& terrain)
{
    if (picture.placement->geographic != terrain.placement->geographic) return false;
    return picture.crs == terrain.crs || picture.crs.empty() || terrain.crs.empty();
}

DrapedPicture stretched(Picture picture, const Raster& terrain)
{
    DrapedPicture draped;
    draped.turn = glm::dmat2(1.0 / (terrain.width - 1), 0, 0, 1.0 / (terrain.height - 1));
    draped.stretched = true;
    draped.warnings.push_back(
        fmt::format("{}: {}: stretched over the terrain", printable(picture.name),
                    picture.placement ? "the terrain says no position" : "no georeference and no world file"));
    draped.picture = std::move(picture);
    return draped;
}

DrapedPicture placed(Picture picture, const Raster& terrain)
{
    DrapedPicture draped;
    const Grid from(*terrain.placement), to(*picture.placement);
    const glm::dmat2 inverse = glm::inverse(to.turn);
    const glm::dvec2 size(picture.width, picture.height);
    const glm::dmat2 share(1 / size.x, 0, 0, 1 / size.y);
    draped.turn = share * inverse * from.turn;
    draped.offset = share * (inverse * (from.first - to.first) + kMiddle);
    if (picture.crs.empty() != terrain.crs.empty())
        draped.warnings.push_back(fmt::format("{}: taken to be in {}, as {} is", printable(picture.name),
                                              nameOf(picture.crs + terrain.crs, *terrain.placement),
                                              picture.crs.empty() ? "the terrain" : "the picture"));
    draped.picture = std::move(picture);
    return draped;
}

// ---- from one coordinate system to another, by GDAL -----------------------------------------------------------------

#ifdef OROGEN_HAVE_GDAL

// Returns the system as text for GDAL; empty if it is unknown.
std::string systemOf(const std::string& name, const std::string& crs, const Placement& placement)
{
    if (crs.starts_with("EPSG:") || crs.starts_with("ESRI:")) return crs;
    const std::string wkt = wktOfFile(name);
    return !wkt.empty() ? wkt : placement.geographic ? "EPSG:4326" : "";
}

// Creates an image in memory without bands. `first`: centre of its first pixel.
GdalDataset imageOf(glm::ivec2 size, const Placement& placement, glm::dvec2 first, glm::dvec2 step)
{
    GDALDatasetH image = GDALCreate(GDALGetDriverByName("MEM"), "", size.x, size.y, 0, GDT_Byte, nullptr);
    const MapPoint column = placement.column(), row = placement.row();
    const glm::dvec2 corner = first - step / 2.0;
    std::array<double, 6> map = {
        placement.x + corner.x * column.x + corner.y * row.x, step.x * column.x, step.y * row.x,
        placement.y + corner.x * column.y + corner.y * row.y, step.x * column.y, step.y * row.y};
    GDALSetGeoTransform(image, map.data());
    return GdalDataset(image);
}

// Adds the four bands of a picture, whose bytes stay in its own memory.
void addBands(const GdalDataset& image, const Picture& picture)
{
    for (int band = 0; band < 4; ++band)
    {
        char** options = nullptr;
        options = CSLSetNameValue(options, "DATAPOINTER",
                                  fmt::format("{}", static_cast<const void*>(picture.rgba.data() + band)).c_str());
        options = CSLSetNameValue(options, "PIXELOFFSET", "4");
        options = CSLSetNameValue(options, "LINEOFFSET", fmt::format("{}", 4 * std::int64_t(picture.width)).c_str());
        GDALAddBand(image.get(), GDT_Byte, options);
        CSLDestroy(options);
    }
    GDALSetRasterColorInterpretation(GDALGetRasterBand(image.get(), 4), GCI_AlphaBand);
}

// Conversion between pixel coordinates of two images in their systems.
struct TransformerCloser
{
    void operator()(void* transformer) const { GDALDestroyGenImgProjTransformer(transformer); }
};
using Transformer = std::unique_ptr<void, TransformerCloser>;

Transformer transformerOf(const GdalDataset& from, const std::string& fromSystem, const GdalDataset& to,
                          const std::string& toSystem)
{
    char** options = CSLSetNameValue(nullptr, "SRC_SRS", fromSystem.c_str());
    options = CSLSetNameValue(options, "DST_SRS", toSystem.c_str());
    Transformer transformer(GDALCreateGenImgProjTransformer2(from.get(), to.get(), options));
    CSLDestroy(options);
    return transformer;
}

// Returns the pixel in the other image; empty where a projection is not defined.
std::optional<glm::dvec2> across(const Transformer& transformer, bool back, glm::dvec2 pixel)
{
    double z = 0;
    int done = 0;
    if (!GDALGenImgProjTransform(transformer.get(), back, 1, &pixel.x, &pixel.y, &z, &done) || !done ||
        !std::isfinite(pixel.x) || !std::isfinite(pixel.y))
        return std::nullopt;
    return pixel;
}

struct Box
{
    glm::dvec2 low{1e300}, high{-1e300};
    bool empty() const { return !(low.x < high.x && low.y < high.y); }
};

// Returns the part of the terrain that the picture covers, in samples.
Box covered(const Transformer& toTerrain, const Picture& picture, const Raster& terrain)
{
    Box box;
    for (int i = 0; i <= kBorderSteps; ++i)
    {
        const double t = double(i) / kBorderSteps, w = picture.width, h = picture.height;
        for (const glm::dvec2 pixel :
             {glm::dvec2(t * w, 0), glm::dvec2(t * w, h), glm::dvec2(0, t * h), glm::dvec2(w, t * h)})
            if (const std::optional<glm::dvec2> sample = across(toTerrain, false, pixel))
            {
                box.low = glm::min(box.low, *sample - kMiddle);
                box.high = glm::max(box.high, *sample - kMiddle);
            }
    }
    box.low = glm::max(box.low, glm::dvec2(0));
    box.high = glm::min(box.high, glm::dvec2(terrain.width - 1, terrain.height - 1));
    return box;
}

// Returns a size at which pixels are as large as the picture's own, in the middle of the covered part.
glm::ivec2 sizeOf(const Transformer& toTerrain, const Box& box)
{
    const glm::dvec2 middle = (box.low + box.high) / 2.0 + kMiddle;
    const std::optional<glm::dvec2> here = across(toTerrain, true, middle);
    const std::optional<glm::dvec2> right = across(toTerrain, true, middle + glm::dvec2(1, 0));
    const std::optional<glm::dvec2> below = across(toTerrain, true, middle + glm::dvec2(0, 1));
    if (!here || !right || !below) return glm::ivec2(1);
    const glm::dvec2 pixels =
        (box.high - box.low) * glm::dvec2(glm::length(*right - *here), glm::length(*below - *here));
    return glm::ivec2(glm::clamp(glm::ceil(pixels), glm::dvec2(1), glm::dvec2(kMaxRasterSide)));
}

int CPL_STDCALL goesOn(double, const char*, void* goOn)
{
    const auto& function = *static_cast<const std::function<bool()>*>(goOn);
    return !function || function();
}

// Resamples bilinearly; pixels outside the picture are transparent, and transparent pixels contribute no colour.
bool warp(const GdalDataset& from, const std::string& fromSystem, const GdalDataset& to, const std::string& toSystem,
          const std::function<bool()>& goOn)
{
    char** words = nullptr;
    for (const char* const word :
         {"-r", "bilinear", "-wo", "NUM_THREADS=ALL_CPUS", "-s_srs", fromSystem.c_str(), "-t_srs", toSystem.c_str()})
        words = CSLAddString(words, word);
    GDALWarpAppOptions* const options = GDALWarpAppOptionsNew(words, nullptr);
    CSLDestroy(words);
    GDALWarpAppOptionsSetProgress(options, goesOn, const_cast<std::function<bool()>*>(&goOn));
    GDALDatasetH source = from.get();
    int wrong = 0;
    const bool done = GDALWarp(nullptr, to.get(), 1, &source, options, &wrong) != nullptr && !wrong;
    GDALWarpAppOptionsFree(options);
    return done;
}

// Reprojects the picture into the terrain's coordinate system with GDAL.
Result<DrapedPicture> led(const Picture& picture, const Raster& terrain, const std::function<bool()>& goOn)
{
    const std::string fromName = nameOf(picture.crs, *picture.placement);
    const std::string toName = nameOf(terrain.crs, *terrain.placement);
    const std::string fromSystem = systemOf(picture.name, picture.crs, *picture.placement);
    const std::string toSystem = systemOf(terrain.name, terrain.crs, *terrain.placement);
    QuietGdal gdal(picture.name);
    const GdalDataset from = imageOf({picture.width, picture.height}, *picture.placement, {0, 0}, {1, 1});
    addBands(from, picture);
    const GdalDataset samples = imageOf({terrain.width, terrain.height}, *terrain.placement, {0, 0}, {1, 1});
    Transformer transformer;
    if (!fromSystem.empty() && !toSystem.empty()) transformer = transformerOf(from, fromSystem, samples, toSystem);
    if (!transformer)
        return inputError(
            picture.name,
            fmt::format("in {}, expected {}, as the terrain is, or a system that can be converted to it{}", fromName,
                        toName, gdal.takeComplaint("")));
    const Box box = covered(transformer, picture, terrain);
    if (box.empty()) return besideTerrain(picture, terrain);
    Picture resampled;
    const glm::ivec2 size = sizeOf(transformer, box);
    resampled.width = size.x, resampled.height = size.y;
    resampled.name = picture.name;
    const std::uint64_t bytes = 4 * std::uint64_t(size.x) * std::uint64_t(size.y);
    if (bytes > kLookTwice)
        if (Status s = checkMemory(printable(picture.name), bytes); !s) return s.error();
    resampled.rgba.resize(bytes);
    const glm::dvec2 span = box.high - box.low, step = span / glm::dvec2(size);
    const GdalDataset to = imageOf(size, *terrain.placement, box.low + step / 2.0, step);
    addBands(to, resampled);
    if (!warp(from, fromSystem, to, toSystem, goOn))
    {
        if (goOn && !goOn()) return Error{ExitCode::kInterrupted, picture.name + ": interrupted"};
        return inputError(picture.name, gdal.takeComplaint("cannot be reprojected"));
    }
    DrapedPicture draped;
    draped.turn = glm::dmat2(1 / span.x, 0, 0, 1 / span.y);
    draped.offset = -box.low / span;
    draped.warnings.push_back(fmt::format("{}: reprojected from {} to {}", printable(picture.name), fromName, toName));
    draped.picture = std::move(resampled);
    return draped;
}

#else

Result<DrapedPicture> led(const Picture& picture, const Raster& terrain, const std::function<bool()>&)
{
    return inputError(picture.name,
                      fmt::format("in {}, expected {}, as the terrain is: GDAL converts one to the other, "
                                  "and this program was built without it (./run viewer builds it with "
                                  "GDAL)",
                                  nameOf(picture.crs, *picture.placement), nameOf(terrain.crs, *terrain.placement)));
}

#endif  // OROGEN_HAVE_GDAL

}  // namespace

Result<DrapedPicture> drape(Picture picture, const Raster& terrain, const std::function<bool()>& goOn)
{
    const bool here = picture.placement && picture.placement->positioned;
    const bool there = terrain.placement && terrain.placement->positioned;
    if (!here || !there) return stretched(std::move(picture), terrain);
    if (!sameSystem(picture, terrain)) return led(picture, terrain, goOn);
    DrapedPicture draped = placed(std::move(picture), terrain);
    if (!overlaps(draped, terrain)) return besideTerrain(draped.picture, terrain);
    return draped;
}

}  // namespace orogen

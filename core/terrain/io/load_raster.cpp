#include "core/terrain/io/load_raster.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/terrain/io/ascii_grid_reader.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/foreign_formats.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/geotiff_reader.h"
#include "core/terrain/io/hgt_reader.h"
#include "core/terrain/io/png_reader.h"
#include "core/terrain/io/prj_file.h"
#include "core/terrain/io/raw_reader.h"
#include "core/terrain/io/reading.h"
#include "core/terrain/io/settling.h"
#include "core/terrain/io/tiles.h"
#include "core/terrain/io/world_file.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen {
namespace {

bool isPng(std::span<const unsigned char> head)
{
    constexpr std::array<unsigned char, 8> kSignature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    return std::ranges::equal(head.first(std::min(head.size(), kSignature.size())), kSignature);
}

using Reader = Result<Raster> (*)(const ByteSource&, const LoadProgress&);

// Returns null if no built-in reader recognises the file.
Reader readerOf(const ByteSource& source)
{
    if (isHgtName(source.name())) return readHgt;
    if (isRawName(source.name())) return readRaw;
    std::array<unsigned char, 64> bytes{};
    const std::span head(bytes.data(), source.read(0, bytes.data(), bytes.size()));
    const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
    if (isTiff(head)) return readGeoTiff;
    if (isPng(head)) return readPng;
    if (isAsciiGrid(text)) return readAsciiGrid;
    if (isHgtZip(source)) return readHgtZip;
    return nullptr;
}

Result<Raster> readSamples(const ByteSource& source, const LoadProgress& progress)
{
    if (const Reader reader = readerOf(source)) return reader(source, progress);
    if (source.size() == 0) return inputError(source.name(), "an empty file");
#ifdef OROGEN_HAVE_GDAL
    return readWithGdal(source, progress);
#else
    std::array<char, 64> head{};
    const std::size_t count = source.read(0, head.data(), head.size());
    return inputError(source.name(), foreignMessage(foreignFormat({head.data(), count}, source.name())));
#endif
}

}  // namespace

bool isReadByGdal(const ByteSource& source) { return builtWithGdal() && source.size() > 0 && !readerOf(source); }

Result<Raster> readRaster(const ByteSource& source, const LoadProgress& progress, const SourceOverrides& overrides)
{
    try
    {
        Result<Raster> raster = readSamples(source, progress);
        if (!raster) return raster;
        if (!raster->placement) readWorldFile(source.name(), *raster);
        if (raster->placement && raster->placement->guessed) readPrjFile(source.name(), *raster);
        takeMetres(*raster, overrides);
        if (!raster->heightUnit && raster->format == "PNG")
            raster->warnings.push_back("PNG holds no units: a code is read as a metre (--unit sets it)");
        if (Status status = settle(*raster, overrides); !status) return status.error();
        return raster;
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, printable(source.name()) + ": does not fit in memory"};
    }
}

Result<Raster> loadRaster(const std::string& dem, const LoadProgress& progress, const SourceOverrides& overrides)
{
    try
    {
        if (isSyntheticName(dem) && overrides.any())
            return Error{ExitCode::kUsage, printable(dem) + ": a synthetic terrain takes no" + optionsOf(overrides)};
        if (isSyntheticName(dem)) return makeSynthetic(dem, progress);
        std::error_code ignored;
        if (std::filesystem::is_directory(dem, ignored)) return readTiles(dem, progress, overrides);
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, printable(dem) + ": does not fit in memory"};
    }
    const Result<ByteSource> source = ByteSource::open(dem);
    if (!source) return source.error();
    return readRaster(*source, progress, overrides);
}

}  // namespace orogen

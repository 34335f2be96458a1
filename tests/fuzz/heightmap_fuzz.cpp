// One program for each heightmap reader: reads bytes from memory as a file of that kind.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/io/ascii_grid_reader.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_reader.h"
#include "core/terrain/io/hgt_reader.h"
#include "core/terrain/io/picture_reader.h"
#include "core/terrain/io/raw_reader.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/synthetic/synthetic.h"

namespace {

using namespace orogen;

[[noreturn]] void wrong(const char* what, const std::string& message)
{
    std::fprintf(stderr, "%s: %s\n", what, message.c_str());
    std::abort();
}

void judge(Result<Raster> raster, const std::string& name)
{
    if (!raster)
    {
        const Error& error = raster.error();
        if (error.code != ExitCode::kInput) wrong("exit code", error.message);
        if (!error.message.starts_with(name) || error.message.find('\n') != std::string::npos)
            wrong("message", error.message);
        return;
    }
    if (raster->heights.size() != std::size_t(raster->width) * std::size_t(raster->height)) wrong("size", name);
    takeMetres(*raster, {});
    if (Status status = finalizeRaster(*raster, {}); !status) return;
    if (raster->heights.size() < 2'000 && !buildBounds(quantise(*raster))) wrong("bounds", name);
}

#if defined(OROGEN_FUZZ_RAW)
// Input: a line with the name, then the samples.
void fuzz(std::span<const std::byte> bytes)
{
    std::string name;
    std::size_t at = 0;
    while (at < bytes.size() && bytes[at] != std::byte('\n'))
        name += char(bytes[at++]);
    bytes = bytes.subspan(std::min(at + 1, bytes.size()));
    (void)hgtPosition(name);
    (void)bool(parseSyntheticName("synthetic:" + name));
    const bool plain = std::ranges::all_of(name, [](unsigned char c) { return c >= 0x20 && c < 0x7f; });
    if (plain) judge(readRaw(ByteSource::view(name, bytes)), name);
}
#elif defined(OROGEN_FUZZ_PNG)
void fuzz(std::span<const std::byte> bytes) { judge(readPng(ByteSource::view("fuzz.png", bytes)), "fuzz.png: "); }
#elif defined(OROGEN_FUZZ_ASC)
void fuzz(std::span<const std::byte> bytes) { judge(readAsciiGrid(ByteSource::view("fuzz.asc", bytes)), "fuzz.asc: "); }
#else
void fuzz(std::span<const std::byte> bytes) { judge(readGeoTiff(ByteSource::view("fuzz.tif", bytes)), "fuzz.tif: "); }
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz(std::as_bytes(std::span(data, size)));
    return 0;
}

// Reader of rasters that no built-in reader supports (DTED, ERDAS, VRT ...) through GDAL, if the program was built with
// it. The second part is for code that calls GDAL itself: initialisation, messages captured instead of printed, and
// metadata of a data set.
#pragma once

#include <cstdint>
#include <string>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Returns whether the program was built with GDAL, and its library can be loaded.
bool hasGdal();

// Reads the first band as heights. `name`: a file or a GDAL path. GDAL's messages are captured, not printed. The caller
// sets the pixel size with setPixelSize(). Errors: those of openGdal(), describeGdal() and reading; kLimit;
// kInterrupted.
Result<Raster> readWithGdal(const std::string& name, const LoadProgress& progress = {});
// Like readWithGdal() without the samples.
Result<Raster> readGdalHeader(const std::string& name, std::uint64_t largestSide);

}  // namespace orogen

#ifdef OROGEN_HAVE_GDAL

#include <memory>
#include <optional>
#include <vector>

#include "core/terrain/io/source_files.h"
#include "core/terrain/raster/gdal_functions.h"
#include "core/terrain/raster/georeference.h"

namespace orogen {

// Scope that captures GDAL's error messages of this thread. For a `name` that is not isGdalPath(), it also blocks
// network access, whatever the user's configuration. The user's other options and environment variables take precedence
// over those set here.
class QuietGdal
{
public:
    explicit QuietGdal(const std::string& name);
    QuietGdal(const QuietGdal&) = delete;
    QuietGdal& operator=(const QuietGdal&) = delete;
    ~QuietGdal();

    // Returns the first error message since the last call; `otherwise` if there is none.
    std::string takeComplaint(const std::string& otherwise);

private:
    static void CPL_STDCALL keep(CPLErr kind, CPLErrorNum, const char* text);
    std::string complaint_;
    const char* set_ = nullptr;  // the thread-local option to reset
    bool local_;
};

struct GdalCloser
{
    void operator()(void* dataset) const { GDALClose(dataset); }
};
using GdalDataset = std::unique_ptr<void, GdalCloser>;

// Returns the size and modification time of a file, and the server's version of it (ETag); empty values for a web
// service. `name`: a local or a GDAL path. Error, kInput: no such file.
Result<FileState> gdalFileState(const std::string& name);

// Sets the raster's coordinate system from well-known text: EPSG code or name, degrees or the unit of lengths, a
// transverse Mercator projection, and the vertical unit of a compound system. Returns false and changes nothing if GDAL
// cannot be loaded, or the text describes no system of the Earth's surface. Source: OGC 01-009 and 18-010r7.
bool applyWellKnownText(const std::string& text, Raster& raster);

// Opens a data set. Errors, kInput: GDAL cannot be loaded or does not recognise the data set; it has no band; a virtual
// raster refers to itself or nests too deep, or a local one refers to a GDAL path or a URL.
Result<GdalDataset> openGdal(const std::string& name, QuietGdal& gdal);

// Returns the files that make up the data set; `name` alone if GDAL lists none.
std::vector<std::string> gdalFiles(const GdalDataset& dataset, const std::string& name);

// Reads where a data set lies. Sets the raster's placement and coordinate system, and appends warnings. The raster's
// sides must be set. The result says, too, whether rows or columns are mirrored.
Georeference readPlacement(const GdalDataset& dataset, Raster& raster);

struct GdalHeader
{
    Raster raster;    // without heights
    SampleRule rule;  // for samples as float64
    Georeference geo;
};

// Reads a data set's metadata. Errors, kInput: the first band has no heights, sides outside 2 to `largestSide`.
Result<GdalHeader> describeGdal(const GdalDataset& dataset, const std::string& name, std::uint64_t largestSide);

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL

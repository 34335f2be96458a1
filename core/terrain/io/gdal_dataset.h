// What everything that reads through GDAL shares: its start, its messages kept instead of printed, and what a data set
// says of itself.  Only with OROGEN_HAVE_GDAL.
#pragma once

#ifdef OROGEN_HAVE_GDAL

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gdal.h>

#include "core/terrain/io/reading.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// While it lives, GDAL's messages of this thread are kept, and a name that does not begin with /vsi reaches no network.
// The user's configuration and environment go before what is set here.
class QuietGdal
{
public:
    explicit QuietGdal(const std::string& name);
    QuietGdal(const QuietGdal&) = delete;
    QuietGdal& operator=(const QuietGdal&) = delete;
    ~QuietGdal();

    // The first of them since the last call, or `otherwise`.
    std::string takeComplaint(const std::string& otherwise);

private:
    static void CPL_STDCALL keep(CPLErr kind, CPLErrorNum, const char* text);
    std::string complaint_;
    const char* set_ = nullptr;  // the option that this has set for the thread
};

struct GdalCloser
{
    void operator()(void* dataset) const { GDALClose(dataset); }
};
using GdalDataset = std::unique_ptr<void, GdalCloser>;

// "/vsicurl/...", "/vsizip/...": a file as GDAL names it.
bool isGdalPath(const std::string& name);

// The size of a file and when it was changed last, with the version (ETag) that a server names; `name`: of any kind.
Result<FileState> gdalFileState(const std::string& name);

// Error, kInput: GDAL does not know it; it has no band; a virtual raster that names itself, or that names a path of
// GDAL's or a URL though `name` is a file.
Result<GdalDataset> openGdal(const std::string& name, QuietGdal& gdal);

// The files that the data set is made of, at least `name`.
std::vector<std::string> gdalFiles(const GdalDataset& dataset, const std::string& name);

struct GdalHeader
{
    Raster raster;    // without heights
    SampleRule rule;  // of samples as float64
    Georeference geo;
};

// Error, kInput: what is no band of heights, sides outside 2 to `largestSide`.
Result<GdalHeader> describeGdal(const GdalDataset& dataset, const std::string& name, std::uint64_t largestSide);

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL

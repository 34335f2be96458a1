// Pictures with coarser copies of themselves, read in windows: satellite images, aerial photographs, scanned maps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

struct ImageSize
{
    int width = 0, height = 0;  // pixels
};

// Pixels of one stored image, counted from the north-western one.
struct ImageBox
{
    int column = 0, row = 0, width = 0, height = 0;
};

// A thread's access to a picture. Not thread-safe.
class ImageryReader
{
public:
    virtual ~ImageryReader() = default;

    // Reads the pixels of a box, which must lie inside image number `image` of the source (0: full size). `rgba` has 4
    // bytes per pixel, row by row: red, green and blue in sRGB, multiplied by alpha, and alpha. Errors: kInput, with
    // the file and the cause; the read may be retried.
    virtual Status read(std::size_t image, const ImageBox& box, std::span<std::uint8_t> rgba) = 0;
    virtual std::uint64_t bytesRead() const = 0;  // from files or the network
};

// A picture and its coarser copies ("images"). Immutable after opening; called from any thread.
class ImagerySource
{
public:
    virtual ~ImagerySource() = default;

    // Returns the description without heights: name, sides, placement of pixel centres, coordinate system, warnings.
    virtual const Raster& raster() const = 0;
    // Returns the sizes of the images, the full one first; each is smaller than the one before.
    virtual std::span<const ImageSize> images() const = 0;
    virtual Result<std::unique_ptr<ImageryReader>> openReader() const = 0;
    // Returns the attribution to show beside the picture; empty: the source has none.
    virtual std::string credit() const { return {}; }
    // Returns whether reads go to a network, and so take long.
    virtual bool remote() const { return false; }
    // Returns whether finer images have holes where a coarser one has colours: a server need not have all tiles.
    virtual bool sparse() const { return false; }
};

// An entry of the user's list of pictures. A later entry is drawn over an earlier one.
struct PictureLayer
{
    std::string name;   // as for openImage()
    float opacity = 1;  // 0 ... 1
    bool visible = true;
    bool operator==(const PictureLayer&) const = default;
};

// Returns whether a name is that of a picture rather than of an elevation model: a web service, or a local file of
// colours. Reads the first bytes of a file; of a TIFF, a JPEG 2000 or a virtual raster, its description.
bool isPicture(const std::string& name);

// Opens a picture. A local tiled TIFF with overviews is read in windows, in any compression that libtiff decodes. Any
// other local TIFF and a PNG are read as a whole (loadPicture()), all other pictures through GDAL (openGdalImage()).
// A name that begins with /vsi, WMS:, WMTS: or http(s):// may reach a network. Errors: those of loadPicture()
// and openGdalImage(); kInput for a malformed TIFF.
Result<std::shared_ptr<const ImagerySource>> openImage(const std::string& name, const LoadProgress& progress = {});

}  // namespace orogen

// Reader of pictures: aerial photographs and scanned maps, which are laid over a terrain, and heights encoded as
// colours.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <png.h>

#include "core/base/status.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Reader of PNG files row by row, through libpng. libpng reports errors by longjmp(), which skips no destructor here.
class PngFile
{
public:
    enum class Samples
    {
        kAsStored,  // one or two bytes per sample, even if the file packs several into a byte
        kRgba,      // four bytes per pixel, for files with at most 8 bits per sample
    };

    explicit PngFile(const ByteSource& source) : source_(source)
    {
        png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, fail, [](png_structp, png_const_charp) {});
        info_ = png_ ? png_create_info_struct(png_) : nullptr;
    }
    PngFile(const PngFile&) = delete;
    ~PngFile() { png_destroy_read_struct(&png_, &info_, nullptr); }

    // Returns false on an error of libpng; message() has the reason.
    bool readHeader(Samples samples)
    {
        if (!png_ || !info_) return false;
        if (setjmp(png_jmpbuf(png_))) return false;
        png_set_read_fn(png_, this, read);
        png_set_user_limits(png_, kMaxRasterSide, kMaxRasterSide);
        png_set_chunk_malloc_max(png_, 1 << 20);  // limit of a text or a profile (bytes)
        png_set_benign_errors(png_, 1);
        png_read_info(png_, info_);
        bits_ = png_get_bit_depth(png_, info_);
        colour_ = png_get_color_type(png_, info_);
        if (samples == Samples::kRgba)
        {
            png_set_expand(png_);  // expands palettes, fewer bits and transparent colours
            png_set_gray_to_rgb(png_);
            png_set_add_alpha(png_, 0xff, PNG_FILLER_AFTER);
        }
        else
            png_set_packing(png_);  // expands codes of 1, 2 and 4 bits to bytes, unchanged
        passes_ = png_set_interlace_handling(png_);
        png_read_update_info(png_, info_);
        return true;
    }
    bool readRow(std::byte* to)
    {
        if (setjmp(png_jmpbuf(png_))) return false;
        png_read_row(png_, reinterpret_cast<png_bytep>(to), nullptr);
        return true;
    }

    std::uint64_t width() const { return png_get_image_width(png_, info_); }
    std::uint64_t height() const { return png_get_image_height(png_, info_); }
    int bits() const { return bits_; }      // in the file
    int colour() const { return colour_; }  // PNG_COLOR_TYPE_..., in the file
    int channels() const { return png_get_channels(png_, info_); }
    int passes() const { return passes_; }
    std::size_t rowBytes() const { return png_get_rowbytes(png_, info_); }
    std::optional<double> transparentGrey() const
    {
        png_color_16p value = nullptr;
        const bool grey = colour() == PNG_COLOR_TYPE_GRAY;
        if (!grey || !png_get_tRNS(png_, info_, nullptr, nullptr, &value) || !value) return std::nullopt;
        return double(value->gray);
    }
    // Reads what follows the last row; false on an error of libpng.
    bool readEnd()
    {
        if (setjmp(png_jmpbuf(png_))) return false;
        png_read_end(png_, info_);
        return true;
    }
    // Returns the text of a keyword, such as "Copyright"; empty: none. Texts stored after the pixels are found only
    // after readEnd().
    std::string text(const char* keyword) const
    {
        png_textp texts = nullptr;
        const int count = png_get_text(png_, info_, &texts, nullptr);
        for (int i = 0; i < count; ++i)
            if (std::strcmp(texts[i].key, keyword) == 0 && texts[i].text) return texts[i].text;
        return {};
    }
    std::string message() const { return message_[0] ? message_ : "libpng cannot be set up"; }

private:
    static void fail(png_structp png, png_const_charp text)
    {
        PngFile& self = *static_cast<PngFile*>(png_get_error_ptr(png));
        std::strncpy(self.message_, text, sizeof self.message_ - 1);
        png_longjmp(png, 1);
    }
    static void read(png_structp png, png_bytep to, std::size_t count)
    {
        PngFile& self = *static_cast<PngFile*>(png_get_io_ptr(png));
        const std::size_t done = self.source_.read(self.offset_, to, count);
        self.offset_ += done;
        if (done != count) png_error(png, "the file ends in the middle of a chunk");
    }

    const ByteSource& source_;
    std::uint64_t offset_ = 0;
    png_structp png_ = nullptr;
    png_infop info_ = nullptr;
    int bits_ = 0, colour_ = 0, passes_ = 1;
    char message_[160] = {};
};

// Reads samples as heights in metres, since PNG has no units (readRaster() warns of that). Warns of 8 bits or fewer.
// Colour is an error, unless the three channels are equal everywhere, as some image editors write grey. The transparent
// grey value and pixels of alpha 0 are voids. A palette is an error. Interlaced files are supported. Sets no placement.
Result<Raster> readPng(const ByteSource& source, const LoadProgress& progress = {});

// An image; row 0 is the northern one. Four bytes per pixel: red, green and blue in sRGB, not multiplied by alpha, and
// alpha.
struct Picture
{
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
    std::optional<Placement> placement;  // refers to pixel centres; empty: not in the source
    std::string name, format, crs;       // as in Raster
    std::vector<std::string> warnings;
    std::string credit;  // the file's own copyright; empty: it names none
    bool grey = false;   // in the source; red, green and blue are equal
    bool lossy = false;  // decoded from JPEG
};

// Reads PNG with at most 8 bits per sample, also with a palette, and TIFF of 8-bit grey, RGB, RGBA or JPEG's YCbCr.
// TIFF may be in strips or tiles, in any compression that libtiff was built to decode. The position comes from GeoTIFF
// tags or a world file. Errors: kInput (one line: the file, the place in it, what was found and what was expected; also
// for more than kMaxRasterSide pixels a side), kLimit (does not fit in memory), kInterrupted. Memory: up to 8 bytes per
// pixel while it reads, then 4.
Result<Picture> readPicture(const ByteSource& source, const LoadProgress& progress = {});
Result<Picture> loadPicture(const std::string& path, const LoadProgress& progress = {});

// Reads a picture as readPicture() does, and heights (metres) from its colours by `encoding`. Transparent pixels are
// voids. The caller takes the further steps of readRaster(): overrides, nodata values and pixel size. Errors: those of
// readPicture(); kInput for a picture that is grey or compressed by JPEG. Memory: 8 bytes per pixel while it reads.
Result<Raster> readColourHeights(const ByteSource& source, HeightEncoding encoding, const LoadProgress& progress = {});

}  // namespace orogen

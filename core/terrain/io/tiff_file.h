// RAII wrapper of libtiff over a ByteSource: captures errors instead of printing them, and checks the types of tags.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tiffio.h>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/georeference.h"

namespace orogen {

class TiffFile
{
public:
    enum class Index
    {
        kWhole,    // reads all offsets of strips or tiles at once
        kOnDemand  // reads offsets when needed; for files with millions of them
    };
    // Limits on data that libtiff reads into memory at once: the tags of a directory without its lists of strips and
    // tiles (bytes), and the number of values of such a list. A small file with holes could claim far more.
    static constexpr std::uint64_t kMostTagBytes = 64u << 20;
    static constexpr std::uint64_t kMostListed = 1u << 24;

    // Reads the first directory. The source must outlive the file. Error: kInput with libtiff's message, or if tags
    // exceed the limits above.
    static Result<TiffFile> open(const ByteSource& source, Index index = Index::kWhole);

    // Returns the offsets of the first directory and of those chained to it, at most `most`. Selects the first
    // directory. Error, kInput: a damaged directory, or one chained to itself.
    Result<std::vector<std::uint64_t>> directories(std::size_t most);
    Status select(std::uint64_t directory);  // makes the directory at this offset current

    // Returns the number of values of a tag in the directory at offset `directory`; 0 if the tag is absent, or the
    // directory is truncated. Needed because libtiff treats missing entries of a list of tiles as omitted tiles.
    std::uint64_t valueCount(std::uint64_t directory, std::uint32_t tag) const;

    std::uint64_t bytesRead() const { return io_->read; }  // since the file was opened

    TIFF* handle() const { return handle_.get(); }
    const std::string& name() const { return io_->source->name(); }

    // Returns libtiff's first message since the last call, or `otherwise`.
    std::string takeComplaint(const std::string& otherwise);
    Error error(const std::string& place);  // kInput with libtiff's message

    // Return the values of a tag unknown to libtiff; empty if it is absent or has another type.
    std::vector<double> doubles(std::uint32_t tag) const;
    std::vector<std::uint16_t> shorts(std::uint32_t tag) const;
    std::string text(std::uint32_t tag) const;

    GeoTags geoTags() const;

private:
    struct Io
    {
        const ByteSource* source = nullptr;
        std::uint64_t position = 0, read = 0;
        std::string complaint;
    };
    struct Closer
    {
        void operator()(TIFF* handle) const { TIFFClose(handle); }
    };
    TiffFile() : io_(std::make_unique<Io>()) {}
    Status checkTags(std::uint64_t directory) const;

    const void* values(std::uint32_t tag, TIFFDataType type, std::uint32_t& count) const;
    static tmsize_t readProc(thandle_t io, void* to, tmsize_t count);
    static toff_t seekProc(thandle_t io, toff_t offset, int whence);
    static int complain(TIFF*, void* io, const char* module, const char* format, va_list arguments);

    std::unique_ptr<Io> io_;  // libtiff keeps its address
    Index index_ = Index::kWhole;
    std::unique_ptr<TIFF, Closer> handle_;
};

}  // namespace orogen

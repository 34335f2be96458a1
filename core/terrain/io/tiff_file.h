// libtiff over a ByteSource: one owner for the handle, errors kept instead of printed, tags with their types checked.
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
        kWhole,    // where the strips or tiles lie is read at once
        kOnDemand  // read as it is asked for, which matters where there are millions of them
    };
    // Tags of a directory besides its lists of strips and tiles, which libtiff reads all into memory; and values of
    // such a list that is read at once.  Files claim more where they have holes.
    static constexpr std::uint64_t kMostTagBytes = 64u << 20;
    static constexpr std::uint64_t kMostListed = 1u << 24;

    // Reads the first directory.  The source must outlive the file.  Error: kInput with libtiff's words, or tags that
    // claim more than the above.
    static Result<TiffFile> open(const ByteSource& source, Index index = Index::kWhole);

    // Where the directories lie that are chained to the first one, which becomes the present one; at most `most`, each
    // once.  Error: kInput, a damaged one.
    Result<std::vector<std::uint64_t>> directories(std::size_t most);
    Status select(std::uint64_t directory);  // one of them

    // How many values the directory at `offset` says that a tag has; 0: none, or the directory ends too early.  libtiff
    // takes a list of tiles that is too short for one with tiles left out.
    std::uint64_t valueCount(std::uint64_t directory, std::uint32_t tag) const;

    std::uint64_t bytesRead() const { return io_->read; }  // since it was opened

    TIFF* handle() const { return handle_.get(); }
    const std::string& name() const { return io_->source->name(); }

    // The first thing that libtiff complained about since the last call, or `otherwise`.
    std::string takeComplaint(const std::string& otherwise);
    Error error(const std::string& place);  // with that complaint

    // Values of a tag that libtiff does not know; empty if it is absent or of another type.
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

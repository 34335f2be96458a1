// Decoder of samples of a TIFF's images on request. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/terrain/io/geotiff_layout.h"

namespace orogen {

struct TiffImage
{
    std::uint64_t directory = 0;  // offset in the file
    TiffLayout layout;
};

inline constexpr std::size_t kDecodedTiffBytes = 64u << 20;  // per reader
inline constexpr std::uint64_t kLargestChunk = 256u << 20;   // decoded; larger compressed chunks are refused

// Checks an image's strips or tiles; its directory must be selected in `file`. Error, kInput: the file cannot hold or
// does not list all of them, or they are too large to be read one at a time.
Status checkChunks(TiffFile& file, const TiffImage& image, std::uint64_t fileSize);

class TiffSamples
{
public:
    // Opens the file again. Caches at most `cacheBytes` of decoded strips and tiles, the last used ones, and at least
    // one. Errors, kInput: those of the file; an image differs from the expected one.
    static Result<std::unique_ptr<TiffSamples>> open(const std::string& path, const std::vector<TiffImage>& images,
                                                     std::size_t cacheBytes = kDecodedTiffBytes);

    // Reads samples; see GatherSamples; heights in the unit of the file. Decodes only the strips and tiles that hold
    // one. From uncompressed ones it reads only the samples and short gaps between them.
    Status gather(std::size_t image, std::span<const int> columns, std::span<const int> rows, std::span<float> out);

    std::uint64_t bytesRead() const;
    std::size_t decodedBytes() const { return decodedBytes_; }  // in the cache

private:
    using Key = std::pair<std::size_t, std::uint32_t>;  // image, chunk
    struct Decoded
    {
        Key key;
        std::vector<std::byte> bytes;
    };
    struct Image
    {
        TiffFile file;
        TiffLayout layout;
    };
    struct Part;  // part of a request in one chunk

    TiffSamples(ByteSource source, std::size_t cacheBytes);
    Status gatherChunk(std::size_t image, const Part& part);
    Status readPlain(Image& image, const TiffChunk& chunk, const Part& part);
    Result<std::span<const std::byte>> decoded(std::size_t image, const TiffChunk& chunk);

    ByteSource source_;
    std::vector<Image> images_;
    std::size_t cacheBytes_, decodedBytes_ = 0;
    std::list<Decoded> decoded_;  // most recently used first
    std::map<Key, std::list<Decoded>::iterator> where_;
    std::vector<std::byte> plain_;
    std::uint64_t plainBytes_ = 0;
};

}  // namespace orogen

// Samples of a TIFF's images, decoded as they are asked for; one thread's.
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
    std::uint64_t directory = 0;  // where it lies
    TiffLayout layout;
};

inline constexpr std::size_t kDecodedTiffBytes = 64u << 20;  // of one reader
inline constexpr std::uint64_t kLargestChunk = 256u << 20;   // decoded; what is compressed in larger ones is refused

// `file`: its present directory is the image's.  Error, kInput: the file cannot or does not list so many strips or
// tiles, or they are too large to be read one at a time.
Status checkChunks(TiffFile& file, const TiffImage& image, std::uint64_t fileSize);

class TiffSamples
{
public:
    // Opens the file anew.  Keeps at most `cacheBytes` of decoded strips and tiles, the last used ones, and always one.
    // Errors, kInput: of the file; an image is not the one that is expected.
    static Result<std::unique_ptr<TiffSamples>> open(const std::string& path, const std::vector<TiffImage>& images,
                                                     std::size_t cacheBytes = kDecodedTiffBytes);

    // See GatherSamples; heights in the unit of the file.  Only strips and tiles that hold such a sample are decoded,
    // of uncompressed ones only the samples themselves and short gaps between them are read.
    Status gather(std::size_t image, std::span<const int> columns, std::span<const int> rows, std::span<float> out);

    std::uint64_t bytesRead() const;
    std::size_t decodedBytes() const { return decodedBytes_; }  // that are kept now

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
    struct Part;  // of what is gathered: in one chunk

    TiffSamples(ByteSource source, std::size_t cacheBytes);
    Status gatherChunk(std::size_t image, const Part& part);
    Status readPlain(Image& image, const TiffChunk& chunk, const Part& part);
    Result<std::span<const std::byte>> decoded(std::size_t image, const TiffChunk& chunk);

    ByteSource source_;
    std::vector<Image> images_;
    std::size_t cacheBytes_, decodedBytes_ = 0;
    std::list<Decoded> decoded_;  // the last used first
    std::map<Key, std::list<Decoded>::iterator> where_;
    std::vector<std::byte> plain_;
    std::uint64_t plainBytes_ = 0;
};

}  // namespace orogen

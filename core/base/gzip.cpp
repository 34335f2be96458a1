#include "core/base/gzip.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <fmt/format.h>
#include <zlib.h>

#include "core/base/memory.h"

namespace orogen {
namespace {

constexpr std::size_t kPieceOfGzip = std::size_t(1) << 20;  // bytes unpacked between polls of `stop`

// zlib's state, released on every way out.
struct Inflation
{
    z_stream stream = {};
    bool ready = false;
    Inflation() { ready = inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK; }  // 16: expects a gzip header
    Inflation(const Inflation&) = delete;
    Inflation& operator=(const Inflation&) = delete;
    ~Inflation()
    {
        if (ready) inflateEnd(&stream);
    }
};

}  // namespace

Result<std::string> unpackGzip(std::string_view packed, const std::string& name, std::uint64_t limit,
                               const StopReading& stop)
{
    Inflation inflation;
    if (!inflation.ready) return Error{ExitCode::kLimit, name + ": no memory to unpack it"};
    z_stream& stream = inflation.stream;
    std::string text;
    std::size_t read = 0;
    for (;;)
    {
        if (stop && stop()) return Error{ExitCode::kInterrupted, name + ": interrupted"};
        const std::size_t begin = text.size();
        if (begin > limit)
            return Error{ExitCode::kLimit, fmt::format("{}: found more than {} unpacked, expected at most that", name,
                                                       bytesText(double(limit)))};
        if (text.capacity() < begin + kPieceOfGzip) text.reserve(2 * begin + kPieceOfGzip);
        text.resize(begin + kPieceOfGzip);
        const std::size_t given = std::min<std::size_t>(packed.size() - read, std::numeric_limits<uInt>::max());
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
        stream.avail_in = uInt(given);
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + begin);
        stream.avail_out = uInt(kPieceOfGzip);
        const int code = inflate(&stream, Z_NO_FLUSH);
        read += given - stream.avail_in;
        text.resize(begin + kPieceOfGzip - stream.avail_out);
        if (code == Z_STREAM_END)
        {
            if (read == packed.size()) return text;
            if (inflateReset(&stream) != Z_OK) return Error{ExitCode::kLimit, name + ": no memory to unpack it"};
        }
        else if (code == Z_BUF_ERROR || (code == Z_OK && read == packed.size() && stream.avail_out > 0))
            return Error{ExitCode::kInput,
                         fmt::format("{}: found the end after {} bytes, expected more of a gzip file", name, read)};
        else if (code != Z_OK)
            return Error{ExitCode::kInput, fmt::format("{}: found {} at byte {}, expected a gzip file", name,
                                                       stream.msg ? stream.msg : "damaged data", read)};
    }
}

}  // namespace orogen

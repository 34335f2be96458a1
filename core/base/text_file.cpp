#include "core/base/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/memory.h"

namespace orogen {
namespace {

constexpr int kLongestWait = 100;                              // ms between polls of `stop`
constexpr std::uint64_t kPiece = std::uint64_t(1) << 16;       // bytes, smallest buffer
constexpr std::uint64_t kMostAtOnce = std::uint64_t(4) << 20;  // bytes between polls of `stop`

Error unreadable(const std::string& path, int reason)
{
    return {ExitCode::kInput, fmt::format("{}: cannot be read: {}", path, std::strerror(reason))};
}

// Enlarges a pipe.  In a pipe of the usual 64 KiB, reader and writer would wait for each other after every 64 KiB.
void widenPipe(int file, mode_t mode)
{
    constexpr int kPipeBytes = 1 << 20;                           // the most that Linux allows every user
    if (S_ISFIFO(mode)) ::fcntl(file, F_SETPIPE_SZ, kPipeBytes);  // if this fails, reading is only slower
}

Error tooLarge(const std::string& path, const std::string& found, std::uint64_t limit)
{
    return {ExitCode::kInput, fmt::format("{}: found {} bytes, expected at most {}", path, found, limit)};
}

}  // namespace

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), stop_(std::move(other.stop_)),
      size_(other.size_)
{
}

InputFile::~InputFile()
{
    if (file_ >= 0) ::close(file_);
}

Result<InputFile> InputFile::open(const std::string& path, StopReading stop)
{
    // Without O_NONBLOCK, opening a named pipe would block until a writer comes, and `stop` could not end that.
    InputFile file(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), std::move(stop));
    struct stat status = {};
    if (file.file_ < 0 || ::fstat(file.file_, &status) != 0) return unreadable(path, errno);
    const bool regular = S_ISREG(status.st_mode);
    if (!regular && (S_ISDIR(status.st_mode) || !file.stop_))
        return Error{ExitCode::kInput, path + ": expected a file"};
    if (regular) file.size_ = std::uint64_t(status.st_size);
    widenPipe(file.file_, status.st_mode);
    return file;
}

Result<InputFile> InputFile::standardInput(StopReading stop)
{
    InputFile file("standard input", ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0), std::move(stop));
    struct stat status = {};
    if (file.file_ < 0 || ::fstat(file.file_, &status) != 0) return unreadable(file.path_, errno);
    if (S_ISDIR(status.st_mode)) return Error{ExitCode::kInput, file.path_ + ": expected a file"};
    if (const off_t begin = S_ISREG(status.st_mode) ? ::lseek(file.file_, 0, SEEK_CUR) : -1; begin >= 0)
        file.size_ = std::uint64_t(std::max<off_t>(0, status.st_size - begin));
    widenPipe(file.file_, status.st_mode);
    return file;
}

Status InputFile::awaitBytes() const
{
    // poll() needs a timeout: a signal that arrives before the call, or in another thread, does not end the wait.
    for (pollfd wanted = {file_, POLLIN, 0};;)
    {
        if (stop_ && stop_()) return Error{ExitCode::kInterrupted, path_ + ": interrupted"};
        const int ready = ::poll(&wanted, 1, kLongestWait);
        if (ready > 0) return Status::ok();
        if (ready < 0 && errno != EINTR) return unreadable(path_, errno);
    }
}

Result<std::size_t> InputFile::read(std::span<char> to)
{
    for (;;)
    {
        if (Status status = awaitBytes(); !status) return status.error();
        const ssize_t count = ::read(file_, to.data(), to.size());
        if (count >= 0) return std::size_t(count);
        if (errno != EINTR && errno != EAGAIN) return unreadable(path_, errno);
    }
}

Result<std::string> InputFile::readAll(std::uint64_t limit)
{
    if (size_ > limit) return tooLarge(path_, std::to_string(size_), limit);
    return readAll(limit, [this, limit](std::string_view piece, std::uint64_t offset) {
        const std::uint64_t read = offset + piece.size();
        return read <= limit ? Status::ok() : tooLarge(path_, fmt::format("{} or more", read), limit);
    });
}

Result<std::string> InputFile::readAll(std::uint64_t limit, const Check& check)
{
    constexpr std::uint64_t kMostReserved = kLongestPipe;
    std::string text;
    for (std::size_t read = 0;;)
    {
        // Reserves the file's size plus one byte, which detects the end.  The content of a short pipe fits into
        // kPiece bytes.  For a longer one, reserves `limit` or kMostReserved bytes at once, whichever is less, since
        // each doubling would copy the text.
        if (read == text.capacity() || read == 0)
        {
            const std::uint64_t unknown = read == 0 ? 0 : std::min(limit, kMostReserved);
            text.reserve(std::size_t(std::max({size_ + 1, unknown + 1, 2 * std::uint64_t(read), kPiece})));
            adviseLargePages(text.data() + read, text.capacity() - read);
        }
        if (read == text.size()) text.resize(std::size_t(std::min<std::uint64_t>(text.capacity(), read + kMostAtOnce)));
        const Result<std::size_t> count = this->read(std::span(text).subspan(read));
        if (!count) return count.error();
        if (Status status = check(std::string_view(text).substr(read, *count), read); !status) return status.error();
        read += *count;
        if (*count > 0) continue;
        text.resize(read);
        return text;
    }
}

Result<std::string> readTextFile(const std::string& path, std::uint64_t limit, const StopReading& stop)
{
    Result<InputFile> file = InputFile::open(path, stop);
    if (!file) return file.error();
    return file->readAll(limit);
}

Result<std::string> readOperandFile(const std::string& path, const StopReading& stop, const AvailableMemory& available)
{
    Result<InputFile> file = path == "-" ? InputFile::standardInput(stop) : InputFile::open(path, stop);
    if (!file) return file.error();
    if (file->size() > available.bytes / 4)
        if (Status status = checkMemory(path, 4 * file->size(), available); !status) return status.error();
    const std::uint64_t limit = file->size() > 0 ? available.bytes / 4 : std::min(available.bytes / 8, kLongestPipe);
    return file->readAll(limit, [&](std::string_view piece, std::uint64_t offset) {
        if (const std::size_t zero = piece.find('\0'); zero != piece.npos)
            return Status(Error{ExitCode::kInput,
                                fmt::format("{}: found byte 0 at offset {}, expected text", path, offset + zero)});
        if (offset + piece.size() <= limit) return Status::ok();
        return Status(
            Error{ExitCode::kLimit,
                  fmt::format("{}: found more than {} whose end is not known, expected at most {} with {} of "
                              "memory available{}{} (a file may have more)",
                              path, bytesText(double(limit)), bytesText(double(limit)),
                              bytesText(double(available.bytes)), available.by.empty() ? "" : ": ", available.by)});
    });
}

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
        if (text.size() > limit)
            return Error{ExitCode::kLimit, fmt::format("{}: found more than {} unpacked, expected at most that", name,
                                                       bytesText(double(limit)))};
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

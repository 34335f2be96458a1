#include "core/terrain/io/byte_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/terrain/io/reading.h"

namespace orogen {

ByteSource::ByteSource(ByteSource&& other) noexcept
    : name_(std::move(other.name_)), size_(other.size_), file_(std::exchange(other.file_, -1)), memory_(other.memory_)
{
}

ByteSource::~ByteSource()
{
    if (file_ >= 0) ::close(file_);
}

Result<ByteSource> ByteSource::open(const std::string& path)
{
    // O_NONBLOCK: a named pipe must not hang the program before it is refused.
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return inputError(path, std::strerror(errno));
    struct stat about
    {
    };
    const bool known = ::fstat(file, &about) == 0;
    ByteSource source(path, known ? std::uint64_t(about.st_size) : 0);
    source.file_ = file;
    if (!known) return inputError(path, std::strerror(errno));
    if (!S_ISREG(about.st_mode)) return inputError(path, "not a regular file");
    return source;
}

ByteSource ByteSource::view(std::string name, std::span<const std::byte> bytes)
{
    ByteSource source(std::move(name), bytes.size());
    source.memory_ = bytes.data();
    return source;
}

std::size_t ByteSource::read(std::uint64_t offset, void* to, std::size_t count) const
{
    if (offset >= size_) return 0;
    count = std::size_t(std::min<std::uint64_t>(count, size_ - offset));
    if (file_ < 0)
    {
        std::memcpy(to, memory_ + offset, count);
        return count;
    }
    std::size_t done = 0;
    while (done < count)
    {
        const ssize_t now = ::pread(file_, static_cast<std::byte*>(to) + done, count - done, off_t(offset + done));
        if (now < 0 && errno == EINTR) continue;
        if (now <= 0) break;
        done += std::size_t(now);
    }
    return done;
}

}  // namespace orogen

#include "core/base/text_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace orogen {
namespace {

Error unreadable(const std::string& path, int reason)
{
    return {ExitCode::kInput, fmt::format("{}: cannot be read: {}", path, std::strerror(reason))};
}

class OpenFile
{
public:
    explicit OpenFile(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile()
    {
        if (file_ >= 0) ::close(file_);
    }
    int operator*() const { return file_; }

private:
    int file_;
};

}  // namespace

Result<std::string> readTextFile(const std::string& path, std::uint64_t limit)
{
    const OpenFile file(path);
    struct stat status = {};
    if (*file < 0 || ::fstat(*file, &status) != 0) return unreadable(path, errno);
    if (!S_ISREG(status.st_mode)) return Error{ExitCode::kInput, path + ": expected a file"};
    const auto size = std::uint64_t(status.st_size);
    if (size > limit)
        return Error{ExitCode::kInput, fmt::format("{}: found {} bytes, expected at most {}", path, size, limit)};
    std::string text(size, '\0');
    std::size_t read = 0;
    while (read < text.size())
    {
        const ssize_t count = ::read(*file, text.data() + read, text.size() - read);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return unreadable(path, errno);
        if (count == 0) break;
        read += std::size_t(count);
    }
    text.resize(read);
    return text;
}

}  // namespace orogen

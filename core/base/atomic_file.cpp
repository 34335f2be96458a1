#include "core/base/atomic_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

namespace orogen {
namespace {

constexpr int kMostNames = 100;  // attempts at a free temporary name

Error outputError(const std::string& path, const char* what, int reason)
{
    return {ExitCode::kOutput, fmt::format("{}: {}: {}", path, what, std::strerror(reason))};
}

std::string folderOf(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

// Removes the file that an earlier process left under a working name.  A link, a pipe or a folder of that name is no
// leftover and gives an error.
Status clearLeftover(const std::string& path, const FileCalls& calls)
{
    struct stat found = {};
    if (::lstat(path.c_str(), &found) != 0) return Status::ok();
    if (!S_ISREG(found.st_mode))
        return Error{ExitCode::kOutput,
                     path + ": is not a regular file, expected one that was left behind or a free name"};
    return calls.unlink(path.c_str()) == 0 ? Status::ok() : outputError(path, "cannot be replaced", errno);
}

// Creates and opens a new file.  O_EXCL | O_NOFOLLOW rejects a link placed under its name meanwhile.
int openNew(const std::string& path, const FileCalls& calls)
{
    int file = -1;
    do
        file = calls.open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    while (file < 0 && errno == EINTR);
    return file;
}

// Flushes the rename to disk.  Ignores errors: some file systems cannot sync a folder, and the file itself is complete.
void syncFolder(const std::string& path, const FileCalls& calls)
{
    const int folder = calls.open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (folder < 0) return;
    calls.fsync(folder);
    calls.close(folder);
}

}  // namespace

const FileCalls& systemFileCalls()
{
    static const FileCalls calls = {
        [](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); },
        ::write,
        ::fsync,
        ::close,
        std::rename,
        ::unlink,
    };
    return calls;
}

AtomicFile::AtomicFile(std::string path, std::string temporary, int file, const FileCalls& calls)
    : path_(std::move(path)), temporary_(std::move(temporary)), file_(file), calls_(&calls)
{
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::move(other.temporary_)), file_(std::exchange(other.file_, -1)),
      calls_(other.calls_), first_(std::move(other.first_))
{
    other.temporary_.clear();
}

AtomicFile::~AtomicFile() { discard(); }

Result<AtomicFile> AtomicFile::create(std::string path, const FileCalls& calls, std::string temporary)
{
    if (struct stat found = {}; ::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode))
        return Error{ExitCode::kOutput, path + ": is not a regular file, expected one to replace or a free name"};
    static std::atomic<unsigned> number = 0;
    const bool named = !temporary.empty();
    if (named)
        if (Status status = clearLeftover(temporary, calls); !status) return status.error();
    // A killed process may have left this name behind, as process numbers repeat between runs of containers.  The loop
    // then tries others.
    int file = -1;
    for (int i = 0; i < (named ? 1 : kMostNames); ++i)
    {
        if (!named) temporary = fmt::format("{}.{}.{}.tmp", path, ::getpid(), number++);
        file = openNew(temporary, calls);
        if (file >= 0 || errno != EEXIST) break;
    }
    if (file < 0) return outputError(named ? temporary : path, "cannot be written", errno);
    return AtomicFile(std::move(path), std::move(temporary), file, calls);
}

Status AtomicFile::failed(const char* what)
{
    first_ = outputError(path_, what, errno);
    discard();
    return first_;
}

void AtomicFile::discard()
{
    if (file_ >= 0) calls_->close(std::exchange(file_, -1));
    if (!temporary_.empty()) calls_->unlink(temporary_.c_str());
    temporary_.clear();
}

Status AtomicFile::write(std::span<const std::byte> bytes)
{
    while (first_ && !bytes.empty())
    {
        const ssize_t count = calls_->write(file_, bytes.data(), bytes.size());
        if (count > 0)
            bytes = bytes.subspan(std::size_t(count));
        else if (count == 0 || errno != EINTR)
        {
            if (count == 0) errno = ENOSPC;
            return failed("cannot be written");
        }
    }
    return first_;
}

Status AtomicFile::write(std::string_view text) { return write(std::as_bytes(std::span(text))); }

Status AtomicFile::commit()
{
    if (!first_) return first_;
    int result = 0;
    do
        result = calls_->fsync(file_);
    while (result != 0 && errno == EINTR);
    if (result != 0) return failed("cannot be flushed to the disk");
    // close() releases the descriptor even on failure; EINTR loses nothing after fsync.
    if (calls_->close(std::exchange(file_, -1)) != 0 && errno != EINTR) return failed("cannot be closed");
    if (calls_->rename(temporary_.c_str(), path_.c_str()) != 0) return failed("cannot be put in place");
    temporary_.clear();
    syncFolder(path_, *calls_);
    return Status::ok();
}

Status writeFileAtomically(const std::string& path, std::string_view bytes, const FileCalls& calls)
{
    Result<AtomicFile> file = AtomicFile::create(path, calls);
    if (!file) return file.error();
    if (Status status = file->write(bytes); !status) return status;
    return file->commit();
}

namespace {

struct Identity
{
    dev_t device;
    ino_t number;
    bool operator==(const Identity&) const = default;
};

std::optional<Identity> identityOf(const std::string& path)
{
    struct stat status = {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return Identity{status.st_dev, status.st_ino};
}

bool isRead(const Identity& file, const std::string& source)
{
    if (identityOf(source) == file) return true;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(source, error), end; !error && entry != end; entry.increment(error))
        if (identityOf(entry->path().string()) == file) return true;
    return false;
}

bool exists(const std::string& path)
{
    struct stat status = {};
    return ::lstat(path.c_str(), &status) == 0;  // a dangling link counts as existing
}

Error refused(const std::string& path, const std::string& why)
{
    return {ExitCode::kOutput, fmt::format("{}: {}", path, why)};
}

}  // namespace

Status checkOutputFile(const std::string& path, std::span<const std::string> sources, Existing existing)
{
    if (const std::optional<Identity> found = identityOf(path))
        for (const std::string& source : sources)
            if (isRead(*found, source))
                return refused(path, fmt::format("is an input ({}), expected another file to write", source));
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        return refused(path, "is not a regular file, expected one to replace or a free name");
    if (existing == Existing::kRefuse && exists(path)) return refused(path, "exists already (--force replaces it)");
    return Status::ok();
}

bool nameOneFile(const std::string& a, const std::string& b)
{
    const auto whole = [](const std::filesystem::path& path) {
        std::error_code failed;
        std::filesystem::path found = std::filesystem::absolute(path, failed);
        if (!failed) found = std::filesystem::weakly_canonical(found, failed);
        return failed ? path : found;
    };
    return whole(a) == whole(b);
}

std::string freeFileName(const std::string& path)
{
    const std::filesystem::path whole(path);
    std::string name = path;
    for (int i = 2; exists(name); ++i)
        name = (whole.parent_path() / fmt::format("{}-{}{}", whole.stem().string(), i, whole.extension().string()))
                   .string();
    return name;
}

FolderLock::~FolderLock()
{
    if (folder_ >= 0) ::close(folder_);
}

bool FolderLock::take(const std::string& folder)
{
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return true;  // ignored here: the later write into the folder reports the error
    if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    {
        ::close(file);
        return false;
    }
    if (folder_ >= 0) ::close(folder_);
    folder_ = file;
    return true;
}

}  // namespace orogen

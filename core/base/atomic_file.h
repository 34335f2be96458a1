// Output files: atomic replacement, checks of a path before any work is done for it, and locks on folders.  A
// replacement writes a temporary file beside the target, calls fsync, then renames the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <sys/types.h>

#include "core/base/status.h"

namespace orogen {

// System calls of an atomic write, replaceable so that tests can make each of them fail.
struct FileCalls
{
    int (*open)(const char* path, int flags, mode_t mode);
    ssize_t (*write)(int file, const void* bytes, std::size_t count);
    int (*fsync)(int file);
    int (*close)(int file);
    int (*rename)(const char* from, const char* to);
    int (*unlink)(const char* path);
};
const FileCalls& systemFileCalls();

// Writes PATH in pieces into PATH.PID.N.tmp; commit() renames it to PATH.  A reader sees the old file or the complete
// new one, even after a power cut.  Without commit() the destructor removes the temporary file and PATH is unchanged.
// Errors: kOutput, one line with the path and the reason; later calls return the first error again.
// Continues after short writes and EINTR.
class AtomicFile
{
public:
    // PATH must be a regular file or not exist: devices, pipes and folders are not replaced (kOutput).  The folder must
    // exist, and `calls` must outlive the object.  `temporary`: a fixed working name, for a file so large that a crash
    // must not leave two copies.  An existing file of that name is unlinked at once, which keeps its other hard links.
    // A link, a pipe or a folder of that name is an error (kOutput).
    static Result<AtomicFile> create(std::string path, const FileCalls& calls = systemFileCalls(),
                                     std::string temporary = {});
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile();

    Status write(std::span<const std::byte> bytes);
    Status write(std::string_view text);
    Status commit();  // once, as the last call
    const std::string& temporaryPath() const { return temporary_; }

private:
    AtomicFile(std::string path, std::string temporary, int file, const FileCalls& calls);
    Status failed(const char* what);
    void discard();

    std::string path_, temporary_;
    int file_ = -1;
    const FileCalls* calls_;
    Status first_;  // first error, repeated by later calls
};

// Writes a whole file in one call.
Status writeFileAtomically(const std::string& path, std::string_view bytes, const FileCalls& calls = systemFileCalls());

// ---- checks before any work is done ----

enum class Existing
{
    kRefuse,
    kReplace,
};

// Checks that an output may be written to a path, and changes nothing.  Errors (kOutput, with the path):
//   - The path is one of the input files, also under another name (a link, a hard link, a longer path).
//   - The path is an existing file directly in an input folder.
//   - The path exists and is not a regular file.
//   - The path exists and `existing` is kRefuse.
Status checkOutputFile(const std::string& path, std::span<const std::string> sources, Existing existing);

// Returns whether two paths name one file, which need not exist: "x", "./x", or through a link to a folder.
bool nameOneFile(const std::string& a, const std::string& b);

// Returns "NAME.EXT", or "NAME-2.EXT" and so on if that exists.
std::string freeFileName(const std::string& path);

// Exclusive lock on a folder, released by the system when the process ends in any way.
class FolderLock
{
public:
    FolderLock() = default;
    FolderLock(FolderLock&& other) noexcept : folder_(std::exchange(other.folder_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept
    {
        std::swap(folder_, other.folder_);
        return *this;
    }
    ~FolderLock();

    // Takes the lock.  Returns false if another process, or another FolderLock of this process, holds it.  Returns true
    // without a lock if the file system has no locks or the folder cannot be opened.
    [[nodiscard]] bool take(const std::string& folder);

private:
    int folder_ = -1;
};

}  // namespace orogen

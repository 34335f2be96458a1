// Files that are never seen half-written: a temporary file beside the target, fsync, then rename.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "core/base/status.h"

namespace orogen {

// The system calls an atomic write stands on, so that tests can let each of them fail.
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

// Writes PATH piece by piece into PATH.PID.N.tmp; commit() puts it in the place of PATH, at which moment a reader sees
// the old file or the whole new one, also after a power cut.  Without commit() the temporary file is removed and PATH
// is as it was.  Errors: kOutput, one line with the path and the system's reason; after one, all further calls return
// it again.  A short write or EINTR is continued.
class AtomicFile
{
public:
    // What lies at PATH must be a file, if anything: a device, a pipe or a folder is not replaced by one (kOutput). The
    // folder must exist and `calls` must outlive the file.  `temporary`: another name to write under until then, for a
    // file so large that a crash must not leave two of it.  A file of that name is removed at once, which leaves its
    // other names (hard links) as they are; a link, a pipe or a folder of that name is an error (kOutput).
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
    Status first_;  // the first error
};

// The whole file at once.
Status writeFileAtomically(const std::string& path, std::string_view bytes, const FileCalls& calls = systemFileCalls());

}  // namespace orogen

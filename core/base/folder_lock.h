// Exclusive lock on a folder, released by the system when the process ends in any way.
#pragma once

#include <string>
#include <utility>

namespace orogen {

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

    // Returns false if another process, or another lock of this one, holds it.  Returns true if the file system has no
    // locks.
    [[nodiscard]] bool take(const std::string& folder);

private:
    int folder_ = -1;
};

}  // namespace orogen

// Who writes a folder: one process at a time, and none once it is dead, however it died.
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

    // False if another process holds it, or another lock of this one.  True also where the file system knows no locks.
    [[nodiscard]] bool take(const std::string& folder);

private:
    int folder_ = -1;
};

}  // namespace orogen

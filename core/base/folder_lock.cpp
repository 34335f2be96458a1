#include "core/base/folder_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace orogen {

FolderLock::~FolderLock()
{
    if (folder_ >= 0) ::close(folder_);
}

bool FolderLock::take(const std::string& folder)
{
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return true;  // the later write to the folder reports the error
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

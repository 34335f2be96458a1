#include "core/base/output_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <sys/stat.h>

#include <fmt/format.h>

namespace orogen {
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

std::string freeFileName(const std::string& path)
{
    const std::filesystem::path whole(path);
    std::string name = path;
    for (int i = 2; exists(name); ++i)
        name = (whole.parent_path() / fmt::format("{}-{}{}", whole.stem().string(), i, whole.extension().string()))
                   .string();
    return name;
}

}  // namespace orogen

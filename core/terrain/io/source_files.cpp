#include "core/terrain/io/source_files.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "core/terrain/io/prj_file.h"
#include "core/terrain/io/world_file.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen {

std::vector<std::string> sourceFiles(const std::string& dem)
{
    if (isSyntheticName(dem)) return {};
    std::vector<std::string> files = {dem};
    for (std::string& world : worldFileNames(dem))
        files.push_back(std::move(world));
    for (std::string& prj : prjFileNames(dem))
        files.push_back(std::move(prj));
    return files;
}

std::optional<std::uint64_t> sourceBytes(const std::string& dem)
{
    std::error_code error;
    if (!std::filesystem::is_directory(dem, error))
    {
        const std::uintmax_t size = std::filesystem::file_size(dem, error);
        return error ? std::nullopt : std::optional(std::uint64_t(size));
    }
    std::uint64_t bytes = 0;
    for (std::filesystem::directory_iterator entry(dem, error), end; !error && entry != end; entry.increment(error))
        if (std::error_code none; entry->is_regular_file(none)) bytes += std::uint64_t(entry->file_size(none));
    return error ? std::nullopt : std::optional(bytes);
}

}  // namespace orogen

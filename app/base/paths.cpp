#include "app/base/paths.h"

#include <cstdlib>

#include <fmt/format.h>

namespace orogen::app {
namespace {

bool holdsData(const std::filesystem::path& folder)
{
    std::error_code ignored;
    return std::filesystem::is_directory(folder / "shaders", ignored) &&
           std::filesystem::is_regular_file(folder / "core/gpu_layout.h", ignored);
}

}  // namespace

Result<std::filesystem::path> dataDirectory()
{
    if (const char* chosen = std::getenv("OROGEN_DATA_DIR"); chosen && *chosen)
    {
        if (holdsData(chosen)) return std::filesystem::path(chosen);
        return Error{ExitCode::kInput,
                     fmt::format("OROGEN_DATA_DIR={}: expected shaders/ and core/gpu_layout.h in it", chosen)};
    }
    std::error_code unreadable;
    std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", unreadable);
    while (folder.has_relative_path())
    {
        folder = folder.parent_path();
        if (holdsData(folder)) return folder;
    }
    if (holdsData(OROGEN_SOURCE_DIR)) return std::filesystem::path(OROGEN_SOURCE_DIR);
    return Error{ExitCode::kInput,
                 fmt::format("shaders/ and core/gpu_layout.h found neither above the program nor in {}; "
                             "OROGEN_DATA_DIR can name their folder",
                             OROGEN_SOURCE_DIR)};
}

}  // namespace orogen::app

#include "app/base/installation.h"

#include <cstdlib>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/text_file.h"
#include "orogen_version.h"

namespace orogen::app {

std::string versionNumber() { return OROGEN_VERSION; }
std::string versionCommit() { return OROGEN_DIRTY ? OROGEN_COMMIT "-dirty" : OROGEN_COMMIT; }
std::string versionText() { return "orogen " + versionNumber() + " (" + versionCommit() + ")"; }

namespace {

bool holdsData(const std::filesystem::path& folder)
{
    std::error_code ignored;
    return std::filesystem::is_directory(folder / "shaders", ignored) &&
           std::filesystem::is_regular_file(folder / "core/gpu_layout.h", ignored);
}

constexpr const char* kInstalled = "share/orogen";  // data folder, relative to the prefix of an installation
// File that the build writes into its folder. It holds the path of the source tree, so that executables need not
// contain that path.
constexpr const char* kBuiltFrom = "orogen.built-from";
constexpr std::uint64_t kLongestPath = 4096;  // bytes

// Returns the data folder for a program below `folder`; empty if there is none.
std::filesystem::path dataOf(const std::filesystem::path& folder)
{
    if (holdsData(folder)) return folder;
    if (holdsData(folder / kInstalled)) return folder / kInstalled;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(folder / kBuiltFrom, ignored)) return {};
    const Result<std::string> source = readTextFile((folder / kBuiltFrom).string(), kLongestPath);
    return source && holdsData(trimmed(*source)) ? std::filesystem::path(trimmed(*source)) : std::filesystem::path();
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
        if (std::filesystem::path data = dataOf(folder); !data.empty()) return data;
    }
    return Error{ExitCode::kInput, fmt::format("cannot find shaders/ and core/gpu_layout.h above the program or in "
                                               "a {} there; set OROGEN_DATA_DIR to their folder",
                                               kInstalled)};
}

}  // namespace orogen::app

#include "core/terrain/io/source_files.h"

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

}  // namespace orogen

#include "compute/device/kernel_images.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen::compute {
namespace {

// Images of the kernels by compute capability times ten.
struct KernelImages
{
    std::set<int> machineCode, ptx;

    bool runOn(int capability) const
    {
        const auto translates = [=](int made) { return made <= capability; };
        const auto executes = [=](int made) { return made <= capability && made / 10 == capability / 10; };
        return std::ranges::any_of(ptx, translates) || std::ranges::any_of(machineCode, executes);
    }
};

// Parses a list of architectures.  "90a" runs on that architecture only, even as PTX.
KernelImages imagesOf(std::string_view architectures)
{
    KernelImages images;
    std::istringstream words{std::string(architectures)};
    for (std::string word; words >> word;)
    {
        const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
        const auto capability = numberIn<int>(std::string_view(word).substr(0, digits));
        if (!capability) continue;
        const std::string kind = word.substr(digits);
        if (kind != "-virtual") images.machineCode.insert(*capability);
        if (kind.empty() || kind == "-virtual") images.ptx.insert(*capability);
    }
    return images;
}

std::string version(int capability) { return fmt::format("{}.{}", capability / 10, capability % 10); }

std::string textOf(const KernelImages& images, int capability)
{
    std::set<int> all = images.machineCode;
    all.insert(images.ptx.begin(), images.ptx.end());
    // Gaps between the oldest and the newest image do not matter to the owner of an older GPU.
    if (!images.ptx.empty() && capability < *all.begin()) return version(*all.begin()) + " and newer";
    std::vector<std::string> names;
    for (const int made : all)
        names.push_back(version(made) + (images.ptx.contains(made) ? " and newer" : ""));
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string kernelRefusal(std::string_view architectures, int major, int minor)
{
    const KernelImages images = imagesOf(architectures);
    const int capability = 10 * major + minor;
    if ((images.machineCode.empty() && images.ptx.empty()) || images.runOn(capability)) return {};
    return fmt::format("no kernel image for sm_{}; this program has {}", capability, textOf(images, capability));
}

}  // namespace orogen::compute

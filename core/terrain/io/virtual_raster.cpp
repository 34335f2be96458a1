#include "core/terrain/io/virtual_raster.h"

#ifdef OROGEN_HAVE_GDAL

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <vector>

#include <cpl_minixml.h>
#include <cpl_vsi.h>
#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/terrain/io/gdal_dataset.h"

namespace orogen {
namespace {

constexpr std::size_t kDeepest = 32;  // levels of nested VRTs

struct TreeDeleter
{
    void operator()(CPLXMLNode* tree) const { CPLDestroyXMLNode(tree); }
};

bool isVirtual(const std::string& name)
{
    std::error_code unknown;
    if (!isGdalPath(name) && !std::filesystem::is_regular_file(name, unknown)) return false;  // a pipe would block
    VSILFILE* const file = VSIFOpenExL(name.c_str(), "rb", TRUE);
    if (!file) return false;
    std::array<char, 1024> head{};
    const std::size_t count = VSIFReadL(head.data(), 1, head.size(), file);
    VSIFCloseL(file);
    return std::string_view(head.data(), count).find("<VRTDataset") != std::string_view::npos;
}

bool namesNetwork(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text.find("/vsi") != std::string::npos || text.find("://") != std::string::npos;
}

class Looking
{
public:
    explicit Looking(const std::string& name) : name_(name), mayNameNetwork_(isGdalPath(name)) {}

    Status file(const std::string& name)
    {
        std::error_code unknown;
        const std::string canonical =
            isGdalPath(name) ? name : std::filesystem::weakly_canonical(name, unknown).string();
        const std::string path = unknown ? name : canonical;
        if (std::ranges::find(open_, path) != open_.end())
            return inputError(name_, open_.size() == 1 ? "a virtual raster that names itself"
                                                       : fmt::format("a virtual raster that names itself by way of {}",
                                                                     printable(open_.back())));
        if (open_.size() == kDeepest)
            return inputError(name_, fmt::format("virtual rasters in each other, more than {} deep", kDeepest));
        if (!seen_.insert(path).second || !isVirtual(path)) return Status::ok();
        open_.push_back(path);
        const std::unique_ptr<CPLXMLNode, TreeDeleter> tree(CPLParseXMLFile(path.c_str()));
        const Status status = nodes(tree.get(), path);
        open_.pop_back();
        return status;
    }

private:
    Status nodes(const CPLXMLNode* node, const std::string& path)
    {
        for (; node; node = node->psNext)
        {
            const std::string_view value = node->pszValue ? node->pszValue : "";
            if (node->eType == CXT_Element && (value == "Metadata" || value == "SRS" || value == "Description"))
                continue;
            if (node->eType == CXT_Text && !mayNameNetwork_ && namesNetwork(std::string(value)))
                return inputError(name_, fmt::format("a virtual raster that names '{}': a file may not send "
                                                     "the program to a network or into an archive",
                                                     printable(value)));
            if (node->eType == CXT_Element && (value == "SourceFilename" || value == "SourceDataset"))
                if (Status status = source(node, path); !status) return status;
            if (Status status = nodes(node->psChild, path); !status) return status;
        }
        return Status::ok();
    }

    Status source(const CPLXMLNode* node, const std::string& path)
    {
        const std::string name = CPLGetXMLValue(node, "", "");
        if (name.empty() || isGdalPath(name) != isGdalPath(path)) return Status::ok();
        const bool relative = CPLGetXMLValue(node, "relativeToVRT", "0") == std::string_view("1");
        const std::filesystem::path from(path);
        return file(relative ? (from.parent_path() / name).string() : name);
    }

    std::string name_;
    bool mayNameNetwork_;
    std::vector<std::string> open_;  // each is named by the previous one
    std::set<std::string> seen_;
};

}  // namespace

Status checkVirtualRaster(const std::string& name) { return Looking(name).file(name); }

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL

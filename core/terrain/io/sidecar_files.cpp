#include "core/terrain/io/sidecar_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {
namespace {

constexpr std::uint64_t kLargestWorldFile = 1 << 16;  // bytes: six numbers, and trailing text

// Parses six numbers, one per line.
std::optional<std::array<double, 6>> worldNumbers(std::string_view text)
{
    std::array<double, 6> numbers{};
    for (double& found : numbers)
    {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::optional<double> number = leadingNumber(text.substr(0, end));
        if (!number || !std::isfinite(*number)) return std::nullopt;
        found = *number;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return numbers;
}

}  // namespace

std::vector<std::string> worldFileNames(const std::string& path)
{
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos || path.find('/', dot) != std::string::npos || dot + 2 > path.size()) return {};
    const std::string stem = path.substr(0, dot + 1), suffix = path.substr(dot + 1);
    return {stem + suffix.front() + suffix.back() + 'w', stem + suffix + 'w', stem + "wld"};
}

void readWorldFile(const std::string& path, Raster& raster)
{
    for (const std::string& world : worldFileNames(path))
    {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(world, ignored)) continue;
        const Result<std::string> text = readTextFile(world, kLargestWorldFile);
        if (!text)
        {
            raster.warnings.push_back(printable(text.error().message) + ": ignored");
            continue;
        }
        const auto numbers = worldNumbers(*text);
        // Order of the numbers: pixel width, two rotations, minus the pixel height, centre of the first pixel (x, y).
        if (!numbers || (*numbers)[1] != 0 || (*numbers)[2] != 0 || (*numbers)[0] <= 0 || (*numbers)[3] >= 0)
        {
            raster.warnings.push_back(printable(world) + ": not a world file without rotation: ignored");
            continue;
        }
        Placement placement{false, true, (*numbers)[4], (*numbers)[5], (*numbers)[0], -(*numbers)[3], 1.0};
        placement.guessed = true;
        placement.geographic = looksGeographic(placement);
        raster.warnings.push_back("pixel size from the world file");
        raster.crs = placement.geographic ? "geographic" : "";
        raster.placement = placement;
        return;
    }
}

namespace {

constexpr std::uint64_t kLargestPrjFile = 64 << 10;  // bytes
constexpr int kDeepest = 16;                         // nested nodes

// A node of well-known text: KEYWORD["text", 1.5, CHILD[...]].
struct Node
{
    std::string keyword;  // upper case
    std::vector<std::string> texts;
    std::vector<double> numbers;
    std::vector<Node> children;

    const Node* child(std::string_view name) const
    {
        const auto found = std::ranges::find(children, name, &Node::keyword);
        return found == children.end() ? nullptr : &*found;
    }
    std::string_view text() const { return texts.empty() ? std::string_view() : std::string_view(texts.front()); }
    std::optional<double> number(std::size_t i) const
    {
        return i < numbers.size() && std::isfinite(numbers[i]) ? std::optional(numbers[i]) : std::nullopt;
    }
};

class WktParser
{
public:
    explicit WktParser(std::string_view text) : rest_(trimmed(text)) {}

    std::optional<Node> node(int depth = 0)
    {
        Node node;
        while (!rest_.empty() && (std::isalnum(static_cast<unsigned char>(rest_[0])) || rest_[0] == '_'))
        {
            node.keyword += char(std::toupper(static_cast<unsigned char>(rest_[0])));
            rest_.remove_prefix(1);
        }
        if (node.keyword.empty() || depth > kDeepest || !(take('[') || take('('))) return std::nullopt;
        while (true)
        {
            if (!value(node, depth)) return std::nullopt;
            if (take(',')) continue;
            return take(']') || take(')') ? std::optional(std::move(node)) : std::nullopt;
        }
    }

private:
    bool take(char c)
    {
        rest_ = trimmed(rest_);
        if (!rest_.starts_with(c)) return false;
        rest_ = trimmed(rest_.substr(1));
        return true;
    }

    bool value(Node& node, int depth)
    {
        if (take('"'))
        {
            const std::size_t end = rest_.find('"');
            if (end == rest_.npos) return false;
            node.texts.emplace_back(rest_.substr(0, end));
            rest_ = trimmed(rest_.substr(end + 1));
            return true;
        }
        const std::string_view word = trimmed(rest_.substr(0, rest_.find_first_of(",])[(")));
        if (const std::optional<double> number = numberIn<double>(word))
        {
            node.numbers.push_back(*number);
            rest_.remove_prefix(std::size_t(word.data() - rest_.data()) + word.size());
            return true;
        }
        std::optional<Node> child = this->node(depth + 1);
        if (child)
        {
            node.children.push_back(std::move(*child));
            return true;
        }
        // Accept a bare word, such as the direction of an axis.
        return !word.empty() && rest_.find_first_of(",])") == 0;
    }

    std::string_view rest_;
};

std::string epsgOf(const Node& node)
{
    for (const char* keyword : {"AUTHORITY", "ID"})
    {
        const Node* authority = node.child(keyword);
        if (!authority || authority->text() != "EPSG") continue;
        const std::string code = authority->texts.size() > 1  ? authority->texts[1]
                                 : authority->numbers.empty() ? std::string()
                                                              : fmt::format("{:.0f}", authority->numbers[0]);
        if (numberIn<int>(code, 1, 999'999)) return "EPSG:" + code;
    }
    return {};
}

std::optional<double> parameter(const Node& system, std::string_view name)
{
    for (const Node& node : system.children)
        if (node.keyword == "PARAMETER" && std::ranges::equal(node.text(), name, {}, [](char c) {
                return std::tolower(static_cast<unsigned char>(c));
            }))
            return node.number(0);
    return std::nullopt;
}

std::optional<MapProjection> projectionOf(const Node& system, double unit)
{
    const Node* method = system.child("PROJECTION");
    const Node* geographic = system.child("GEOGCS");
    const Node* datum = geographic ? geographic->child("DATUM") : nullptr;
    const Node* spheroid = datum ? datum->child("SPHEROID") : nullptr;
    if (!method || !spheroid) return std::nullopt;
    if (method->text() == "Mercator_Auxiliary_Sphere") return MapProjection::webMercator();
    if (method->text() != "Transverse_Mercator" && method->text() != "Gauss_Kruger") return std::nullopt;
    const std::optional<double> major = spheroid->number(0), flattening = spheroid->number(1);
    const std::optional<double> longitude = parameter(system, "central_meridian");
    const double latitude = parameter(system, "latitude_of_origin").value_or(0.0);
    const double scale = parameter(system, "scale_factor").value_or(1.0);
    const bool plausible = major && flattening && longitude && *major > 6e6 && *major < 7e6 &&
                           (*flattening == 0 || *flattening > 100) && std::fabs(*longitude) <= 360 &&
                           std::fabs(latitude) <= 90 && scale > 0.9 && scale < 1.1;
    if (!plausible) return std::nullopt;
    return MapProjection::transverseMercator({{*major, *flattening},
                                              latitude,
                                              *longitude,
                                              scale,
                                              parameter(system, "false_easting").value_or(0.0) * unit,
                                              parameter(system, "false_northing").value_or(0.0) * unit});
}

void applyVertical(const Node& compound, Raster& raster)
{
    const Node* vertical = compound.child("VERT_CS") ? compound.child("VERT_CS") : compound.child("VERTCS");
    const Node* unit = vertical ? vertical->child("UNIT") : nullptr;
    if (!unit || raster.heightUnit) return;
    for (const HeightUnit known : {HeightUnit::kMetre, HeightUnit::kFoot, HeightUnit::kUsFoot})
        if (std::fabs(unit->number(0).value_or(0) - metresOf(known)) < 1e-9) raster.heightUnit = known;
}

}  // namespace

bool applyWellKnownText(std::string_view text, Raster& raster)
{
    const std::optional<Node> root = WktParser(text).node();
    if (!root) return false;
    const Node* system = &*root;
    if (root->keyword == "COMPD_CS") system = root->child("PROJCS") ? root->child("PROJCS") : root->child("GEOGCS");
    if (!system) return false;
    const bool geographic = system->keyword == "GEOGCS" || system->keyword == "GEOGCRS";
    if (!geographic && system->keyword != "PROJCS" && system->keyword != "PROJCRS") return false;
    const std::string epsg = epsgOf(*system), words = epsgOfCitation(std::string(system->text()));
    raster.crs = !epsg.empty() ? epsg : !geographic && !words.empty() ? words : printable(system->text());
    const Node* unit = system->child("UNIT");
    const double metres = !geographic && unit ? unit->number(0).value_or(1.0) : 1.0;
    raster.projection = geographic ? MapProjection::geographic() : projectionOf(*system, metres);
    if (raster.placement)
    {
        raster.placement->geographic = geographic;
        raster.placement->guessed = false;
        if (metres > 0) raster.placement->unit = metres;
    }
    applyVertical(*root, raster);
    return true;
}

std::vector<std::string> prjFileNames(const std::string& path)
{
    return {std::filesystem::path(path).replace_extension(".prj").string(), path + ".prj"};
}

void readPrjFile(const std::string& path, Raster& raster)
{
    for (const std::string& name : prjFileNames(path))
    {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(name, ignored)) continue;
        const Result<std::string> text = readTextFile(name, kLargestPrjFile);
        if (!text || !applyWellKnownText(*text, raster))
            raster.warnings.push_back((text ? printable(name) + ": no coordinate system as well-known text"
                                            : printable(text.error().message)) +
                                      ": ignored");
        return;
    }
}

}  // namespace orogen

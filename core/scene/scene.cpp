#include "core/scene/scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/base/text_file.h"

namespace orogen {
namespace {

constexpr std::uint64_t kLargestScene = std::uint64_t(64) << 20;  // bytes: room for a path with the most keys allowed
constexpr double kSmallestSide = 16, kLargestSide = 16'384;
constexpr std::array kKinds = {TerrainKind::kFile, TerrainKind::kFolder, TerrainKind::kSynthetic,
                               TerrainKind::kShipped};

// Hashes the settings with keys in order and without blanks, so that equal values have equal hashes.
std::string settingsHashOf(const std::string& settings) { return sha256(Json::parse(settings).sorted().dump()); }

int sideOf(const JsonNode& node)
{
    const double pixels = node.number(kSmallestSide, kLargestSide);
    if (pixels != std::floor(pixels)) node.refuse("an integer");
    return int(pixels);
}

std::pair<int, int> size(const JsonNode& node)
{
    const std::vector<JsonNode> sides = node.items();
    if (sides.size() == 2) return {sideOf(sides[0]), sideOf(sides[1])};
    node.refuse("two numbers of pixels");
    return {};
}

SceneTerrain terrain(const JsonNode& node)
{
    SceneTerrain read;
    const std::string kind = node["kind"].text();
    const auto known = std::ranges::find(kKinds, kind, [](TerrainKind k) { return std::string(textOf(k)); });
    if (known == kKinds.end())
        node["kind"].refuse("file, folder, synthetic or shipped");
    else
        read.kind = *known;
    read.name = node["name"].text();
    read.relative = node["relative"].text();
    read.bytes = node["bytes"].count();
    read.sha256 = node["sha256"].text();
    return read;
}

std::vector<ScenePicture> imagery(const JsonNode& root, const Json& json)
{
    std::vector<ScenePicture> read;
    if (!json.find("imagery")) return read;
    for (const JsonNode& node : root["imagery"].items())
    {
        read.push_back({.name = node["name"].text(),
                        .relative = node["relative"].text(),
                        .opacity = float(node["opacity"].number(0, 1)),
                        .visible = node["visible"].flag()});
    }
    return read;
}

// Parses the embedded path; errors name the scene.
std::optional<CameraPath> path(const JsonNode& node, const std::string& file, std::optional<Error>& failed)
{
    if (node.isNull()) return std::nullopt;
    Result<CameraPath> read = parseCameraPath(node.text(), file + ": /path");
    if (read) return std::move(*read);
    failed = read.error();
    return std::nullopt;
}

Scene scene(const JsonNode& root, const Json& json, const std::string& file, std::optional<Error>& failed)
{
    Scene read;
    read.program = root["program"].text();
    read.created = root["created"].text();
    read.settings = root["settings"].object().dump();
    read.path = path(root["path"], file, failed);
    read.size = root["size"].orNull(size);
    read.terrain = terrain(root["terrain"]);
    read.imagery = imagery(root, json);
    if (root["settings_sha256"].text() != settingsHashOf(read.settings))
        root["settings_sha256"].refuse("the SHA-256 of the settings, " + settingsHashOf(read.settings));
    if (read.path && root["path_sha256"].text() != hashOf(*read.path))
        root["path_sha256"].refuse("the SHA-256 of the path, " + hashOf(*read.path));
    return read;
}

}  // namespace

std::string_view textOf(TerrainKind kind)
{
    switch (kind)
    {
    case TerrainKind::kFolder:
        return "folder";
    case TerrainKind::kSynthetic:
        return "synthetic";
    case TerrainKind::kShipped:
        return "shipped";
    case TerrainKind::kFile:
        break;
    }
    return "file";
}

std::string sceneToJson(const Scene& s)
{
    Json json = {
        {"format", kSceneFormat},
        {"program", s.program},
        {"created", s.created},
        {"settings", Json::parse(s.settings)},
        {"settings_sha256", settingsHashOf(s.settings)},
        {"path", s.path ? Json(formatCameraPath(*s.path)) : Json()},
        {"path_sha256", s.path ? Json(hashOf(*s.path)) : Json()},
        {"size", s.size ? Json::array({s.size->first, s.size->second}) : Json()},
        {"terrain",
         {{"kind", textOf(s.terrain.kind)},
          {"name", s.terrain.name},
          {"relative", s.terrain.relative},
          {"bytes", s.terrain.bytes},
          {"sha256", s.terrain.sha256}}},
    };
    Json pictures = Json::array();
    for (const ScenePicture& picture : s.imagery)
        pictures.push_back({{"name", picture.name},
                            {"relative", picture.relative},
                            {"opacity", double(picture.opacity)},
                            {"visible", picture.visible}});
    if (!s.imagery.empty()) json["imagery"] = std::move(pictures);
    return json.dump(1) + '\n';
}

Result<Scene> sceneFromJson(std::string_view text, const std::string& file)
{
    const Result<Json> json = parseJson(text, file, "a scene");
    if (!json) return json.error();
    JsonFailure failure(file);
    const JsonNode root(&*json, "", failure);
    if (const JsonNode format = root["format"]; !failure.error() && format.text() != kSceneFormat)
        format.refuse(fmt::format("\"{}\"", kSceneFormat));
    if (failure.error()) return *failure.error();
    std::optional<Error> failed;
    Scene read = scene(root, *json, file, failed);
    if (failure.error()) return *failure.error();
    if (failed) return *failed;
    return read;
}

bool isScene(const std::string& file)
{
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return false;
    Result<InputFile> input = InputFile::open(file);
    if (!input) return false;
    std::array<char, 256> bytes = {};
    const Result<std::size_t> count = input->read(bytes);
    if (!count) return false;
    std::string_view start(bytes.data(), *count);
    for (const std::string_view part : {"{", "\"format\"", ":", "\"orogen.scene/"})
    {
        start = trimmed(start);
        if (!start.starts_with(part)) return false;
        start.remove_prefix(part.size());
    }
    return true;
}

Result<Scene> readScene(const std::string& file)
{
    const Result<std::string> text = readTextFile(file, kLargestScene);
    if (!text) return text.error();
    return sceneFromJson(*text, file);
}

}  // namespace orogen

// Scene files: packed scenes are restored, and altered ones are refused.
#include "core/scene/scene.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/config_file.h"
#include "core/settings.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using Json = nlohmann::ordered_json;

Scene packed()
{
    Scene scene;
    scene.program = "0.1.0", scene.created = "2026-05-01T12:34:56Z";
    scene.settings = settingsToJson(Settings{});
    scene.path = CameraPath{.name = "around",
                            .units = PathUnits::kMetres,
                            .keys = {{.time = 0, .position = {0, 0, 500.1}}, {.time = 1.0 / 3, .position = {1, 2, 3}}}};
    scene.size = {320, 180};
    scene.terrain = {TerrainKind::kFolder, "/data/\xc3\xa4 \"b\"", "../\xc3\xa4 \"b\"", 12'345, std::string(64, 'c')};
    return scene;
}

TEST(SceneFile, HoldsWhatWasPacked)
{
    const Scene scene = packed();
    const Result<Scene> read = sceneFromJson(sceneToJson(scene), "x.orogen");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->terrain, scene.terrain);
    EXPECT_EQ(read->path, scene.path);
    EXPECT_EQ(read->size, scene.size);
    EXPECT_EQ(Json::parse(read->settings), Json::parse(scene.settings));
    Scene bare;
    bare.terrain.kind = TerrainKind::kShipped;
    const Result<Scene> none = sceneFromJson(sceneToJson(bare), "x.orogen");
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_FALSE(none->path || none->size);
}

// Removes or replaces each value in turn: refused in one line, never a crash.
TEST(SceneFileThorough, EveryValueMayBeWrong)
{
    const Json whole = Json::parse(sceneToJson(packed()));
    std::size_t refused = 0;
    const Json flat = whole.flatten();
    for (const auto& [place, value] : flat.items())
    {
        const Json::json_pointer pointer(place);
        for (const Json& wrong : {Json(-1), Json(1e300), Json("text"), Json(true), Json::array(), Json::object()})
        {
            Json changed = whole;
            changed[pointer] = wrong;
            const Result<Scene> read = sceneFromJson(changed.dump(), "x.orogen");
            if (read) continue;
            ++refused;
            EXPECT_EQ(read.error().code, ExitCode::kInput);
            EXPECT_TRUE(read.error().message.starts_with("x.orogen: ")) << read.error().message;
            EXPECT_EQ(read.error().message.find('\n'), std::string::npos) << read.error().message;
        }
        const Json::json_pointer parent = pointer.parent_pointer();
        if (!whole.at(parent).is_object() || place.starts_with("/settings/")) continue;
        Json without = whole;
        without[parent].erase(pointer.back());
        const Result<Scene> read = sceneFromJson(without.dump(), "x.orogen");
        ASSERT_FALSE(read) << place;
        EXPECT_NE(read.error().message.find(place + ": found nothing"), std::string::npos) << read.error().message;
    }
    EXPECT_GT(refused, 100u);
}

TEST(SceneFile, WhatWasChangedIsNamedWithBothHashes)
{
    const Json whole = Json::parse(sceneToJson(packed()));
    Json changed = whole;
    changed["settings"]["cbt.depth"] = 20;
    const Result<Scene> settings = sceneFromJson(changed.dump(), "x.orogen");
    ASSERT_FALSE(settings);
    EXPECT_NE(settings.error().message.find("/settings_sha256: found \""), std::string::npos)
        << settings.error().message;
    changed = whole;
    std::string path = changed["path"];
    path.replace(path.find("500.1"), 5, "500.2");
    changed["path"] = path;
    const Result<Scene> moved = sceneFromJson(changed.dump(), "x.orogen");
    ASSERT_FALSE(moved);
    EXPECT_NE(moved.error().message.find("/path_sha256"), std::string::npos) << moved.error().message;
    changed = whole;
    changed["format"] = "orogen.scene/2";
    EXPECT_EQ(sceneFromJson(changed.dump(), "x.orogen").error().message,
              "x.orogen: /format: found \"orogen.scene/2\", expected \"orogen.scene/1\"");
}

TEST(SceneFile, IsToldByItsContent)
{
    const test::TemporaryFolder folder;
    const auto is = [&](const std::string& text) {
        std::ofstream(folder / "file.tif") << text;
        return isScene(folder / "file.tif");
    };
    EXPECT_TRUE(is(sceneToJson(packed())));
    EXPECT_TRUE(is("{\"format\":\"orogen.scene/99\""));  // later version, refused as such
    for (const char* text : {"", "{", "{}", "{\"format\": 1}", "{\"format\": \"orogen.frame-report/1\"}", "II*"})
        EXPECT_FALSE(is(text)) << text;
    EXPECT_FALSE(isScene(folder.path()));
    EXPECT_FALSE(isScene(folder / "none"));
    EXPECT_FALSE(isScene("synthetic:64"));
}

}  // namespace
}  // namespace orogen

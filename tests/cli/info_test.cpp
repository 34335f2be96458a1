#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/run_program.h"

namespace orogen {
namespace {

using test::Finished;
using test::RunOptions;
using test::runProgram;
using Json = nlohmann::json;

const std::vector<std::string> kNoDisplay = {"DISPLAY", "WAYLAND_DISPLAY"};

TEST(Info, JsonHasTheContractsKeys)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json"}, {.unset = kNoDisplay});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const Json json = Json::parse(run.out);
    EXPECT_TRUE(json.at("version").is_string());
    EXPECT_TRUE(json.at("commit").is_string());
    for (const char* key : {"available", "version", "renderer", "path", "reason"})
        EXPECT_TRUE(json.at("opengl").contains(key)) << key;
    for (const char* key : {"built", "available", "reason", "devices"})
        EXPECT_TRUE(json.at("cuda").contains(key)) << key;
    EXPECT_TRUE(json.at("cuda").at("devices").is_array());
    EXPECT_GE(json.at("cpu").at("threads").get<int>(), 1);
}

TEST(Info, NamesTheHeadlessContext)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json"}, {.unset = kNoDisplay});
    const Json gl = Json::parse(run.out).at("opengl");
    EXPECT_TRUE(gl.at("available").get<bool>());
    EXPECT_NE(gl.at("path"), "window");
    EXPECT_NE(gl.at("reason").get<std::string>().find("DISPLAY"), std::string::npos);
}

TEST(Info, SaysWhyThereIsNoOpenGl)
{
    const Finished run =
        runProgram({OROGEN_PROGRAM, "info", "--json"},
                   {.set = {"MESA_GL_VERSION_OVERRIDE=3.3", "__EGL_VENDOR_LIBRARY_FILENAMES="
                                                            "/usr/share/glvnd/egl_vendor.d/50_mesa.json"},
                    .unset = kNoDisplay});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const Json gl = Json::parse(run.out).at("opengl");
    EXPECT_FALSE(gl.at("available").get<bool>());
    EXPECT_NE(gl.at("reason").get<std::string>().find("3.3"), std::string::npos) << gl;
    EXPECT_NE(gl.at("reason").get<std::string>().find("4.5"), std::string::npos) << gl;
}

TEST(Info, WorksWithoutAnyEglDriver)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json"},
                                    {.set = {"__EGL_VENDOR_LIBRARY_FILENAMES=/dev/null"}, .unset = kNoDisplay});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const Json json = Json::parse(run.out);
    EXPECT_FALSE(json.at("opengl").at("available").get<bool>());
    EXPECT_FALSE(json.at("opengl").at("reason").get<std::string>().empty());
    EXPECT_TRUE(json.at("egl").at("devices").empty());
}

TEST(Info, CudaIsAvailableOrHasAReason)
{
    const Json cuda = Json::parse(runProgram({OROGEN_PROGRAM, "info", "--json"}).out).at("cuda");
    if (cuda.at("available").get<bool>())
        EXPECT_FALSE(cuda.at("devices").empty());
    else
        EXPECT_FALSE(cuda.at("reason").get<std::string>().empty());
}

TEST(Info, HiddenCudaDevicesHaveAReason)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json"}, {.set = {"CUDA_VISIBLE_DEVICES=-1"}});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json cuda = Json::parse(run.out).at("cuda");
    EXPECT_FALSE(cuda.at("available").get<bool>());
    EXPECT_FALSE(cuda.at("reason").get<std::string>().empty());
}

TEST(Info, ReadOnlyHomeSaysNothing)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info"},
                                    {.set = {"HOME=/dev/null"}, .unset = {"XDG_CACHE_HOME", "MESA_SHADER_CACHE_DIR"}});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace orogen

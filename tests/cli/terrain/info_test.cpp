#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/xvfb.h"

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

// Loaders print warnings about missing drivers; only the program's own line may appear.
TEST(Info, DriversThatAreMissingSayNothing)
{
    const test::Xvfb server;
    ASSERT_NE(server.display(), "") << "Xvfb did not start; this test needs it (Debian: xvfb)";
    for (const bool display : {false, true})
    {
        SCOPED_TRACE(display);
        RunOptions options = {.set = {"LIBGL_DRIVERS_PATH=/nonexistent"}, .unset = kNoDisplay};
        if (display) options.set.push_back("DISPLAY=" + server.display());
        const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json"}, options);
        EXPECT_EQ(run.code, 0);
        EXPECT_EQ(run.err, "");
        const Json gl = Json::parse(run.out).at("opengl");
        EXPECT_TRUE(gl.at("available").get<bool>() || gl.at("reason").is_string()) << gl;
    }
}

TEST(Info, NamesTheWindowsContextWhereThereIsADisplay)
{
    const test::Xvfb server;
    ASSERT_NE(server.display(), "") << "Xvfb did not start; this test needs it (Debian: xvfb)";
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json"},
                                    {.set = {"DISPLAY=" + server.display()}, .unset = {"WAYLAND_DISPLAY"}});
    EXPECT_EQ(run.err, "");
    EXPECT_EQ(Json::parse(run.out).at("opengl").at("path"), "window");
}

TEST(Info, GoesWithoutAWindowWhereTheDisplayHasNoOpenGl)
{
    const test::Xvfb server(false);
    ASSERT_NE(server.display(), "") << "Xvfb did not start; this test needs it (Debian: xvfb)";
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json"},
                                    {.set = {"DISPLAY=" + server.display()}, .unset = {"WAYLAND_DISPLAY"}});
    EXPECT_EQ(run.err, "");
    const Json gl = Json::parse(run.out).at("opengl");
    EXPECT_TRUE(gl.at("available").get<bool>());
    EXPECT_NE(gl.at("path"), "window");
    EXPECT_NE(gl.at("reason").get<std::string>().find("window"), std::string::npos) << gl;
}

TEST(Info, NamesTheExtensionThat45Lacks)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json"},
                                    {.set = {"MESA_EXTENSION_OVERRIDE=-GL_ARB_shader_draw_parameters",
                                             "__EGL_VENDOR_LIBRARY_FILENAMES="
                                             "/usr/share/glvnd/egl_vendor.d/50_mesa.json"},
                                     .unset = kNoDisplay});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json gl = Json::parse(run.out).at("opengl");
    EXPECT_FALSE(gl.at("available").get<bool>());
    EXPECT_NE(gl.at("reason").get<std::string>().find("GL_ARB_shader_draw_parameters"), std::string::npos) << gl;
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

TEST(InfoOfARaster, JsonHasTheContractsKeys)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json", "synthetic:65:7"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const Json json = Json::parse(run.out);
    EXPECT_EQ(json.at("width"), 65);
    EXPECT_EQ(json.at("height"), 65);
    EXPECT_EQ(json.at("nodata_count"), 0);
    EXPECT_LT(json.at("min").get<double>(), json.at("max").get<double>());
    EXPECT_EQ(json.at("pixel_size").size(), 2u);
    EXPECT_TRUE(json.at("crs").is_null());
    EXPECT_TRUE(json.at("bits").is_number_integer());
    EXPECT_TRUE(json.at("warnings").is_array());
    EXPECT_EQ(json.at("format"), "synthetic");
}

TEST(InfoOfARaster, TextSaysTheSame)
{
    const Json json = Json::parse(runProgram({OROGEN_PROGRAM, "info", "--json", "synthetic:65:7"}).out);
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "synthetic:65:7"});
    EXPECT_EQ(run.code, 0);
    EXPECT_NE(run.out.find("65 x 65 samples"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find(json.at("max").dump() + " m"), std::string::npos) << run.out;
}

TEST(InfoOfARaster, WhatCannotBeReadIsOneLineAndExit5)
{
    for (const std::string file : {"no/such/file.tif", "", "/dev/null", OROGEN_PROGRAM})
    {
        SCOPED_TRACE(file);
        const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json", file});
        EXPECT_EQ(run.code, 5);
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
        EXPECT_NE(run.err.find(file), std::string::npos) << run.err;
    }
}

TEST(InfoOfARaster, ASignalStopsItWithTheSignalsCode)
{
    for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}})
    {
        test::RunningProgram program({OROGEN_PROGRAM, "info", "synthetic:8192:1"}, {});
        EXPECT_TRUE(program.waitUntilHandles(SIGTERM));  // installed after the handler of SIGINT
        program.signal(signal);
        const Finished run = program.finish();
        EXPECT_EQ(run.code, code);
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    }
}

TEST(Info, DescribesTheReliefOfTheEarth)
{
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "earth", "--json"}, {.unset = kNoDisplay});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json json = Json::parse(run.out);
    EXPECT_EQ(json.at("width"), 4320);
    EXPECT_EQ(json.at("height"), 2161);
    EXPECT_EQ(json.at("min"), -10376);
    EXPECT_EQ(json.at("max"), 7833);
    EXPECT_EQ(json.at("extent_degrees"), (Json{-180.0, -90.0, 180.0, 90.0}));
    EXPECT_EQ(json.at("warnings"), Json::array());
}

TEST(Info, SaysWhereAFileLiesOnTheEarthAndWhatItsHeightsAreDrawnAs)
{
    const std::string file = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";
    const Finished run = runProgram({OROGEN_PROGRAM, "info", file, "--json"}, {.unset = kNoDisplay});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json json = Json::parse(run.out), extent = json.at("extent_degrees");
    ASSERT_EQ(extent.size(), 4u);
    for (int i = 0; i < 4; ++i)  // its coordinates are degrees
        EXPECT_NEAR(extent[std::size_t(i)].get<double>(), json.at("extent")[std::size_t(i)].get<double>(), 1e-9);
    EXPECT_EQ(json.at("heights_above"), nullptr);  // the file does not state it
    EXPECT_EQ(json.at("heights_drawn_above"), "geoid");
    const Finished text = runProgram({OROGEN_PROGRAM, "info", file}, {.unset = kNoDisplay});
    EXPECT_NE(text.out.find(", 84.4"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("not stated: heights are read as above the geoid"), std::string::npos) << text.out;
    const Finished made = runProgram({OROGEN_PROGRAM, "info", "synthetic:64:1", "--json"}, {.unset = kNoDisplay});
    EXPECT_EQ(Json::parse(made.out).at("extent_degrees"), nullptr);
    EXPECT_EQ(Json::parse(made.out).at("heights_drawn_above"), nullptr);
}

TEST(Info, LengthsAndDegreesAreAsPeopleWriteThem)
{
    const test::TemporaryFolder folder;
    folder.write("small.asc", "ncols 3\nnrows 3\nxllcorner -118.5\nyllcorner 34\ncellsize 0.25\n"
                              "255 255 255 255 255 255 255 255 255\n");
    folder.write("metres.asc", "ncols 3\nnrows 3\nxllcorner 440720\nyllcorner 3751320\ncellsize 30\n"
                               "1 2 3 4 5 6 7 8 9\n");
    const Finished small = runProgram({OROGEN_PROGRAM, "info", folder / "small.asc"}, {.unset = kNoDisplay});
    EXPECT_NE(small.out.find("extent   34.000000 N to 34.750000 N, 118.500000 W to 117.750000 W\n"), std::string::npos)
        << small.out;
    EXPECT_NE(small.out.find("centre   34.375000 N, 118.125000 W\n"), std::string::npos) << small.out;
    EXPECT_NE(small.out.find("on Earth 34.000000 N to "), std::string::npos) << small.out;
    EXPECT_NE(small.out.find("warning  all heights are 255 m: a plane is drawn\n"), std::string::npos) << small.out;
    EXPECT_NE(small.out.find("degrees or metres: read as degrees"), std::string::npos) << small.out;
    const Finished metres = runProgram({OROGEN_PROGRAM, "info", folder / "metres.asc"}, {.unset = kNoDisplay});
    EXPECT_NE(metres.out.find("size     3 x 3 samples, 60.0 m x 60.0 m\n"), std::string::npos) << metres.out;
    EXPECT_NE(metres.out.find("extent   west 440720.00, south 3751320.00"), std::string::npos) << metres.out;
    EXPECT_EQ(metres.out.find("warning"), std::string::npos) << metres.out;
}

}  // namespace
}  // namespace orogen

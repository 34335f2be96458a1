// orogen on a file of a web server.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/sources/raster_tiles.h"
#include "tests/support/file_server.h"
#include "tests/support/imports.h"
#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"

namespace orogen::test {
namespace {

class RemoteView : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!hasGdal()) GTEST_SKIP() << "built without GDAL";
        server_.emplace(folder_);
        ASSERT_TRUE(server_->running());
        importAll(*rasterTiles(hills(513, 513)), folder_ / "www/hills.tif");
    }
    std::vector<std::string> view(const std::string& script) const
    {
        return {
            OROGEN_PROGRAM, "view",     server_->url("hills.tif"),          "--headless", "--size", "160x90", "--set",
            "cbt.depth=14", "--script", folder_.write("script.txt", script)};
    }
    RunOptions options() const
    {
        return {.set = {"GDAL_HTTP_TIMEOUT=2", "GDAL_HTTP_MAX_RETRY=0", "XDG_CONFIG_HOME=" + (folder_ / "config"),
                        "XDG_CACHE_HOME=" + (folder_ / "cache")},
                .unset = {"DISPLAY", "WAYLAND_DISPLAY"},
                .folder = folder_.path()};
    }
    const TemporaryFolder folder_;
    std::optional<FileServer> server_;
};

using RemoteViewThorough = RemoteView;

TEST_F(RemoteViewThorough, AllThatIsWantedComes)
{
    const Finished run = runProgram(view("wait settled\nexpect tiles_missing == 0\nexpect tile_bytes_read > 0\n"
                                         "expect tiles_resident > 1\nexpect gl_errors == 0\nquit\n"),
                                    options());
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
}

// Only a name that the user typed reaches a network, whatever a file contains.
TEST_F(RemoteViewThorough, NoFileSendsTheProgramToTheServer)
{
    const std::string url = server_->url("hills.tif"), source = "<SourceBand>1</SourceBand>";
    const auto virtualOf = [&](const std::string& name) {
        return "<VRTDataset rasterXSize=\"64\" rasterYSize=\"64\"><VRTRasterBand dataType=\"Int16\" band=\"1\">"
               "<SimpleSource><SourceFilename>" +
               name + "</SourceFilename>" + source + "</SimpleSource></VRTRasterBand></VRTDataset>";
    };
    const std::vector<std::pair<std::string, std::string>> files = {
        {"vsi.vrt", virtualOf("/vsicurl/" + url)},
        {"plain.vrt", virtualOf(url)},
        {"wms.xml", "<GDAL_WMS><Service name=\"TMS\"><ServerUrl>" + url +
                        "</ServerUrl></Service><DataWindow><UpperLeftX>0</UpperLeftX><UpperLeftY>64</UpperLeftY>"
                        "<LowerRightX>64</LowerRightX><LowerRightY>0</LowerRightY><TileLevel>0</TileLevel>"
                        "<SizeX>64</SizeX><SizeY>64</SizeY></DataWindow></GDAL_WMS>"},
        {"by_file.vrt", virtualOf("wms.xml")},
        {"typed.vrt", virtualOf("WMS:" + url + "?SERVICE=WMS&amp;REQUEST=GetMap&amp;LAYERS=a&amp;BBOX=0,0,64,64")},
        {"wms.vrt", virtualOf("<GDAL_WMS><Service name='TMS'><ServerUrl>" + url + "</ServerUrl></Service></GDAL_WMS>")},
    };
    for (const auto& [name, text] : files)
    {
        folder_.write(name, text);
        const Finished run = runProgram({OROGEN_PROGRAM, "info", name}, options());
        EXPECT_EQ(run.code, 5) << name << ": " << run.err;
        EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    }
    EXPECT_EQ(server_->bytesSent(), 0u);
    const Finished typed = runProgram({OROGEN_PROGRAM, "info", url}, options());
    EXPECT_EQ(typed.code, 0) << typed.err;
    EXPECT_GT(server_->bytesSent(), 0u);
}

TEST_F(RemoteView, NamesOfWebServicesAreOpened)
{
    writeBytes(folder_ / "www/map", PngBuilder(64, 64, 8, 0, Bytes(64 * 64, std::byte{25})).build());
    const std::string name = "WMS:" + server_->url("map") +
                             "?SERVICE=WMS&VERSION=1.1.1&REQUEST=GetMap&LAYERS=hills&SRS=EPSG:32611&FORMAT=image/png&"
                             "BBOX=400000,3800000,400640,3800640&TILESIZE=64&OVERVIEWCOUNT=0&MINRESOLUTION=10";
    const Finished run = runProgram({OROGEN_PROGRAM, "info", "--json", name}, options());
    ASSERT_EQ(run.code, 0) << run.err;
    const nlohmann::json json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json.at("format"), "WMS");
    EXPECT_EQ(json.at("width"), 64);
    EXPECT_EQ(json.at("min"), 25.0);
    EXPECT_EQ(json.at("crs"), "EPSG:32611");
    EXPECT_EQ(json.at("tiles").at("remote"), true);
    EXPECT_GT(server_->bytesSent(), 0u);
    for (const std::string& missing : {"WMS:" + server_->url("none") + "?SERVICE=WMS&REQUEST=GetCapabilities",
                                       "WMTS:" + server_->url("none.xml"), std::string("WMTS:http://127.0.0.1:9/a")})
    {
        const Finished refused = runProgram({OROGEN_PROGRAM, "info", missing}, options());
        EXPECT_EQ(refused.code, 5) << missing << ": " << refused.err;
        EXPECT_EQ(lineCount(refused.err), 1) << refused.err;
        EXPECT_NE(refused.err.find(missing), std::string::npos) << refused.err;
    }
}

}  // namespace
}  // namespace orogen::test

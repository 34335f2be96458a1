// orogen on a file of a web server.
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/sources/raster_tiles.h"
#include "tests/support/imports.h"
#include "tests/support/nginx.h"
#include "tests/support/places.h"
#include "tests/support/run_program.h"

namespace orogen::test {
namespace {

class RemoteView : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!builtWithGdal()) GTEST_SKIP() << "built without GDAL";
        if (!Nginx::installed()) GTEST_SKIP() << "nginx is not installed (Debian: nginx-light)";
        server_.emplace(folder_);
        ASSERT_TRUE(server_->running());
        importAll(*rasterTiles(hills(513, 513)), folder_ / "www/hills.tif");
    }
    std::vector<std::string> view(const std::string& script) const
    {
        return {OROGEN_PROGRAM,
                "view",
                "/vsicurl/" + server_->url("hills.tif"),
                "--headless",
                "--size",
                "160x90",
                "--set",
                "cbt.depth=14",
                "--script",
                folder_.write("script.txt", script)};
    }
    RunOptions options() const
    {
        return {.set = {"GDAL_HTTP_TIMEOUT=2", "GDAL_HTTP_MAX_RETRY=0", "XDG_CONFIG_HOME=" + (folder_ / "config"),
                        "XDG_CACHE_HOME=" + (folder_ / "cache")},
                .unset = {"DISPLAY", "WAYLAND_DISPLAY"},
                .folder = folder_.path()};
    }
    const TemporaryFolder folder_;
    std::optional<Nginx> server_;
};

TEST_F(RemoteView, AllThatIsWantedComes)
{
    const Finished run = runProgram(view("wait settled\nexpect tiles_missing == 0\nexpect tile_bytes_read > 0\n"
                                         "expect tiles_resident > 1\nexpect gl_errors == 0\nquit\n"),
                                    options());
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
}

}  // namespace
}  // namespace orogen::test

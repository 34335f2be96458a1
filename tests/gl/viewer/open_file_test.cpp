// Files opened with Ctrl+O in a window: colours by height, and tracks.
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/gl/desktop_support.h"

namespace orogen::app::test {
namespace {

class FilesInAWindow : public OnADesktop
{
protected:
    void tap(const char* name)
    {
        client_->key(name, true);
        client_->key(name, false);
        step();
    }
    void SetUp() override
    {
        before_ = std::filesystem::current_path();
        std::filesystem::current_path(folder_.path());  // where the file browser begins
        OnADesktop::SetUp();
    }
    void TearDown() override
    {
        OnADesktop::TearDown();
        std::filesystem::current_path(before_);
    }
    // Opens the file browser, types a name of small letters, and presses Enter.
    void openByKeys(const std::string& name)
    {
        client_->key("Control_L", true);
        tap("o");
        client_->key("Control_L", false);
        for (int i = 0; i < 3; ++i)
            step();
        for (const char letter : name)
            tap(letter == '.' ? "period" : std::string(1, letter).c_str());
        tap("Return");
        for (int i = 0; i < 4; ++i)
            step();
    }
    std::string written(const std::string& name, const std::string& text)
    {
        const std::filesystem::path file = std::filesystem::path(folder_.path()) / name;
        std::ofstream(file) << text;
        return file.string();
    }
    const Settings::Render& render() const { return viewer_->settings().render; }

    TemporaryFolder folder_;
    std::filesystem::path before_;
};

using FilesInAWindowThorough = FilesInAWindow;

// Each of several ramps replaces the one before, and each is a step of undo.
TEST_F(FilesInAWindowThorough, RampsAreOpenedOneAfterTheOther)
{
    ASSERT_NO_FATAL_FAILURE(open(900, 640));
    client_->focus();
    const std::string first = written("a.cpt", "0 blue 500 green\n500 yellow 3000 white\n");
    const std::string second = written("b.cpt", "0 red 500 black\n500 black 3000 white\n");
    for (const std::string& ramp : {first, second, first})
    {
        openByKeys(std::filesystem::path(ramp).filename());
        EXPECT_EQ(render().ramp, ramp);
        EXPECT_EQ(render().shading, Shading::kHypsometric);
        EXPECT_TRUE(viewer_->renderer().world().picture().cover().ramp());
    }
    const auto undo = [this] {
        client_->key("Control_L", true);
        tap("z");
        client_->key("Control_L", false);
        step();
    };
    undo();
    EXPECT_EQ(render().ramp, second);
    undo();
    EXPECT_EQ(render().ramp, first);
    undo();
    EXPECT_EQ(render().ramp, "");
    EXPECT_EQ(render().shading, Shading::kLit);
}

// Imagery shows in sunlit ground only, so opening a picture turns to it, and undo turns back.
TEST_F(FilesInAWindowThorough, APictureShowsAtOnceWhateverTheShading)
{
    SessionOptions options = small(900, 640);
    options.assignments.emplace_back("render.shading=slope");
    ASSERT_NO_FATAL_FAILURE(open(options));
    client_->focus();
    const std::string picture = (std::filesystem::path(folder_.path()) / "a.png").string();
    ASSERT_TRUE(writePng(picture, {.width = 2, .height = 2, .rgb = std::vector<std::uint8_t>(12, 200)}));
    openByKeys("a.png");
    EXPECT_EQ(render().shading, Shading::kLit);
    client_->key("Control_L", true);
    tap("z");
    client_->key("Control_L", false);
    step();
    EXPECT_EQ(render().shading, Shading::kSlope);
}

}  // namespace
}  // namespace orogen::app::test

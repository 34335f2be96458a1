// The viewer in a window of an X server without a screen, under a window manager.
#pragma once

#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "app/gl/image.h"
#include "app/viewer.h"
#include "tests/gl/support.h"
#include "tests/support/x_client.h"
#include "tests/support/xvfb.h"

namespace orogen::app::test {

class OnADesktop : public testing::Test
{
protected:
    void SetUp() override
    {
        ASSERT_NE(server_.display(), "") << "Xvfb did not start; these tests need it (Debian: xvfb)";
        unsetenv("WAYLAND_DISPLAY");
        setenv("DISPLAY", server_.display().c_str(), 1);
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"})
            setenv(variable, home_.path().c_str(), 1);
        desktop_ = std::make_unique<orogen::test::Openbox>(server_.display(), home_.path());
        client_ = std::make_unique<orogen::test::XClient>(server_.display());
        ASSERT_TRUE(client_->connected());
        ASSERT_TRUE(desktop_->running()) << "openbox did not start; these tests need it (Debian: openbox)";
        client_->awaitWindowManager();
    }
    void TearDown() override
    {
        viewer_.reset();
        client_.reset();
        unsetenv("DISPLAY");
    }

    SessionOptions small(int width, int height)
    {
        SessionOptions options;
        options.dem = "synthetic:256";
        options.width = width;
        options.height = height;
        options.uiScale = 1.0f;
        options.vsync = false;
        options.needsWindow = true;
        options.frames = 3;
        options.assignments = {"cbt.depth=10", "lod.split_pixels=40", "render.msaa=1"};
        return options;
    }
    void open(int width, int height) { open(small(width, height)); }
    void open(const SessionOptions& options)
    {
        Result<std::unique_ptr<Viewer>> made = Viewer::create(options);
        ASSERT_TRUE(made) << made.error().message;
        viewer_ = std::move(*made);
        ASSERT_TRUE(viewer_->run());
        client_->follow(window().handle());
    }
    // Opens or folds sections ("PANEL/SECTION") as if an earlier session had stored that.
    void sections(const std::map<std::string, bool>& open)
    {
        Ui& ui = const_cast<Ui&>(viewer_->ui());
        Remembered kept;
        ui.remember(kept);
        for (const auto& [section, shown] : open)
            kept.folds.insert_or_assign(section, shown);
        ui.recall(kept);
    }
    Window& window() { return *viewer_->context().window(); }
    void step()
    {
        const Status status = viewer_->step();
        ASSERT_TRUE(status) << status.error().message;
    }

    // Steps until the viewer has received the server's window size and drawn a frame at that size.
    void catchUp()
    {
        while (window().framebufferSize() != PixelSize{client_->width(), client_->height()})
            step();
        step();
        step();
    }
    // `step`: by which a byte may differ.  Mesa draws into a window with flipped rows, which rounds otherwise.
    void expectTheServerShowsTheFrame(int step = 0)
    {
        const ShownPicture picture = viewer_->shown();
        const Image drawn = readFramebuffer(picture.framebuffer, picture.size.width, picture.size.height);
        const Image shown = client_->picture();
        ASSERT_EQ(shown.width, drawn.width);
        ASSERT_EQ(shown.height, drawn.height);
        std::size_t different = 0;
        for (std::size_t i = 0; i < drawn.rgb.size(); ++i)
            different += std::abs(int(drawn.rgb[i]) - int(shown.rgb[i])) > step;
        EXPECT_EQ(different, 0u) << "bytes of " << drawn.rgb.size();
    }

    orogen::test::Xvfb server_;
    TemporaryFolder home_;
    std::unique_ptr<orogen::test::Openbox> desktop_;
    std::unique_ptr<orogen::test::XClient> client_;
    std::unique_ptr<Viewer> viewer_;
};

}  // namespace orogen::app::test

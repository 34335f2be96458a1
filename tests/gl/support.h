// What tests of app/gl/ need: a context without a window, and files in a folder of their own.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include <cstdlib>

#include <gtest/gtest.h>
#include <unistd.h>

#include "app/gl/context.h"

namespace orogen::app::test {

// Scripts of tests wait for a machine that does much else.
inline const bool patient = setenv("OROGEN_SETTLE_SECONDS", "900", 1) == 0;

// A headless context for each test; the test fails where there is none.  When it ends, no OpenGL error may be left.
class GlTest : public testing::Test
{
protected:
    void SetUp() override
    {
        ContextOptions options;
        options.headless = true;
        options.debug = true;
        Result<std::unique_ptr<Context>> made = Context::create(options);
        ASSERT_TRUE(made) << made.error().message;
        context_ = std::move(*made);
    }
    void TearDown() override
    {
        if (!context_) return;
        context_->debug().poll();
        EXPECT_EQ(context_->debug().errors(), expectedErrors_) << lastMessages();
    }
    std::string lastMessages() const
    {
        std::string text;
        for (const DebugMessage& message : context_->debug().messages())
            text += message.text + "\n";
        return text;
    }

    std::unique_ptr<Context> context_;
    std::uint64_t expectedErrors_ = 0;
};

// A folder that is removed with what is in it.
class TemporaryFolder
{
public:
    TemporaryFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "orogen-test-XXXXXX").string();
        path_ = mkdtemp(name.data()) ? name : "";
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void write(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text;
    }

private:
    std::filesystem::path path_;
};

}  // namespace orogen::app::test

// Fixtures for tests of app/gl/: a context without a window, and a temporary folder.
#pragma once

#include <memory>
#include <string>

#include <cstdlib>

#include <gtest/gtest.h>

#include "app/gl/context.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app::test {

// Extends the timeout of scripts for busy machines.
inline const bool patient = setenv("OROGEN_SETTLE_SECONDS", "900", 1) == 0;

// A headless context for each test; fails where there is none.  At the end no OpenGL error may be left.
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

using orogen::test::TemporaryFolder;

}  // namespace orogen::app::test

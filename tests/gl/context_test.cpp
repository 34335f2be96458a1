#include "app/gl/context.h"

#include <cstdlib>

#include "tests/gl/support.h"

namespace orogen::app {
namespace {

using ContextTest = test::GlTest;

TEST_F(ContextTest, OffersWhatTheRendererIsBuiltOn)
{
    const ContextInfo& info = context_->info();
    EXPECT_GE(info.major * 10 + info.minor, 45);
    EXPECT_FALSE(info.renderer.empty());
    EXPECT_FALSE(info.version.empty());
    EXPECT_FALSE(info.path.empty());
    EXPECT_EQ(context_->window(), nullptr);
}

// Mesa's override decides which: the run that asks for 4.6 must not silently be the 4.5 one again.
TEST_F(ContextTest, IsTheVersionThatThisRunIsAbout)
{
    const char* wanted = std::getenv("MESA_GL_VERSION_OVERRIDE");
    if (!context_->info().software) return;
    EXPECT_EQ(context_->info().glsl460, wanted && std::string(wanted) == "4.6") << context_->info().version;
}

TEST_F(ContextTest, LimitsAreAtLeastWhatOpenGl45Promises)
{
    const Limits& limits = context_->limits();
    EXPECT_GE(limits.shaderStorageBytes, 1 << 27);
    for (const int count : limits.workGroupCount)
        EXPECT_GE(count, 65535);
    EXPECT_GE(limits.workGroupInvocations, 1024);
    EXPECT_GE(limits.sharedBytes, 32768);
    EXPECT_GE(limits.textureSize, 16384);
    EXPECT_GE(limits.samples, 4);
}

TEST_F(ContextTest, CountsErrors)
{
    expectedErrors_ = 1;
    glEnable(GL_TEXTURE_2D_ARRAY);  // no capability: GL_INVALID_ENUM
    context_->debug().poll();
    EXPECT_EQ(context_->debug().errors(), 1u);
    EXPECT_FALSE(context_->debug().messages().empty());
}

TEST_F(ContextTest, IsNotLost) { EXPECT_EQ(context_->resetStatus(), ResetStatus::kNone); }

TEST_F(ContextTest, ReportsAnInjectedLossOnce)
{
    context_->injectReset(ResetStatus::kGuilty);
    EXPECT_EQ(context_->resetStatus(), ResetStatus::kGuilty);
    EXPECT_EQ(context_->resetStatus(), ResetStatus::kNone);
}

}  // namespace
}  // namespace orogen::app

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

// MESA_GL_VERSION_OVERRIDE selects the version: a run for 4.6 must not silently use 4.5.
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
    glEnable(GL_TEXTURE_2D_ARRAY);  // not a capability: GL_INVALID_ENUM
    context_->debug().poll();
    EXPECT_EQ(context_->debug().errors(), 1u);
    EXPECT_FALSE(context_->debug().messages().empty());
}

// A context without debug output, as captures use it, counts errors too.
TEST(PlainContext, CountsErrorsToo)
{
    Result<std::unique_ptr<Context>> context = Context::create({.headless = true});
    ASSERT_TRUE(context) << context.error().message;
    glEnable(GL_TEXTURE_2D_ARRAY);
    (*context)->debug().poll();
    (*context)->debug().poll();
    EXPECT_EQ((*context)->debug().errors(), 1u);
    const std::vector<DebugMessage> messages = (*context)->debug().messages();
    ASSERT_EQ(messages.size(), 1u);
    // Mesa reports it as a message; poll() reports it for drivers that do not.
    const bool fromPoll = messages[0].text.find("glGetError") != std::string::npos;
    EXPECT_FALSE(fromPoll && (*context)->info().software) << messages[0].text;
}

// Debug output is asynchronous: a message that arrives after poll() has found its error must not count twice.
TEST(PlainContext, CountsAnErrorOnceWhoseMessageComesLate)
{
    Result<std::unique_ptr<Context>> context = Context::create({.headless = true});
    ASSERT_TRUE(context) << context.error().message;
    DebugLog& log = (*context)->debug();
    const auto fail = [&] {
        glDisable(GL_DEBUG_OUTPUT);
        glEnable(GL_TEXTURE_2D_ARRAY);
        glEnable(GL_DEBUG_OUTPUT);
    };
    const auto tell = [](GLenum source) {
        glDebugMessageInsert(source, GL_DEBUG_TYPE_ERROR, 1, GL_DEBUG_SEVERITY_HIGH, -1, "late");
    };
    fail();
    log.poll();
    EXPECT_EQ(log.errors(), 1u);
    tell(GL_DEBUG_SOURCE_APPLICATION);
    log.poll();
    EXPECT_EQ(log.errors(), 1u);
    tell(GL_DEBUG_SOURCE_APPLICATION);  // a message about another error
    log.poll();
    EXPECT_EQ(log.errors(), 2u);
    for (std::uint64_t expected = 3; expected < 6; ++expected)  // errors without any message
    {
        fail();
        log.poll();
        EXPECT_EQ(log.errors(), expected);
    }
}

TEST(GpuChoice, OutOfRangeNamesTheRange)
{
    const std::size_t devices = eglDevices().size();
    const Result<std::unique_ptr<Context>> context = Context::create({.headless = true, .gpu = 1000});
    ASSERT_FALSE(context);
    EXPECT_EQ(context.error().code, devices > 0 ? ExitCode::kUsage : ExitCode::kNoContext);
    const std::string range = "0 to " + std::to_string(int(devices) - 1);
    EXPECT_EQ(context.error().message.find(range) != std::string::npos, devices > 0) << context.error().message;
}

TEST(GpuChoice, EachDeviceThatIsListedWorksOrSaysWhyNot)
{
    for (const EglDevice& device : eglDevices())
    {
        const Result<std::unique_ptr<Context>> context = Context::create({.headless = true, .gpu = device.index});
        if (context)
            EXPECT_EQ((*context)->info().software, device.software);
        else
            EXPECT_EQ(context.error().code, ExitCode::kNoContext);
    }
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

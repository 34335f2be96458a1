#include "app/gl/shader_library.h"

#include <utility>

#include "tests/gl/support.h"

namespace orogen::app {
namespace {

// Programs in a temporary folder that write one number into a buffer.
class ShaderLibraryTest : public test::GlTest
{
protected:
    static std::string writes(const std::string& value)
    {
        return "layout(local_size_x = 1) in;\nlayout(std430, binding = 0) buffer Out { uint result; };\n"
               "void main() { result = " +
               value + "; }\n";
    }
    ShaderLibrary library() { return {folder_.path(), {context_->info().glsl460}}; }
    static unsigned runs(GLuint program)
    {
        const unsigned zero = 0;
        Result<Buffer> buffer = makeBuffer("result", sizeof zero, 0, &zero);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer->id());
        glUseProgram(program);
        glDispatchCompute(1, 1, 1);
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        unsigned result = 0;
        glGetNamedBufferSubData(buffer->id(), 0, sizeof result, &result);
        return result;
    }
    test::TemporaryFolder folder_;
};

TEST_F(ShaderLibraryTest, CompilesIncludesAndDefines)
{
    folder_.write("shaders/lib.glsl", "uint seven() { return 7u; }\n");
    folder_.write("shaders/a.comp", "#include \"shaders/lib.glsl\"\n" + writes("seven() * FACTOR"));
    ShaderLibrary shaders = library();
    const ProgramHandle twice = shaders.add("twice", {"shaders/a.comp"}, {{"FACTOR", "2u"}});
    const ProgramHandle thrice = shaders.add("thrice", {"shaders/a.comp"}, {{"FACTOR", "3u"}});
    EXPECT_EQ(shaders.program(twice), 0u);
    Status status = shaders.finish();
    ASSERT_TRUE(status) << status.error().message;
    EXPECT_EQ(runs(shaders.program(twice)), 14u);
    EXPECT_EQ(runs(shaders.program(thrice)), 21u);
    EXPECT_TRUE(shaders.log().empty());
}

TEST_F(ShaderLibraryTest, AnErrorInAnIncludeNamesItsFileAndLine)
{
    folder_.write("shaders/lib.glsl", "uint seven()\n{\n    return nothing;\n}\n");
    folder_.write("shaders/a.comp", "\n#include \"shaders/lib.glsl\"\n" + writes("seven()"));
    ShaderLibrary shaders = library();
    shaders.add("broken", {"shaders/a.comp"});
    Status status = shaders.finish();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kShader);
    EXPECT_NE(status.error().message.find("\"broken\""), std::string::npos) << status.error().message;
    EXPECT_NE(status.error().message.find("shaders/lib.glsl:3"), std::string::npos) << status.error().message;
    EXPECT_EQ(status.error().message.find('\n'), std::string::npos);
    EXPECT_NE(shaders.log().find("shaders/lib.glsl:3"), std::string::npos) << shaders.log();
}

TEST_F(ShaderLibraryTest, AChoiceChangesTheProgramsThatNameItAndIsKeptForTheNextTime)
{
    folder_.write("shaders/a.comp",
                  "#ifdef OROGEN_X\nconst uint k = 5u;\n#else\nconst uint k = 4u;\n#endif\n" + writes("k"));
    folder_.write("shaders/b.comp", writes("9u"));
    ShaderLibrary shaders = library();
    const ProgramHandle a = shaders.add("a", {"shaders/a.comp"}), b = shaders.add("b", {"shaders/b.comp"});
    ASSERT_TRUE(shaders.finish());
    const GLuint plain = shaders.program(a), other = shaders.program(b);
    const std::uint64_t hash = shaders.sourceHash();
    shaders.choose({{"OROGEN_X", "1"}});
    ASSERT_TRUE(shaders.finish());
    EXPECT_EQ(runs(shaders.program(a)), 5u);
    EXPECT_EQ(shaders.program(b), other);
    EXPECT_NE(shaders.sourceHash(), hash);
    const GLuint chosen = shaders.program(a);
    shaders.choose({});
    EXPECT_EQ(shaders.program(a), plain) << "without finish(): it is there";
    EXPECT_EQ(shaders.sourceHash(), hash);
    shaders.choose({{"OROGEN_X", "1"}});
    EXPECT_EQ(shaders.program(a), chosen);
}

int links = 0;
PFNGLLINKPROGRAMPROC linkProgram = nullptr;

// Compiling takes seconds on some drivers.
TEST_F(ShaderLibraryTest, NothingIsCompiledBeforeItIsAskedForOrTwice)
{
    folder_.write("shaders/a.comp", writes("FACTOR"));
    links = 0;
    linkProgram = std::exchange(glad_glLinkProgram, [](GLuint program) {
        ++links;
        linkProgram(program);
    });
    ShaderLibrary shaders = library();
    shaders.choose({{"FACTOR", "2u"}});
    const ProgramHandle handle = shaders.add("a", {"shaders/a.comp"});
    shaders.choose({{"FACTOR", "3u"}});
    EXPECT_FALSE(shaders.ready());
    EXPECT_EQ(links, 0);
    shaders.begin();
    shaders.begin();
    shaders.restart(handle);
    EXPECT_TRUE(shaders.finish());
    EXPECT_EQ(links, 1);
    EXPECT_TRUE(shaders.ready());
    EXPECT_EQ(runs(shaders.program(handle)), 3u);
    shaders.restart(handle);
    EXPECT_TRUE(shaders.finish());
    EXPECT_EQ(links, 2);
    glad_glLinkProgram = linkProgram;
}

TEST_F(ShaderLibraryTest, AChoiceThatDoesNotCompileGivesWayToTheOneBefore)
{
    folder_.write("shaders/a.comp", "#ifdef OROGEN_X\nnonsense\n#endif\n" + writes("4u"));
    ShaderLibrary shaders = library();
    const ProgramHandle a = shaders.add("a", {"shaders/a.comp"});
    ASSERT_TRUE(shaders.finish());
    shaders.choose({{"OROGEN_X", "1"}});
    EXPECT_FALSE(shaders.finish());
    shaders.choose({});
    EXPECT_TRUE(shaders.finish());
    EXPECT_EQ(runs(shaders.program(a)), 4u);
}

// Tools add their programs again when they are used again after an error.
TEST_F(ShaderLibraryTest, AProgramThatIsAddedAgainIsTheSameAndIsTriedAgain)
{
    folder_.write("shaders/a.comp", writes("nonsense"));
    folder_.write("shaders/b.comp", writes("2u"));
    ShaderLibrary shaders = library();
    const ProgramHandle a = shaders.add("a", {"shaders/a.comp"}), b = shaders.add("b", {"shaders/b.comp"});
    EXPECT_FALSE(shaders.finish());
    const GLuint compiled = shaders.program(b);
    EXPECT_EQ(shaders.add("a", {"shaders/a.comp"}), a);
    EXPECT_FALSE(shaders.finish());
    folder_.write("shaders/a.comp", writes("1u"));
    EXPECT_EQ(shaders.add("a", {"shaders/a.comp"}), a);
    EXPECT_EQ(shaders.add("b", {"shaders/b.comp"}), b);
    ASSERT_TRUE(shaders.finish());
    EXPECT_EQ(runs(shaders.program(a)), 1u);
    EXPECT_EQ(shaders.program(b), compiled) << "not compiled again";
    EXPECT_NE(shaders.add("a", {"shaders/a.comp"}, {{"X", "1"}}), a);
}

TEST_F(ShaderLibraryTest, AMissingFileIsAnError)
{
    ShaderLibrary shaders = library();
    shaders.add("lost", {"shaders/none.comp"});
    Status status = shaders.finish();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kShader);
    EXPECT_NE(status.error().message.find("shaders/none.comp"), std::string::npos);
}

TEST_F(ShaderLibraryTest, StagesThatDoNotFitFailAtLink)
{
    folder_.write("shaders/a.vert", "layout(location = 0) out vec3 colour;\n"
                                    "void main() { colour = vec3(1); gl_Position = vec4(OROGEN_DRAW_ID); }\n");
    folder_.write("shaders/a.frag", "layout(location = 0) flat in ivec2 colour;\nlayout(location = 0) out vec4 o;\n"
                                    "void main() { o = vec4(colour, 0, 1); }\n");
    ShaderLibrary shaders = library();
    const ProgramHandle handle = shaders.add("mismatch", {"shaders/a.vert", "shaders/a.frag"});
    Status status = shaders.finish();
    ASSERT_FALSE(status);
    EXPECT_EQ(shaders.program(handle), 0u);
}

TEST_F(ShaderLibraryTest, ReloadTakesWhatLinksAndKeepsTheRest)
{
    folder_.write("shaders/a.comp", writes("1u"));
    folder_.write("shaders/b.comp", writes("2u"));
    ShaderLibrary shaders = library();
    const ProgramHandle a = shaders.add("a", {"shaders/a.comp"});
    const ProgramHandle b = shaders.add("b", {"shaders/b.comp"});
    ASSERT_TRUE(shaders.finish());
    const std::uint64_t before = shaders.sourceHash();

    folder_.write("shaders/a.comp", writes("syntax error"));
    folder_.write("shaders/b.comp", writes("20u"));
    const ReloadReport broken = shaders.reload();
    EXPECT_EQ(broken.failed, 1);
    EXPECT_EQ(broken.replaced, 1);
    EXPECT_NE(broken.log.find("shaders/a.comp:3"), std::string::npos) << broken.log;
    EXPECT_EQ(runs(shaders.program(a)), 1u);
    EXPECT_EQ(runs(shaders.program(b)), 20u);
    EXPECT_NE(shaders.sourceHash(), before);

    folder_.write("shaders/a.comp", writes("10u"));
    EXPECT_EQ(shaders.reload().failed, 0);
    EXPECT_EQ(runs(shaders.program(a)), 10u);
}

TEST_F(ShaderLibraryTest, ReloadsLeaveNoObjectsBehind)
{
    folder_.write("shaders/a.comp", writes("1u"));
    ShaderLibrary shaders = library();
    shaders.add("a", {"shaders/a.comp"});
    ASSERT_TRUE(shaders.finish());
    const int before = liveGlObjects;
    for (int i = 0; i < 5; ++i)
    {
        folder_.write("shaders/a.comp", writes(i % 2 ? "1u" : "broken"));
        shaders.reload();
    }
    EXPECT_EQ(liveGlObjects, before);
}

TEST_F(ShaderLibraryTest, TheHashDependsOnNothingButTheSources)
{
    folder_.write("shaders/a.comp", writes("1u"));
    const auto hash = [this](const std::string& level) {
        ShaderLibrary shaders = library();
        shaders.add("a", {"shaders/a.comp"}, {{"LEVEL", level}});
        EXPECT_TRUE(shaders.finish());
        return shaders.sourceHash();
    };
    const std::uint64_t first = hash("1");
    EXPECT_EQ(hash("1"), first);
    EXPECT_NE(hash("2"), first);
}

}  // namespace
}  // namespace orogen::app

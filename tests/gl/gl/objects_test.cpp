#include "app/gl/objects.h"

#include <array>
#include <fstream>
#include <unistd.h>
#include <utility>

#include "tests/gl/support.h"

namespace orogen::app {
namespace {

using ObjectsTest = test::GlTest;

TEST_F(ObjectsTest, ABufferHoldsWhatItWasMadeWith)
{
    const std::array<unsigned, 3> data = {1, 2, 3};
    const Result<Buffer> buffer = makeBuffer("three", sizeof data, 0, data.data());
    ASSERT_TRUE(buffer);
    EXPECT_EQ(buffer->bytes(), sizeof data);
    std::array<unsigned, 3> read = {};
    glGetNamedBufferSubData(buffer->id(), 0, sizeof read, read.data());
    EXPECT_EQ(read, data);
}

// Mesa's software rasteriser clears the storage that it allocates.  Memory of the process is paid for as it is used.
TEST_F(ObjectsTest, LargeBuffersOfASoftwareRasteriserTakeMemoryAsTheyAreUsed)
{
    if (!buffersInOwnMemory) GTEST_SKIP() << "the driver allocates its buffers itself";
    const auto resident = [] {
        std::ifstream statm("/proc/self/statm");
        std::uint64_t all = 0, inMemory = 0;
        statm >> all >> inMemory;
        return inMemory * std::uint64_t(sysconf(_SC_PAGESIZE));
    };
    constexpr std::uint64_t kBytes = 256u << 20;
    const std::uint64_t before = resident();
    Result<Buffer> buffer = makeBuffer("leaves", kBytes, GL_DYNAMIC_STORAGE_BIT);
    ASSERT_TRUE(buffer) << buffer.error().message;
    EXPECT_LT(resident(), before + kBytes / 4);

    const std::array<unsigned, 3> data = {1, 2, 3};
    glNamedBufferSubData(buffer->id(), kBytes - sizeof data, sizeof data, data.data());
    std::array<unsigned, 4> read = {9, 9, 9, 9};
    readBuffer(*buffer, kBytes - sizeof read, sizeof read, read.data());
    EXPECT_EQ(read, (std::array<unsigned, 4>{0, 1, 2, 3}));

    // An owner that is replaced gives its memory back after its buffer.
    buffer = makeBuffer("fewer leaves", kBytes / 256);
    ASSERT_TRUE(buffer);
    readBuffer(*buffer, 0, sizeof read, read.data());
    EXPECT_EQ(read, (std::array<unsigned, 4>{}));
    EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
}

// ImGui makes the program that was current before it drew current again.
TEST_F(ObjectsTest, ADeletedProgramIsNoLongerCurrent)
{
    const auto linked = [] {
        const char* const source = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n";
        const Shader shader(glCreateShader(GL_COMPUTE_SHADER));
        glShaderSource(shader.id(), 1, &source, nullptr);
        glCompileShader(shader.id());
        Program program(glCreateProgram());
        glAttachShader(program.id(), shader.id());
        glLinkProgram(program.id());
        return program;
    };
    Program program = linked(), other = linked();
    const auto current = [] {
        GLint name = 0;
        glGetIntegerv(GL_CURRENT_PROGRAM, &name);
        return GLuint(name);
    };
    glUseProgram(program.id());
    other.reset();
    EXPECT_EQ(current(), program.id());
    program.reset();
    EXPECT_EQ(current(), 0u);
}

TEST_F(ObjectsTest, NamesAreDeletedOnceAndMoveWithTheirOwner)
{
    const int before = liveGlObjects;
    GLuint id = 0;
    {
        VertexArray first = makeVertexArray("first");
        id = first.id();
        VertexArray second = std::move(first);
        EXPECT_EQ(first.id(), 0u);
        EXPECT_EQ(second.id(), id);
        second = makeVertexArray("third");
        EXPECT_EQ(glIsVertexArray(id), GL_FALSE);
        id = second.id();
        EXPECT_EQ(glIsVertexArray(id), GL_TRUE);
        EXPECT_EQ(liveGlObjects, before + 1);
    }
    EXPECT_EQ(glIsVertexArray(id), GL_FALSE);
    EXPECT_EQ(liveGlObjects, before);
}

TEST_F(ObjectsTest, LabelsReachTheDriver)
{
    const Result<Buffer> buffer = makeBuffer("heap", 16);
    std::array<char, 16> label = {};
    glGetObjectLabel(GL_BUFFER, buffer->id(), GLsizei(label.size()), nullptr, label.data());
    EXPECT_STREQ(label.data(), "heap");
}

TEST_F(ObjectsTest, TexturesHaveTheStorageThatWasAskedFor)
{
    const auto integer = [](const Texture& texture, int level, GLenum name) {
        GLint value = 0;
        glGetTextureLevelParameteriv(texture.id(), level, name, &value);
        return value;
    };
    const Result<Texture> flat = makeTexture("flat", {.format = GL_R16, .width = 40, .height = 20, .levels = 3});
    ASSERT_TRUE(flat);
    EXPECT_EQ(integer(*flat, 2, GL_TEXTURE_WIDTH), 10);
    EXPECT_EQ(integer(*flat, 0, GL_TEXTURE_INTERNAL_FORMAT), GL_R16);
    const Result<Texture> layers =
        makeTexture("layers", {.target = GL_TEXTURE_2D_ARRAY, .format = GL_RG32F, .width = 8, .height = 8, .depth = 5});
    ASSERT_TRUE(layers);
    EXPECT_EQ(integer(*layers, 0, GL_TEXTURE_DEPTH), 5);
    const Result<Texture> samples = makeTexture("samples", {.format = GL_RGBA8, .width = 8, .height = 8, .samples = 4});
    ASSERT_TRUE(samples);
    EXPECT_EQ(integer(*samples, 0, GL_TEXTURE_SAMPLES), 4);
}

TEST_F(ObjectsTest, TexturesTellTheirBytes)
{
    const std::pair<GLenum, std::uint64_t> formats[] = {
        {GL_R8, 1}, {GL_RG8, 2}, {GL_RGBA8, 4}, {GL_DEPTH32F_STENCIL8, 8}, {GL_RGB32F, 12}, {GL_RGBA32F, 16}};
    for (const auto& [format, bytes] : formats)
    {
        const Result<Texture> texture = makeTexture("texels", {.format = format, .width = 8, .height = 4});
        ASSERT_TRUE(texture) << texture.error().message;
        EXPECT_EQ(texture->bytes(), 8 * 4 * bytes) << format;
    }
}

TEST_F(ObjectsTest, AMappedBufferIsSeenByTheGpuWithoutFurtherCalls)
{
    Result<MappedBuffer> mapped = makeMappedBuffer("mapped", 4, GL_MAP_WRITE_BIT);
    ASSERT_TRUE(mapped);
    *reinterpret_cast<unsigned*>(mapped->data) = 42;
    const Result<Buffer> copy = makeBuffer("copy", 4);
    glCopyNamedBufferSubData(mapped->buffer.id(), copy->id(), 0, 0, 4);
    unsigned read = 0;
    glGetNamedBufferSubData(copy->id(), 0, 4, &read);
    EXPECT_EQ(read, 42u);
}

// Requests too much memory from the driver, instead of using the test hook.
TEST_F(ObjectsTest, MoreMemoryThanThereIsIsALimit)
{
    const int before = liveGlObjects;
    const Result<Buffer> buffer = makeBuffer("enormous", std::uint64_t(1) << 46);
    if (buffer) GTEST_SKIP() << "this driver allocates memory when it is used";
    EXPECT_EQ(buffer.error().code, ExitCode::kLimit);
    EXPECT_NE(buffer.error().message.find("enormous"), std::string::npos) << buffer.error().message;
    EXPECT_EQ(liveGlObjects, before);
    expectedErrors_ = context_->debug().errors();  // the driver logs it too
}

TEST_F(ObjectsTest, ATextureLargerThanTheDriverAllowsIsALimit)
{
    const int side = context_->limits().textureSize * 2;
    const Result<Texture> texture = makeTexture("wide", {.format = GL_R8, .width = side, .height = 1});
    ASSERT_FALSE(texture);
    EXPECT_EQ(texture.error().code, ExitCode::kLimit);
    expectedErrors_ = context_->debug().errors();
}

TEST_F(ObjectsTest, EveryAllocationCanBeMadeToFail)
{
    const auto allocateAll = []() -> Status {
        Result<Buffer> a = makeBuffer("a", 64);
        if (!a) return a.error();
        Result<Texture> b = makeTexture("b", {.width = 4, .height = 4});
        if (!b) return b.error();
        Result<MappedBuffer> c = makeMappedBuffer("c", 64, GL_MAP_READ_BIT);
        if (!c) return c.error();
        return Status::ok();
    };
    const int before = liveGlObjects;
    for (int k = 1; k <= 4; ++k)
    {
        allocationFaults() = {0, k};
        const Status status = allocateAll();
        EXPECT_EQ(bool(status), k == 4) << k;
        if (!status)
        {
            const std::string label(1, char('a' + k - 1));
            EXPECT_NE(status.error().message.find(" " + label + " needs"), std::string::npos) << status.error().message;
        }
        EXPECT_EQ(liveGlObjects, before);
    }
    allocationFaults() = {};
}

TEST_F(ObjectsTest, AFenceIsPassedOnceTheGpuIsThere)
{
    const Sync sync = Sync::fence();
    EXPECT_TRUE(sync.passed(10'000'000'000ull));
    EXPECT_TRUE(sync.passed());
}

}  // namespace
}  // namespace orogen::app

#include "app/gl/objects.h"

#include <cstring>

#include "app/gl/shader_library.h"
#include "tests/gl/support.h"
#include "tests/support/buffer_hazards.h"

namespace orogen::app {
namespace {

class ReadbackTest : public test::GlTest
{
protected:
    static std::uint32_t number(const Readback& readback, std::size_t index)
    {
        std::uint32_t value = 0;
        std::memcpy(&value, readback.data.data() + 4 * index, sizeof value);
        return value;
    }
};

// A shader counts up; every frame's count arrives in order with its frame.
TEST_F(ReadbackTest, DeliversWhatTheShaderHadWrittenThen)
{
    test::TemporaryFolder folder;
    folder.write("shaders/count.comp", "layout(local_size_x = 1) in;\n"
                                       "layout(std430, binding = 0) buffer C { uint pad[8]; uint n, m; };\n"
                                       "void main() { n += 3u; m = ~n; }\n");
    ShaderLibrary shaders(folder.path(), {context_->info().glsl460});
    const ProgramHandle program = shaders.add("count", {"shaders/count.comp"});
    ASSERT_TRUE(shaders.finish());
    const std::uint32_t zeros[10] = {};
    const Result<Buffer> counters = makeBuffer("counters", sizeof zeros, 0, zeros);
    Result<ReadbackRing> ring = ReadbackRing::create("read-back", 8, 3);
    ASSERT_TRUE(ring);

    const orogen::test::BufferHazards hazards;
    std::uint64_t expected = 1;
    const auto check = [&](const Readback& readback) {
        EXPECT_EQ(readback.frame, expected);
        EXPECT_EQ(number(readback, 0), 3 * expected);
        EXPECT_EQ(number(readback, 1), ~std::uint32_t(3 * expected));
        ++expected;
    };
    for (std::uint64_t frame = 1; frame <= 50; ++frame)
    {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, counters->id());
        glUseProgram(shaders.program(program));
        glDispatchCompute(1, 1, 1);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);  // the next frame continues from this count
        if (ring->inFlight() == 3)
            if (const auto readback = ring->poll(5'000'000'000ull)) check(*readback);
        ASSERT_TRUE(ring->enqueue(counters->id(), 32, frame));
        while (const auto readback = ring->poll())
            check(*readback);
    }
    while (const auto readback = ring->poll(5'000'000'000ull))
        check(*readback);
    EXPECT_EQ(expected, 51u);
    EXPECT_EQ(ring->inFlight(), 0);
    EXPECT_EQ(ring->dropped(), 0u);
    EXPECT_EQ(hazards.text(), "") << "the count itself is a race";
}

TEST_F(ReadbackTest, AFullRingRefusesAndCounts)
{
    const std::uint32_t data[1] = {7};
    const Result<Buffer> source = makeBuffer("source", sizeof data, 0, data);
    Result<ReadbackRing> ring = ReadbackRing::create("read-back", 4, 2);
    EXPECT_TRUE(ring->enqueue(source->id(), 0, 1));
    EXPECT_TRUE(ring->enqueue(source->id(), 0, 2));
    EXPECT_FALSE(ring->enqueue(source->id(), 0, 3));
    EXPECT_EQ(ring->dropped(), 1u);
    EXPECT_EQ(ring->poll(5'000'000'000ull)->frame, 1u);
    EXPECT_EQ(ring->poll(5'000'000'000ull)->frame, 2u);
    EXPECT_FALSE(ring->poll(5'000'000'000ull));
}

TEST_F(ReadbackTest, LeavesNoFencesBehind)
{
    const int before = liveGlFences;
    {
        const Result<Buffer> source = makeBuffer("source", 4);
        Result<ReadbackRing> ring = ReadbackRing::create("read-back", 4);
        for (std::uint64_t frame = 0; frame < 20; ++frame)
        {
            ring->enqueue(source->id(), 0, frame);
            ring->poll();
        }
    }
    EXPECT_EQ(liveGlFences, before);
}

}  // namespace
}  // namespace orogen::app

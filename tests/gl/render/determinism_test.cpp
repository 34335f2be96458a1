// A flight gives equal trees and pictures for any number of threads of the software rasteriser.
#include <iostream>

#include <fmt/format.h>

#include "tests/gl/renderer_support.h"
#include "tests/support/run_program.h"
#include "tests/support/test_scale.h"

namespace orogen::app::test {
namespace {

using orogen::test::scaled;

class RendererDeterminism : public RendererTest
{
protected:
    // Hashes every fifth tree and picture of a flight.  Uses some hundred workgroups a pass: with few, threads take
    // them in order, which hides dependencies on the order.
    std::string hashes(double from)
    {
        const TestTerrain terrain = hills(97, 65, 30, 30);
        Settings settings = smallSettings();
        settings.cbt = {.depth = 20, .leafCapacity = 16'000};
        settings.patch.level = 0;
        settings.lod.splitPixels = 3.0f;
        settings.lod.mergePixels = 1.3f;
        start(terrain, settings, 128, 72);
        std::string text;
        std::uint32_t refused = 0, most = 0;
        for (int i = 0; i < 40; ++i)
        {
            Camera camera = flight(terrain, from + 0.0015 * i);
            camera.pitch = -50;
            const WorkCounters work = frame(camera).work;
            refused += work.refused;
            most = std::max(most, work.leaves);
            if (i % 5 != 4) continue;
            const std::vector<std::uint32_t> heap = tree().readHeap();
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(heap.data());
            text += fmt::format("{:016x}", hashOf({bytes, heap.size() * sizeof heap[0]}));
            text += fmt::format(" {:016x} ", hashOf(picture().rgb));
        }
        EXPECT_GT(most, 8'000u);
        EXPECT_GT(refused, 0u);  // the choice of refused splits must not depend on threads either
        return text;
    }
};

// Checks little on its own; the next test runs it and compares the output.
TEST_F(RendererDeterminism, AFlight)
{
    for (int path = 0; path < scaled(1, 5); ++path)
        std::cout << "hashes: " << hashes(0.2 * path) << "\n";
}

TEST(RendererThreadsThorough, AnyNumberGivesTheSameTreesAndPictures)
{
    const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
    const auto run = [&](const char* threads) {
        const orogen::test::Finished finished = orogen::test::runProgram(
            {self, "--gtest_filter=RendererDeterminism.AFlight"}, {.set = {std::string("LP_NUM_THREADS=") + threads}});
        EXPECT_EQ(finished.code, 0) << finished.out << finished.err;
        std::string lines;
        for (std::size_t at = 0; (at = finished.out.find("hashes: ", at)) != std::string::npos; ++at)
            lines += finished.out.substr(at, finished.out.find('\n', at) + 1 - at);
        return lines;
    };
    // Four threads on fewer cores are interrupted anywhere: two of three such runs reveal dependencies on the order.
    const std::string one = run("1");
    EXPECT_GT(one.size(), 250u);
    for (const char* threads : {"0", "2", "4", "4", "4"})
        EXPECT_EQ(run(threads), one) << threads << " threads";
}

}  // namespace
}  // namespace orogen::app::test

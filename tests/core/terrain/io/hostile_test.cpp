// Truncated and altered files: no crash, bounded memory, no output, and one line with the reason.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/load_raster.h"
#include "tests/support/heightmap_seeds.h"
#include "tests/support/raster_files.h"
#include "tests/support/zip_files.h"

namespace orogen {
namespace {

using test::Bytes;
using test::HeightmapSeed;
using test::heightmapSeeds;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsMemory = false;  // a sanitizer's shadow memory exceeds any limit
#else
constexpr bool kLimitsMemory = true;
#endif

// Returns what is wrong with the outcome of reading a file, or an empty string.
std::string complaint(const std::string& name, const Result<Raster>& raster)
{
    if (!raster)
    {
        const Error& error = raster.error();
        if (error.code != ExitCode::kInput)
            return "exit code " + std::to_string(int(error.code)) + ": " + error.message;
        if (!error.message.starts_with(name + ": ")) return "no file name: " + error.message;
        if (error.message.find('\n') != std::string::npos) return "more than a line: " + error.message;
        return {};
    }
    if (raster->heights.size() != std::size_t(raster->width) * std::size_t(raster->height)) return "samples missing";
    if (raster->width < 2 || raster->height < 2) return "too small";
    if (!(raster->pixelWidth >= 1e-3 && raster->pixelHeight >= 1e-3)) return "pixel size";
    for (const float height : raster->heights)
        if (std::isinf(height)) return "an infinite height";
    if (!(raster->minHeight <= raster->maxHeight)) return "extremes";
    for (const std::string& warning : raster->warnings)
        if (warning.find('\n') != std::string::npos) return "a warning of two lines";
    return {};
}

std::string complaint(const std::string& name, const Bytes& bytes)
{
    return complaint(name, test::readBytes(name, bytes));
}

std::uint64_t bytesMapped()
{
    std::ifstream file("/proc/self/statm");
    std::uint64_t pages = 0;
    file >> pages;
    return pages * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

// Runs `work` in a child process limited to 256 MiB more memory, with standard error in a file. A reader that needs
// more ends with kLimit, which complaint() rejects.
void runHungry(const std::function<std::string()>& work)
{
    const test::TemporaryFolder folder;
    const std::string printed = folder / "stderr", said = folder / "said";
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
    {
        const int file = ::open(printed.c_str(), O_WRONLY | O_CREAT, 0600);
        ::dup2(file, STDERR_FILENO);
        const rlim_t most = bytesMapped() + (256u << 20);
        const rlimit limit{most, most};
        if (kLimitsMemory) ::setrlimit(RLIMIT_AS, &limit);
        const std::string wrong = work();
        std::ofstream(said) << wrong;
        ::_exit(wrong.empty() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    std::ifstream saidFile(said), printedFile(printed);
    const std::string wrong{std::istreambuf_iterator<char>(saidFile), {}};
    const std::string text{std::istreambuf_iterator<char>(printedFile), {}};
    EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status) << "; " << text;
    EXPECT_EQ(wrong, "");
    EXPECT_EQ(text, "");
}

TEST(HostileRasters, SeedsThemselvesAreReadOrRefused)
{
    int readable = 0;
    for (const HeightmapSeed& seed : heightmapSeeds())
    {
        SCOPED_TRACE(seed.name);
        EXPECT_LE(seed.bytes.size(), 4096u);
        const Result<Raster> raster = test::readBytes(seed.name, seed.bytes);
        const bool refused =
            seed.name == "palette.png" || seed.name.starts_with("N34W119.hgt") || seed.name == "nothing.txt";
        EXPECT_EQ(bool(raster), !refused) << (raster ? "" : raster.error().message);
        readable += bool(raster);
    }
    EXPECT_GE(readable, 14);
}

TEST(HostileRasters, EveryPrefixOfEverySeed)
{
    for (const HeightmapSeed& seed : heightmapSeeds())
    {
        SCOPED_TRACE(seed.name);
        runHungry([&]() -> std::string {
            for (std::size_t length = 0; length < seed.bytes.size(); ++length)
            {
                const Bytes prefix(seed.bytes.begin(), seed.bytes.begin() + std::ptrdiff_t(length));
                const std::string wrong = complaint(seed.name, prefix);
                if (!wrong.empty()) return "length " + std::to_string(length) + ": " + wrong;
            }
            return {};
        });
    }
}

TEST(HostileRasters, EveryByteSetToEveryExtreme)
{
    for (const HeightmapSeed& seed : heightmapSeeds())
    {
        SCOPED_TRACE(seed.name);
        runHungry([&]() -> std::string {
            Bytes bytes = seed.bytes;
            for (std::size_t at = 0; at < bytes.size(); ++at)
                for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff})
                {
                    const std::byte before = std::exchange(bytes[at], std::byte(value));
                    const std::string wrong = complaint(seed.name, bytes);
                    bytes[at] = before;
                    if (!wrong.empty())
                        return "byte " + std::to_string(at) + " = " + std::to_string(value) + ": " + wrong;
                }
            return {};
        });
    }
}

// GDAL reads archives by their names, and remembers them, so that each alteration is a file of its own.
TEST(HostileRasters, EveryPrefixAndAlteredByteOfAnArchive)
{
    const Bytes whole = test::ZipBuilder().stored("a.txt", Bytes(5)).zeros("N34W119.hgt", 300).build("a comment");
    const test::TemporaryFolder folder;
    int files = 0;
    const auto outcome = [&](const Bytes& bytes) {
        const std::string name = folder / (std::to_string(++files) + ".hgt.zip");
        test::writeBytes(name, bytes);
        const Result<Raster> raster = loadRaster(name);
        std::filesystem::remove(name);
        return raster ? "it was read" : complaint(name, raster);
    };
    runHungry([&]() -> std::string {
        for (std::size_t length = 0; length < whole.size(); ++length)
            if (const std::string wrong = outcome({whole.begin(), whole.begin() + std::ptrdiff_t(length)});
                !wrong.empty())
                return "length " + std::to_string(length) + ": " + wrong;
        Bytes bytes = whole;
        for (std::size_t at = 0; at < bytes.size(); ++at)
            for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff})
            {
                const std::byte before = std::exchange(bytes[at], std::byte(value));
                const std::string wrong = outcome(bytes);
                bytes[at] = before;
                if (!wrong.empty()) return "byte " + std::to_string(at) + " = " + std::to_string(value) + ": " + wrong;
            }
        return {};
    });
}

// Missing samples of a truncated file must not be invented.
TEST(HostileRasters, TruncatedSamplesAreErrors)
{
    for (const std::string name :
         {"little.tif", "big.tif", "bigtiff.tif", "float.tif", "degrees.tif", "grey16.png", "seed_5x4.raw", "grid.asc"})
    {
        SCOPED_TRACE(name);
        for (const HeightmapSeed& seed : heightmapSeeds())
            if (seed.name == name)
            {
                // Cuts into the data before the PNG's last chunk and checksum, or into the grid's last word.
                const std::size_t cut = name == "grey16.png" ? 20 : name == "grid.asc" ? 6 : 1;
                EXPECT_FALSE(test::readBytes(name, Bytes(seed.bytes.begin(), seed.bytes.end() - std::ptrdiff_t(cut))));
            }
    }
}

// Sparse files take no space on disk: the memory that they claim is not touched before it is read.
TEST(HostileRasters, LargeClaimsOfSparseFilesTakeNoMemory)
{
    if (!kLimitsMemory) GTEST_SKIP() << "a sanitizer touches shadow memory for all that is claimed";
    const test::TemporaryFolder folder;
    folder.write("a.asc", "ncols 65536\nnrows 65536\ncellsize 30\n1 2 3");
    test::writeBytes(folder / "a.png", test::PngBuilder(2, 2, 16, 0, test::Bytes(8)).claim(65'536, 65'536).build());
    test::writeBytes(folder / "a.tif", test::TiffBuilder(2, 2, 16, 1)
                                           .longs(256, {65'536})
                                           .longs(257, {65'536})
                                           .longs(278, {65'536})
                                           .shorts(259, {8})
                                           .strip(test::Bytes(6))
                                           .build());
    const auto peak = [] {
        rusage used = {};
        getrusage(RUSAGE_SELF, &used);
        return used.ru_maxrss;  // KiB
    };
    for (const char* name : {"a.asc", "a.png", "a.tif"})
    {
        std::filesystem::resize_file(folder / name, std::uint64_t(9) << 30);
        const long before = peak();
        const Result<Raster> raster = loadRaster(folder / name);
        EXPECT_FALSE(raster) << name;
        EXPECT_LT(peak() - before, 256 << 10) << name;
    }
}

TEST(HostileRasters, MemoryThatThereIsNotIsALimit)
{
    Raster raster;
    raster.name = "a.tif";
    const Status status = allocateHeights(raster, 4, 4, std::uint64_t(1) << 62);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kLimit);
    EXPECT_TRUE(status.error().message.starts_with("a.tif: needs 4 EiB of memory, and ")) << status.error().message;
}

TEST(HostileRasters, ARasterThatDoesNotFitIsALimitAndNoCrash)
{
    if (!kLimitsMemory) GTEST_SKIP() << "no memory limits under a sanitizer";
    const test::TemporaryFolder folder;
    const std::string path = folder / "large_20000x20000.raw";
    {
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
        ASSERT_EQ(::ftruncate(file, std::int64_t(20000) * 20000 * 2), 0);  // sparse: takes no space on disk
        ::close(file);
    }
    runHungry([&]() -> std::string {
        const Result<Raster> raster = loadRaster(path);
        if (raster) return "it was read";
        if (raster.error().code != ExitCode::kLimit) return raster.error().message;
        return {};
    });
}

}  // namespace
}  // namespace orogen

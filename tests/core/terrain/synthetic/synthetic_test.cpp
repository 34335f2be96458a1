// "synthetic:SIZE[:SEED]" and its cache folder.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "core/terrain/io/load_raster.h"
#include "core/terrain/synthetic/synthetic.h"
#include "tests/support/raster_files.h"

namespace orogen {
namespace {

using test::Bytes;
using test::TemporaryFolder;

Bytes bytesOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    Bytes bytes;
    for (char c; file.get(c);)
        bytes.push_back(std::byte(c));
    return bytes;
}

// Separate cache folder during the lifetime of the object.
class CacheFolder
{
public:
    explicit CacheFolder(const std::string& path)
    {
        if (const char* now = std::getenv("XDG_CACHE_HOME")) before_ = now;
        ::setenv("XDG_CACHE_HOME", path.c_str(), 1);
    }
    ~CacheFolder()
    {
        if (before_)
            ::setenv("XDG_CACHE_HOME", before_->c_str(), 1);
        else
            ::unsetenv("XDG_CACHE_HOME");
    }

private:
    std::optional<std::string> before_;
};

TEST(SyntheticName, IsSizeAndSeed)
{
    const auto parsed = [](const std::string& dem) {
        const Result<SyntheticName> name = parseSyntheticName(dem);
        EXPECT_TRUE(name) << dem;
        return name ? std::pair(name->size, name->seed) : std::pair(0, 0u);
    };
    EXPECT_EQ(parsed("synthetic:2"), std::pair(2, kDefaultSyntheticSeed));
    EXPECT_EQ(parsed("synthetic:4096:7"), std::pair(4096, 7u));
    EXPECT_EQ(parsed("synthetic:262144:4294967295"), std::pair(262144, 4294967295u));
    EXPECT_EQ(parsed("synthetic:64:0"), std::pair(64, 0u));
}

TEST(SyntheticName, WrongOnesAreUsageErrorsWithTheRange)
{
    for (const std::string dem :
         {"synthetic", "synthetic:", "synthetic:1", "synthetic:262145", "synthetic:-5", "synthetic:12x",
          "synthetic:64:", "synthetic:64:-1", "synthetic:64:4294967296", "synthetic:64:7:8", "synthetic: 64",
          "synthetic:0x40", "synthetic:99999999999999999999"})
    {
        SCOPED_TRACE(dem);
        const Result<Raster> raster = loadRaster(dem);
        ASSERT_FALSE(raster);
        EXPECT_EQ(raster.error().code, ExitCode::kUsage);
        EXPECT_NE(raster.error().message.find("2 to 262144"), std::string::npos) << raster.error().message;
    }
}

TEST(Synthetic, IsNoImageAboveTheLargestLandscape)
{
    const Result<Raster> raster = loadRaster("synthetic:16385");
    ASSERT_FALSE(raster);
    EXPECT_EQ(raster.error().code, ExitCode::kUsage);
    EXPECT_NE(raster.error().message.find("more than 16384"), std::string::npos) << raster.error().message;
}

TEST(Synthetic, IsLabelledAndHasItsExtent)
{
    const TemporaryFolder folder;
    const CacheFolder cache(folder.path());
    const Result<Raster> raster = loadRaster("synthetic:100:3");
    ASSERT_TRUE(raster) << raster.error().message;
    EXPECT_TRUE(raster->synthetic);
    EXPECT_EQ(raster->format, "synthetic");
    EXPECT_EQ(raster->name, "synthetic:100:3");
    EXPECT_EQ(raster->width, 100);
    EXPECT_EQ(raster->height, 100);
    EXPECT_DOUBLE_EQ(raster->pixelWidth, 409.6);
    EXPECT_EQ(raster->voids, 0u);
    EXPECT_TRUE(raster->warnings.empty());
}

TEST(SyntheticCacheThorough, SecondLoadIsTheSameAndComesFromTheFile)
{
    const TemporaryFolder folder;
    const CacheFolder cache(folder.path());
    const Result<Raster> first = loadRaster("synthetic:40:9");
    ASSERT_TRUE(first);
    const std::string path = syntheticCachePath({40, 9});
    EXPECT_TRUE(path.starts_with(folder.path() + "/orogen/")) << path;
    ASSERT_TRUE(std::filesystem::exists(path));
    int steps = 0;
    const Result<Raster> second =
        loadRaster("synthetic:40:9", [&](double, const std::string&) { return ++steps, true; });
    ASSERT_TRUE(second);
    EXPECT_EQ(second->heights, first->heights);
    EXPECT_EQ(steps, 0) << "it was made again";
    // No temporary file remains.
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "orogen"), {}), 1);
}

TEST(SyntheticCacheThorough, DamagedFilesAreMadeAnew)
{
    const TemporaryFolder folder;
    const CacheFolder cache(folder.path());
    const Result<Raster> good = loadRaster("synthetic:20:4");
    ASSERT_TRUE(good);
    const std::string path = syntheticCachePath({20, 4});
    const Bytes whole = bytesOf(path);
    std::vector<Bytes> damaged;
    damaged.push_back({});
    damaged.push_back(Bytes(whole.begin(), whole.end() - 1));
    // The magic number, the version, the seed, and a sample.
    for (const std::size_t at : {0u, 8u, 16u, 40u})
    {
        damaged.push_back(whole);
        damaged.back()[at] ^= std::byte{0x10};
    }
    for (std::size_t i = 0; i < damaged.size(); ++i)
    {
        SCOPED_TRACE(i);
        test::writeBytes(path, damaged[i]);
        const Result<Raster> raster = loadRaster("synthetic:20:4");
        ASSERT_TRUE(raster) << raster.error().message;
        ASSERT_EQ(raster->heights, good->heights);
        ASSERT_EQ(bytesOf(path), whole) << "not written anew";
    }
}

TEST(SyntheticCacheThorough, FoldersThatCannotBeUsedAreNoError)
{
    const TemporaryFolder folder;
    test::writeBytes(folder / "file", Bytes(1));
    const CacheFolder cache(folder / "file");
    EXPECT_TRUE(loadRaster("synthetic:8:2"));
}

TEST(SyntheticCacheThorough, FollowsTheXdgRules)
{
    const CacheFolder absolute("/somewhere");
    EXPECT_TRUE(syntheticCachePath({8, 1}).starts_with("/somewhere/orogen/"));
    const CacheFolder relative("some/where");
    const char* home = std::getenv("HOME");
    const std::string before = home ? home : "";
    ::setenv("HOME", "/home/somebody", 1);
    EXPECT_TRUE(syntheticCachePath({8, 1}).starts_with("/home/somebody/.cache/orogen/"));
    ::unsetenv("HOME");
    EXPECT_EQ(syntheticCachePath({8, 1}), "");
    if (home) ::setenv("HOME", before.c_str(), 1);
}

TEST(Synthetic, StopsWhenToldAndKeepsNothing)
{
    const TemporaryFolder folder;
    const CacheFolder cache(folder.path());
    const Result<Raster> raster = loadRaster("synthetic:64:8", [](double, const std::string&) { return false; });
    ASSERT_FALSE(raster);
    EXPECT_EQ(raster.error().code, ExitCode::kInterrupted);
    EXPECT_FALSE(std::filesystem::exists(syntheticCachePath({64, 8})));
}

}  // namespace
}  // namespace orogen

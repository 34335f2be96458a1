// Imports: content of the file, its bounds, and independence of shards and kills.
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <tiffio.h>

#include "core/terrain/import/block_store.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/sources/geotiff_tiles.h"
#include "core/terrain/sources/open_source.h"
#include "core/terrain/sources/raster_tiles.h"
#include "tests/support/imports.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

// Directory of a file as decoded by libtiff, with samples as floats.
struct Level
{
    int width = 0, height = 0;
    std::vector<float> samples;
    float at(int column, int row) const { return samples[std::size_t(row) * std::size_t(width) + std::size_t(column)]; }
};

std::vector<Level> levelsOf(const std::string& path)
{
    std::vector<Level> levels;
    TIFFSetWarningHandler(nullptr);  // suppresses warnings on private tags
    TIFF* tiff = TIFFOpen(path.c_str(), "rm");
    EXPECT_NE(tiff, nullptr);
    if (!tiff) return levels;
    do
    {
        std::uint32_t width = 0, height = 0;
        std::uint16_t bits = 0;
        TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
        TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
        TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
        Level level{int(width), int(height), std::vector<float>(std::size_t(width) * height, kVoid)};
        std::vector<std::byte> block(std::size_t(TIFFTileSize(tiff)));
        for (std::uint32_t y = 0; y < height; y += kBlockSide)
            for (std::uint32_t x = 0; x < width; x += kBlockSide)
            {
                const std::uint32_t index = TIFFComputeTile(tiff, x, y, 0, 0);
                if (TIFFGetStrileByteCount(tiff, index) == 0) continue;
                EXPECT_EQ(TIFFReadEncodedTile(tiff, index, block.data(), tmsize_t(block.size())),
                          tmsize_t(block.size()));
                for (std::uint32_t r = 0; r < std::min<std::uint32_t>(kBlockSide, height - y); ++r)
                    for (std::uint32_t c = 0; c < std::min<std::uint32_t>(kBlockSide, width - x); ++c)
                    {
                        const std::size_t i = r * kBlockSide + c;
                        float sample = 0;
                        if (bits == 16)
                            sample = float(reinterpret_cast<const std::int16_t*>(block.data())[i]);
                        else
                            sample = reinterpret_cast<const float*>(block.data())[i];
                        level.samples[std::size_t(y + r) * width + x + c] =
                            bits == 16 && sample == -32768 ? kVoid : sample;
                    }
            }
        levels.push_back(std::move(level));
    } while (TIFFReadDirectory(tiff));
    TIFFClose(tiff);
    return levels;
}

bool same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

TEST(Import, EveryLevelHasTheSourcesSamplesAtTheLattice)
{
    const TemporaryFolder folder;
    for (const auto& [width, height] : {std::pair{2, 2}, {257, 130}, {1024, 513}, {600, 1100}})
        for (const auto compression : {ImportCompression::kDeflate, ImportCompression::kNone})
        {
            const Raster raster = test::hills(width, height, 50);
            const TileGrid grid(width, height);
            const bool big = compression == ImportCompression::kNone;  // BigTIFF
            test::importAll(ImageSource(raster), folder / "a.tif", 1, 2, compression, big);
            ASSERT_EQ(int(folder.read("a.tif")[2]), big ? 43 : 42);
            const std::vector<Level> levels = levelsOf(folder / "a.tif");
            ASSERT_EQ(levels.size(), std::size_t(grid.levels()));
            test::Random random(3);
            for (int i = 0; i < 10'000; ++i)
            {
                const int l = int(random.below(std::uint32_t(levels.size())));
                const Level& level = levels[std::size_t(l)];
                ASSERT_EQ(level.width, TileGrid::samplesOf(width, l));
                ASSERT_EQ(level.height, TileGrid::samplesOf(height, l));
                const int c = random.between(0, level.width - 1), r = random.between(0, level.height - 1);
                ASSERT_TRUE(same(level.at(c, r), raster.at(std::min(c << l, width - 1), std::min(r << l, height - 1))))
                    << width << " level " << l << ": " << c << ", " << r;
            }
        }
}

// Opens the file as the program does: through its own reader, with the stored bounds.
TEST(Import, OpenedInTilesItHasTheSourcesHeights)
{
    const TemporaryFolder folder;
    const int width = 1300, height = 700;
    const Raster raster = test::hills(width, height, 50);
    test::importAll(ImageSource(raster), folder / "a.tif", 1, 2);
    const Result<OpenedTerrain> opened = openTerrain(folder / "a.tif", {}, TerrainTiles::kAlways);
    ASSERT_TRUE(opened && opened->tiles) << opened.error().message;
    const TileSource& tiles = *opened->tiles;
    EXPECT_TRUE(tiles.decimated());
    EXPECT_TRUE(tiles.bounds({tiles.grid().levels() - 1, 0, 0}));
    Result<std::unique_ptr<TileReader>> reader = tiles.openReader();
    ASSERT_TRUE(reader);
    test::Random random(9);
    for (int i = 0; i < 10'000; ++i)
    {
        const int l = int(random.below(std::uint32_t(tiles.grid().levels())));
        const int c = random.between(-3, TileGrid::samplesOf(width, l) + 3);
        const int r = random.between(-3, TileGrid::samplesOf(height, l) + 3);
        float found = 0;
        ASSERT_TRUE((*reader)->read({l, c, r, 1, 1}, {&found, 1}));
        const auto clamped = [l](int sample, int side) { return std::clamp(sample * (1 << l), 0, side - 1); };
        ASSERT_TRUE(same(found, raster.at(clamped(c, width), clamped(r, height)))) << l << ": " << c << ", " << r;
    }
}

TEST(Import, FloatingSamplesStayAsTheyAre)
{
    const TemporaryFolder folder;
    Raster raster = test::hills(700, 300, 40);
    raster.bits = 32;
    for (float& height : raster.heights)
        height *= 1.0009765f;
    test::importAll(ImageSource(raster), folder / "a.tif");
    const std::vector<Level> levels = levelsOf(folder / "a.tif");
    std::size_t different = 0;
    for (std::size_t i = 0; i < raster.heights.size(); ++i)
        different += !same(levels[0].samples[i], raster.heights[i]);
    EXPECT_EQ(different, 0u);
}

TEST(Import, AHeightThatTheSamplesCannotHaveIsAnError)
{
    const TemporaryFolder folder;
    Raster raster = test::hills(300, 300);
    raster.heights[300 * 17 + 5] = 3.5f;
    const ImageSource source(raster);
    const Result<ImportJob> job = importJob(source, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(job);
    const Result<WrittenShard> written = writeShard(source, *job, {folder / "a.tif"}, 0, {});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ExitCode::kInput);
    EXPECT_NE(written.error().message.find("column 5, row 17: 3.5 m"), std::string::npos) << written.error().message;
    EXPECT_FALSE(fs::exists(folder / "a.tif.part-0-of-1"));
    const Result<ImportJob> advised = importJob(source, "", {}, "float32", ImportCompression::kDeflate);
    ASSERT_TRUE(advised);
    EXPECT_TRUE(writeShard(source, *advised, {folder / "a.tif"}, 0, {}));
}

// Compares with the exact bounds of a raster in memory: equal void filling, no shared code.
TEST(Import, BoundsAreThoseOfBruteForce)
{
    const TemporaryFolder folder;
    for (const auto& [width, height, voidOf] :
         {std::tuple{2, 2, 0u}, {1025, 1025, 0u}, {700, 1500, 0u}, {1300, 1100, 30u}})
    {
        const Raster raster = test::hills(width, height, voidOf);
        const std::shared_ptr<const TileSource> exact = rasterTiles(raster);
        test::importAll(ImageSource(raster), folder / "a.tif", 1, 2);
        const TileGrid grid(width, height);
        const auto bounds = test::boundsOf(folder / "a.tif", grid);
        ASSERT_TRUE(bounds);
        for (int level = 0; level < grid.levels(); ++level)
            for (int y = 0; y < grid.rows(level); ++y)
                for (int x = 0; x < grid.columns(level); ++x)
                {
                    const TileKey key = {level, x, y};
                    const TileBounds expected = *exact->bounds(key);
                    const Result<TileBounds> found = bounds->at(key);
                    ASSERT_TRUE(found) << found.error().message;
                    ASSERT_EQ(found->lowest, expected.lowest) << level << ": " << x << ", " << y;
                    ASSERT_EQ(found->highest, expected.highest) << level << ": " << x << ", " << y;
                    // The reference is computed in float.
                    ASSERT_NEAR(found->deviation, expected.deviation, 5e-4) << level << ": " << x << ", " << y;
                }
        fs::remove(folder / "a.tif");
    }
}

TEST(Import, DeviationsOfWholeMetresAreExact)
{
    const TemporaryFolder folder;
    const int side = 300;
    const Raster raster = test::hills(side, side);
    test::importAll(ImageSource(raster), folder / "a.tif");
    const auto bounds = test::boundsOf(folder / "a.tif", TileGrid(side, side));
    ASSERT_TRUE(bounds);
    for (int level = 1; level < 3; ++level)
    {
        const std::int64_t step = 1 << level, tile = kTileCells * step;
        const auto at = [&](std::int64_t c, std::int64_t r) {
            return std::int64_t(
                raster.at(int(std::min<std::int64_t>(c, side - 1)), int(std::min<std::int64_t>(r, side - 1))));
        };
        std::int64_t most = 0;  // maximum over the first tile, times step^2
        for (std::int64_t r = 0; r <= std::min<std::int64_t>(tile, side - 1); ++r)
            for (std::int64_t c = 0; c <= std::min<std::int64_t>(tile, side - 1); ++c)
            {
                const std::int64_t c0 = c / step * step, r0 = r / step * step, u = c - c0, v = r - r0;
                const std::int64_t surface = (step - u) * (step - v) * at(c0, r0) + u * (step - v) * at(c0 + step, r0) +
                                             (step - u) * v * at(c0, r0 + step) + u * v * at(c0 + step, r0 + step);
                most = std::max(most, std::abs(at(c, r) * step * step - surface));
            }
        const Result<TileBounds> found = bounds->at({level, 0, 0});
        ASSERT_TRUE(found);
        EXPECT_EQ(double(found->deviation) * double(step * step), double(most));
    }
}

TEST(Import, ShardsGiveTheSameBytes)
{
    const TemporaryFolder folder;
    const ImageSource source(test::hills(400, 5000, 60));
    test::importAll(source, folder / "one.tif", 1, 2);
    const std::string expected = folder.read("one.tif");
    for (const int shards : {3, 7})
    {
        test::importAll(source, folder / "many.tif", shards);
        EXPECT_TRUE(folder.read("many.tif") == expected) << shards;
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2) << "parts are left";
}

TEST(Import, AMissingOrUnfinishedShardIsNamed)
{
    const TemporaryFolder folder;
    const ImageSource source(test::hills(600, 3000));
    const Result<ImportJob> job = importJob(source, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(job);
    const ImportPlace place{folder / "a.tif", 3};
    for (const int shard : {0, 2})
        ASSERT_TRUE(writeShard(source, *job, place, shard, {}));
    const Result<ImportSummary> without = finishImport(place, {});
    ASSERT_FALSE(without);
    EXPECT_EQ(without.error().code, ExitCode::kInput);
    EXPECT_NE(without.error().message.find("a.tif.part-1-of-3"), std::string::npos) << without.error().message;
    int asked = 0;
    ASSERT_FALSE(writeShard(source, *job, place, 1, [&asked](double, const std::string&) { return ++asked < 2; }));
    const Result<ImportSummary> unfinished = finishImport(place, {});
    ASSERT_FALSE(unfinished);
    EXPECT_NE(unfinished.error().message.find("is not complete"), std::string::npos) << unfinished.error().message;
    ASSERT_TRUE(writeShard(source, *job, place, 1, {}));
    EXPECT_TRUE(finishImport(place, {}));
}

// A kill may leave any prefix of a part, with a partial record at its end.
TEST(Import, AnyPrefixOfAPartIsGoneOnWith)
{
    const TemporaryFolder folder;
    const ImageSource source(test::hills(400, 1200, 60));
    const Result<ImportJob> job = importJob(source, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(job);
    const ImportPlace place{folder / "a.tif"};
    ASSERT_TRUE(writeShard(source, *job, place, 0, {}));
    const std::string whole = test::contentOf(shardPath(place.path, 0, 1));
    ASSERT_TRUE(finishImport(place, {}));
    const std::string expected = folder.read("a.tif");
    test::Random random(5);
    for (int i = 0; i < test::scaled(6, 200); ++i)
    {
        const std::size_t size = i == 0 ? 0 : i == 1 ? whole.size() - 1 : random.below(std::uint32_t(whole.size()));
        folder.write("a.tif.part-0-of-1", whole.substr(0, size));
        ASSERT_TRUE(writeShard(source, *job, place, 0, {}));
        ASSERT_TRUE(test::contentOf(shardPath(place.path, 0, 1)) == whole) << size;
    }
    ASSERT_TRUE(finishImport(place, {}));
    EXPECT_TRUE(folder.read("a.tif") == expected);
}

TEST(Import, APartOfAnotherImportIsNotTouched)
{
    const TemporaryFolder folder;
    const ImageSource first(test::hills(600, 600)), second(test::hills(600, 600, 0, 2));
    for (const auto* content : {"mine, and longer than a header is", "OROGENP0"})
    {
        folder.write("a.tif.part-0-of-1", content);
        const Result<ImportJob> job = importJob(first, "", {}, "", ImportCompression::kDeflate);
        const Result<WrittenShard> written = writeShard(first, *job, {folder / "a.tif", 1, true}, 0, {});
        ASSERT_FALSE(written);
        EXPECT_EQ(written.error().code, ExitCode::kOutput);
        EXPECT_EQ(folder.read("a.tif.part-0-of-1"), content);
    }
    fs::remove(folder / "a.tif.part-0-of-1");
    const Result<ImportJob> one = importJob(first, "", {}, "", ImportCompression::kDeflate);
    const Result<ImportJob> other = importJob(second, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(writeShard(first, *one, {folder / "a.tif"}, 0, {}));
    const Result<WrittenShard> refused = writeShard(second, *other, {folder / "a.tif"}, 0, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kOutput);
    EXPECT_TRUE(writeShard(second, *other, {folder / "a.tif", 1, true}, 0, {}));
}

// A link or a hard link leads to a file of the user, which must stay untouched.
TEST(Import, APartIsAFileOfItsOwn)
{
    const TemporaryFolder folder;
    const ImageSource source(test::hills(300, 300));
    const Result<ImportJob> job = importJob(source, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(job);
    folder.write("victim", "");
    const std::string part = folder / "a.tif.part-0-of-1";
    const std::array<std::function<void()>, 3> make = {[&] { fs::create_symlink(folder / "victim", part); },
                                                       [&] { fs::create_hard_link(folder / "victim", part); },
                                                       [&] { ASSERT_EQ(::mkfifo(part.c_str(), 0600), 0); }};
    for (const auto& lay : make)
        for (const bool replace : {false, true})
        {
            lay();
            const Result<WrittenShard> written = writeShard(source, *job, {folder / "a.tif", 1, replace}, 0, {});
            ASSERT_FALSE(written);
            EXPECT_EQ(written.error().code, ExitCode::kOutput);
            EXPECT_NE(written.error().message.find("expected a file of its own"), std::string::npos)
                << written.error().message;
            EXPECT_EQ(folder.read("victim"), "");
            fs::remove(part);
        }
    ASSERT_EQ(::mkfifo((folder / "a.tif.part-finish").c_str(), 0600), 0);
    removeFinishedParts(folder / "a.tif");  // opens it to inspect it
    ASSERT_TRUE(writeShard(source, *job, {folder / "a.tif"}, 0, {}));
    const Result<ImportSummary> finished = finishImport({folder / "a.tif"}, {});
    ASSERT_FALSE(finished);
    EXPECT_EQ(finished.error().code, ExitCode::kOutput);
}

// The changed sample lies on no diagonal.
TEST(Import, ASourceThatHasChangedIsAnotherOne)
{
    const TemporaryFolder folder;
    Raster raster = test::hills(300, 1200);
    const ImageSource before(raster);
    raster.heights[300 * 700 + 3] += 1;
    const ImageSource after(raster);
    const ImportPlace place{folder / "a.tif", 2};
    const Result<ImportJob> first = importJob(before, "", {}, "", ImportCompression::kDeflate);
    const Result<ImportJob> second = importJob(after, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->fingerprint, second->fingerprint);
    ASSERT_TRUE(writeShard(before, *first, place, 0, {}));
    for (const int shard : {0, 1})
    {
        const Result<WrittenShard> written = writeShard(after, *second, place, shard, {});
        ASSERT_FALSE(written) << shard;
        EXPECT_EQ(written.error().code, ExitCode::kOutput);
        EXPECT_NE(written.error().message.find("one that has changed"), std::string::npos) << written.error().message;
    }
}

// Opens the source in tiles, so that samples are read from the file until the end.
TEST(Import, ASourceThatChangesMeanwhileIsAnErrorAndLeavesNoPart)
{
    const TemporaryFolder folder;
    const Raster raster = test::hills(300, 1200);
    ASSERT_TRUE(writeGeoTiff(raster, folder / "source.tif"));
    const auto source = GeoTiffTiles::open(folder / "source.tif");
    ASSERT_TRUE(source) << source.error().message;
    const Result<ImportJob> job = importJob(**source, folder / "source.tif", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(job) << job.error().message;
    const auto change = [&](double, const std::string&) {
        std::string bytes = folder.read("source.tif");
        bytes[bytes.size() - 700] = char(bytes[bytes.size() - 700] ^ 1);
        std::ofstream(folder / "source.tif", std::ios::binary | std::ios::in)
            .write(bytes.data(), std::streamsize(bytes.size()));
        return true;
    };
    int calls = 0;
    const Result<WrittenShard> written =
        writeShard(**source, *job, {folder / "a.tif"}, 0,
                   [&](double f, const std::string& what) { return ++calls > 1 || change(f, what); });
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ExitCode::kInput);
    EXPECT_NE(written.error().message.find("has changed while it was imported"), std::string::npos)
        << written.error().message;
    EXPECT_FALSE(fs::exists(folder / "a.tif.part-0-of-1"));
}

// Parts from other numbers of shards are found, too.
TEST(Import, PartsOfAnotherImportAreRemovedOnlyIfAsked)
{
    const TemporaryFolder folder;
    const ImageSource first(test::hills(300, 900)), second(test::hills(300, 900, 0, 2));
    const Result<ImportJob> one = importJob(first, "", {}, "", ImportCompression::kDeflate);
    const Result<ImportJob> other = importJob(second, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(one && other);
    const ImportPlace three{folder / "a.tif", 3};
    ASSERT_TRUE(writeShard(second, *other, three, 1, {}));
    const Result<WrittenShard> refused = writeShard(first, *one, {folder / "a.tif"}, 0, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ExitCode::kOutput);
    EXPECT_NE(refused.error().message.find("a.tif.part-1-of-3: belongs to another import"), std::string::npos)
        << refused.error().message;
    const ImportPlace replacing{folder / "a.tif", 1, true};
    ASSERT_TRUE(writeShard(first, *one, replacing, 0, {}));
    ASSERT_TRUE(finishImport({folder / "a.tif"}, {}));
    EXPECT_TRUE(fs::exists(folder / "a.tif.part-1-of-3")) << "nobody has asked";
    ASSERT_TRUE(writeShard(first, *one, replacing, 0, {}));
    ASSERT_TRUE(finishImport(replacing, {}));
    EXPECT_FALSE(fs::exists(folder / "a.tif.part-1-of-3"));
}

TEST(Import, PartsOfTheSameImportInOtherShardsGoWithIt)
{
    const TemporaryFolder folder;
    const ImageSource source(test::hills(300, 900));
    const Result<ImportJob> job = importJob(source, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(job);
    ASSERT_TRUE(writeShard(source, *job, {folder / "a.tif", 3}, 1, {}));
    ASSERT_TRUE(writeShard(source, *job, {folder / "a.tif"}, 0, {}));
    ASSERT_TRUE(finishImport({folder / "a.tif"}, {}));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

// An earlier import has an equal fingerprint if only samples that the fingerprint skips have changed.
TEST(Import, PartsOfANewerImportThanTheFileStay)
{
    const TemporaryFolder folder;
    Raster raster = test::hills(300, 600);
    test::importAll(ImageSource(raster), folder / "a.tif");
    raster.heights[300 * 400 + 3] += 1;
    const ImageSource after(raster);
    const Result<ImportJob> job = importJob(after, "", {}, "", ImportCompression::kDeflate);
    ASSERT_TRUE(job);
    const ImportPlace place{folder / "a.tif", 1, true};
    ASSERT_TRUE(writeShard(after, *job, place, 0, {}));
    fs::create_directory(folder / "a.tif.joining");  // makes the joining fail
    ASSERT_FALSE(finishImport(place, {}));
    ASSERT_TRUE(fs::exists(folder / "a.tif.part-finish"));
    fs::last_write_time(folder / "a.tif", fs::last_write_time(folder / "a.tif.part-finish") - std::chrono::seconds(1));
    removeFinishedParts(folder / "a.tif");
    EXPECT_TRUE(fs::exists(folder / "a.tif.part-finish"));
    fs::last_write_time(folder / "a.tif", fs::last_write_time(folder / "a.tif.part-finish") + std::chrono::seconds(1));
    removeFinishedParts(folder / "a.tif");
    EXPECT_FALSE(fs::exists(folder / "a.tif.part-finish"));
}

TEST(SourceVersion, OfSmallFilesIsTheirContentOfLargeOnesTheTimeOfTheirChange)
{
    const TemporaryFolder folder;
    const std::string small = folder.write("small", "abc"), other = folder.write("other", "abd");
    const auto versionOf = [](const std::vector<std::string>& files) {
        const Result<std::string> version = filesVersion(files);
        return version ? *version : version.error().message;
    };
    const auto later = [](const std::string& file) {
        fs::last_write_time(file, fs::last_write_time(file) + std::chrono::milliseconds(3));
    };
    const std::string before = versionOf({small});
    later(small);
    EXPECT_EQ(versionOf({small}), before) << "a copy is the same";
    EXPECT_NE(versionOf({other}), before);
    EXPECT_NE(versionOf({small, other}), versionOf({other, small}));
    const std::string large = folder.write("large", "abc");
    fs::resize_file(large, kComparedBytes + 1);
    const std::string whole = versionOf({large});
    EXPECT_EQ(versionOf({large}), whole);
    later(large);
    EXPECT_NE(versionOf({large}), whole);
    EXPECT_NE(versionOf({folder / "none"}).find("none: No such file"), std::string::npos);
}

// The long run covers 34 GB of samples.
TEST(Import, OfMostlyNothingIsSmall)
{
    const TemporaryFolder folder;
    const int side = test::scaled(4096, 131'072);
    test::makeSparseCog(folder / "a.tif", side, 8);
    const std::uint64_t samples = std::uint64_t(side) * std::uint64_t(side) * 2;
    EXPECT_LT(fs::file_size(folder / "a.tif"), samples / 20);
    const test::Islands source(side, 8);
    const auto bounds = test::boundsOf(folder / "a.tif", source.grid());
    ASSERT_TRUE(bounds);
    const Result<TileBounds> all = bounds->at({source.grid().levels() - 1, 0, 0});
    ASSERT_TRUE(all);
    EXPECT_EQ(all->lowest, 0);
    EXPECT_EQ(all->highest, 999);
}

TEST(ImportPlan, EveryBlockLiesInOneRecordOfOnePart)
{
    for (const auto& [width, height] : {std::pair{2, 2}, {300, 1024}, {70'000, 1024}, {5000, 9001}})
        for (const int shards : {1, 2, 3, 10})
        {
            const ImportPlan plan(TileGrid(width, height), shards);
            for (int part = 0; part < plan.parts(); ++part)
                for (std::uint64_t number = 0; number < plan.records(part); ++number)
                {
                    const ImportRecord record = plan.record(part, number);
                    for (int i = 0; i < record.count; ++i)
                    {
                        ASSERT_EQ(plan.partOf(record.level, record.row), part);
                        ASSERT_EQ(plan.numberOf(record.level, record.row, record.first + i), number);
                    }
                }
            for (int level = 0; level < plan.grid().levels(); ++level)
            {
                int rows = 0;
                for (int part = 0; part < plan.parts(); ++part)
                {
                    const auto [begin, end] = plan.rowsOf(part, level);
                    rows += end - begin;
                }
                ASSERT_EQ(rows, plan.blockRows(level)) << width << " level " << level << " of " << shards;
            }
        }
}

}  // namespace
}  // namespace orogen

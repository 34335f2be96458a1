// Bounds of tiles stored in an imported file.
#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/terrain/tiles/stored_bounds.h"
#include "tests/support/raster_files.h"

namespace orogen {
namespace {

using test::Bytes;

// Returns bounds that differ between any two tiles.
TileBounds boundsOf(const TileKey& key)
{
    return {float(-1000 * key.level - key.x), float(2000 * key.level + key.y), float(key.x * key.y % 97)};
}

// TIFF with only the descriptor in its directory, `gap` bytes, and the pages.
struct File
{
    TileGrid grid;
    Bytes bytes;
    int reads = 0;

    File(const TileGrid& of, bool big, std::size_t gap = 100) : grid(of)
    {
        test::ByteWriter out;
        out.text("II");
        out.put(std::uint16_t(big ? 43 : 42));
        if (big)
            out.put(std::uint32_t(8)), out.put(std::uint64_t(16)), out.put(std::uint64_t(1));
        else
            out.put(std::uint32_t(8)), out.put(std::uint16_t(1));
        out.put(kStoredBoundsTag);
        out.put(std::uint16_t(7));
        const std::size_t place = big ? 52 : 26;
        if (big)
            out.put(std::uint64_t(BoundsDescriptor::kBytes)), out.put(std::uint64_t(place)), out.put(std::uint64_t(0));
        else
            out.put(std::uint32_t(BoundsDescriptor::kBytes)), out.put(std::uint32_t(place)), out.put(std::uint32_t(0));
        const BoundsLayout layout(grid);
        const std::size_t pages = place + BoundsDescriptor::kBytes + gap;
        const BoundsDescriptor descriptor = {grid.width(), grid.height(), pages, pages + layout.bytes(), 77};
        out.put(descriptor.pack());
        bytes = out.bytes;
        bytes.resize(pages + layout.bytes());
        for (int level = 0; level < grid.levels(); ++level)
            for (int y = 0; y < layout.pageRows(level); ++y)
                for (int x = 0; x < layout.pageColumns(level); ++x)
                    putPage(layout, pages, {level, x, y});
    }

    void putPage(const BoundsLayout& layout, std::size_t pages, const TileKey& at)
    {
        const BoundsLayout::Page page = layout.page(at.level, at.x, at.y);
        std::vector<TileBounds> records;
        for (int y = 0; y < page.rows; ++y)
            for (int x = 0; x < page.columns; ++x)
                records.push_back(boundsOf({at.level, at.x * kBoundsPageSide + x, at.y * kBoundsPageSide + y}));
        const std::vector<std::byte> packed = packBoundsPage(records);
        std::copy(packed.begin(), packed.end(), bytes.begin() + std::ptrdiff_t(pages + page.offset));
    }

    ReadBytes reader()
    {
        return [this](std::uint64_t offset, std::span<std::byte> to) {
            ++reads;
            if (offset > bytes.size() || to.size() > bytes.size() - offset) return false;
            std::copy_n(bytes.begin() + std::ptrdiff_t(offset), to.size(), to.begin());
            return true;
        };
    }
    Result<std::unique_ptr<const StoredBounds>> open()
    {
        return StoredBounds::open("a.tif", bytes.size(), grid, reader());
    }
};

TEST(StoredBounds, OfEveryTileAreFoundAgain)
{
    for (const TileGrid& grid : {TileGrid(2, 2), TileGrid(130, 129), TileGrid(4098, 9000), TileGrid(700, 30'000)})
        for (const bool big : {false, true})
        {
            File file(grid, big);
            const auto bounds = file.open();
            ASSERT_TRUE(bounds && *bounds);
            for (int level = 0; level < grid.levels(); ++level)
                for (int y = 0; y < grid.rows(level); ++y)
                    for (int x = 0; x < grid.columns(level); ++x)
                    {
                        const TileKey key = {level, x, y};
                        const Result<TileBounds> found = (*bounds)->at(key);
                        ASSERT_TRUE(found) << found.error().message;
                        ASSERT_EQ(found->lowest, boundsOf(key).lowest);
                        ASSERT_EQ(found->highest, boundsOf(key).highest);
                        ASSERT_EQ(found->deviation, boundsOf(key).deviation);
                    }
        }
}

TEST(StoredBounds, OfCoarseLevelsTakeTwoReads)
{
    File file(TileGrid(40'000, 40'000), true);
    const auto bounds = file.open();
    ASSERT_TRUE(bounds && *bounds);
    for (int level = 3; level < file.grid.levels(); ++level)
        ASSERT_TRUE((*bounds)->at({level, file.grid.columns(level) - 1, 0}));
    EXPECT_EQ(file.reads, 2) << "the header, and the first pages";
    ASSERT_TRUE((*bounds)->at({0, 200, 200}));
    ASSERT_TRUE((*bounds)->at({0, 201, 200}));
    EXPECT_EQ(file.reads, 3);
}

TEST(StoredBounds, AFileWithoutThemIsNoError)
{
    File file(TileGrid(300, 300), false);
    file.bytes[10] = std::byte{1};  // another tag
    const auto bounds = file.open();
    ASSERT_TRUE(bounds);
    EXPECT_EQ(*bounds, nullptr);
}

TEST(StoredBounds, OfAFileThatHasChangedAreRefused)
{
    const TileGrid grid(300, 300);
    File longer(grid, false), shorter(grid, false), edited(grid, false), other(grid, false);
    longer.bytes.push_back(std::byte{0});
    shorter.bytes.pop_back();
    const std::string note = "KNOWN_INCOMPATIBLE_EDITION=YES\n";
    std::memcpy(edited.bytes.data() + 110, note.data(), note.size());
    other.grid = TileGrid(300, 301);
    for (File* file : {&longer, &shorter, &edited, &other})
    {
        const auto bounds = file->open();
        ASSERT_FALSE(bounds);
        EXPECT_EQ(bounds.error().code, ExitCode::kInput);
        EXPECT_TRUE(bounds.error().message.starts_with("a.tif: stored bounds: ")) << bounds.error().message;
    }
}

// The descriptor and the file's size are those of the import, but the place of the bounds is not.
TEST(StoredBounds, AWrongPlaceIsNamed)
{
    File file(TileGrid(300, 300), false);
    const std::uint64_t pages = BoundsLayout(file.grid).bytes(), offset = file.bytes.size() - pages;
    const std::vector<std::byte> wrong = BoundsDescriptor{300, 300, offset - 7, file.bytes.size(), 77}.pack();
    std::ranges::copy(wrong, file.bytes.begin() + 26);
    const auto bounds = file.open();
    ASSERT_FALSE(bounds);
    EXPECT_NE(bounds.error().message.find(fmt::format("at offset {}, expected", offset - 7)), std::string::npos)
        << bounds.error().message;
}

// A changed byte gives an error, no bounds, or the bounds that were written.
TEST(StoredBounds, NoDamagedByteGivesOtherBounds)
{
    const File whole(TileGrid(300, 300), true, 0);
    for (std::size_t at = 0; at < whole.bytes.size(); ++at)
    {
        File file = whole;
        file.bytes[at] ^= std::byte{0x41};
        const auto bounds = file.open();
        if (!bounds || !*bounds) continue;
        for (int level = 0; level < file.grid.levels(); ++level)
            for (int y = 0; y < file.grid.rows(level); ++y)
                for (int x = 0; x < file.grid.columns(level); ++x)
                {
                    const Result<TileBounds> found = (*bounds)->at({level, x, y});
                    const TileBounds expected = boundsOf({level, x, y});
                    if (found)
                    {
                        ASSERT_EQ(0, std::memcmp(&*found, &expected, sizeof expected)) << at;
                    }
                }
    }
}

TEST(StoredBounds, AnyPrefixOfAFileIsRefused)
{
    const File whole(TileGrid(200, 140), true, 0);
    for (std::size_t size = 0; size < whole.bytes.size(); ++size)
    {
        File file = whole;
        file.bytes.resize(size);
        const auto bounds = file.open();
        ASSERT_TRUE(!bounds || !*bounds) << size;
    }
}

// Checksums do not protect against other programs, which can write valid ones.
TEST(StoredBounds, ThatAreNoBoundsOfHeightsAreRefused)
{
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInfinite = std::numeric_limits<float>::infinity();
    for (const TileBounds& bad : {TileBounds{kNaN, 1, 0},
                                  {0, kNaN, 0},
                                  {0, 1, kNaN},
                                  {-3e38f, 3e38f, 1},
                                  {-kInfinite, 1, 0},
                                  {0, kInfinite, 0},
                                  {2, 1, 0},
                                  {0, 1, -1},
                                  {0, 1, kInfinite}})
    {
        File file(TileGrid(2, 2), false);
        const std::vector<std::byte> page = packBoundsPage(std::vector{bad});
        std::copy(page.begin(), page.end(), file.bytes.end() - std::ptrdiff_t(page.size()));
        const auto bounds = file.open();
        ASSERT_TRUE(bounds && *bounds);
        const Result<TileBounds> found = (*bounds)->at({0, 0, 0});
        ASSERT_FALSE(found) << bad.lowest << " " << bad.highest << " " << bad.deviation;
        EXPECT_NE(found.error().message.find("expected heights within"), std::string::npos) << found.error().message;
    }
}

}  // namespace
}  // namespace orogen

// Edits as text: meaning of a line, and safety against arbitrary bytes.
#include "core/leb/edited_tree.h"

#include <string>

#include <gtest/gtest.h>

#include "core/base/text.h"
#include "core/leb/leb.h"
#include "tests/support/random.h"

namespace orogen::leb {
namespace {

TEST(Edit, LinesMeanWhatTheySay)
{
    const struct
    {
        const char* line;
        std::optional<Edit> edit;
    } cases[] = {{"split 1", Edit{EditKind::kSplit, 1}},
                 {"  merge\t17  ", Edit{EditKind::kMerge, 17}},
                 {"leb-split 0042#x", Edit{EditKind::kSplitConforming, 42}},
                 {"leb-merge 18446744073709551615\r", Edit{EditKind::kMergeDiamond, 18446744073709551615u}},
                 {"reduce # 1", Edit{EditKind::kReduce, 0}},
                 {"", std::nullopt},
                 {" \t\r", std::nullopt},
                 {"# split 1", std::nullopt}};
    for (const auto& [line, edit] : cases)
    {
        const Result<std::optional<Edit>> parsed = parseEdit(line);
        ASSERT_TRUE(parsed) << line << ": " << parsed.error().message;
        EXPECT_EQ(*parsed, edit) << line;
    }
}

TEST(Edit, OtherLinesAreMalformedInOneLine)
{
    for (const char* line : {"split", "split x", "split 1x", "split +1", "split -1", "split 0", "split 1 1", "reduce 1",
                             "SPLIT 1", "split1", "lebsplit 1", "split 18446744073709551616", "split 0x10", "1"})
    {
        const Result<std::optional<Edit>> parsed = parseEdit(line);
        ASSERT_FALSE(parsed) << line;
        EXPECT_EQ(parsed.error().code, ExitCode::kInput);
        EXPECT_EQ(parsed.error().message.find('\n'), std::string::npos);
        EXPECT_LT(parsed.error().message.size(), 120u);
    }
}

TEST(Edit, AnyBytesAreAnEditOrAnError)
{
    test::Random random(1);
    for (int i = 0; i < 200'000; ++i)
    {
        constexpr std::string_view kLikely = "split merge leb-reduce 0123456789 #\t\r";
        std::string line;
        for (int length = random.between(0, 24); length > 0; --length)
            line += random.chance(3, 4) ? kLikely[random.below(kLikely.size())] : char(random.below(256));
        const Result<std::optional<Edit>> parsed = parseEdit(line);
        if (parsed) continue;
        ASSERT_EQ(printable(parsed.error().message), parsed.error().message);
    }
}

template <class Tree>
std::uint64_t hashNow(Tree tree)
{
    tree.reduce();
    return leafHash(tree);
}

// Counts stay as they were at the start: whether a node is a leaf is decided without them.
TEST(Edit, IsRefusedWithoutAChangeOrDone)
{
    int done = 0, refused = 0;
    for (unsigned seed = 0; seed < 200; ++seed)
    {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        test::Random random(seed);
        Cbt tree(6, random.between(0, 4));
        PackedCbt packed = reencoded<PackedCbt>(tree, 6, 6);
        for (int i = 0; i < 60; ++i)
        {
            const Edit edit{EditKind(random.below(4)), 1 + random.below(130)};
            const std::uint64_t before = hashNow(tree);
            const Status status = applyEdit(tree, edit);
            ASSERT_EQ(bool(applyEdit(packed, edit)), bool(status));
            ASSERT_EQ(hashNow(packed), hashNow(tree));
            ASSERT_EQ(hashNow(tree) == before, !status) << "edit of " << edit.node;
            (status ? done : refused) += 1;
        }
    }
    EXPECT_GT(done, 500);
    EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace orogen::leb

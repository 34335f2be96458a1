#include "core/base/text.h"

#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

namespace orogen {
namespace {

TEST(Text, IsTrimmedOfEveryBlank)
{
    EXPECT_EQ(trimmed(" \t\r\n\v\fa b \t\r\n\v\f"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \n"), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(Text, BeginsAfterItsByteOrderMark)
{
    EXPECT_EQ(withoutByteOrderMark("\xef\xbb\xbfheight"), "height");
    EXPECT_EQ(withoutByteOrderMark("height"), "height");
    EXPECT_EQ(withoutByteOrderMark("\xef\xbb"), "\xef\xbb");
}

TEST(Text, GivesItsWordsOneByOne)
{
    std::string_view rest = "  one\ttwo  three ";
    EXPECT_EQ(takeWord(rest), "one");
    EXPECT_EQ(rest, "two  three");
    EXPECT_EQ(takeWord(rest), "two");
    EXPECT_EQ(takeWord(rest), "three");
    EXPECT_EQ(takeWord(rest), "");
    EXPECT_EQ(rest, "");
}

TEST(Text, IsANumberOnlyAsAWhole)
{
    EXPECT_EQ(numberIn<int>("-12"), -12);
    EXPECT_EQ(numberIn<double>("1.5e3"), 1500.0);
    EXPECT_EQ(numberIn<std::uint64_t>("18446744073709551615"), ~std::uint64_t(0));
    EXPECT_TRUE(std::isnan(*numberIn<double>("nan")));
    for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x1", "2147483648", "1.5"})
        EXPECT_FALSE(numberIn<int>(text)) << text;
    EXPECT_FALSE(numberIn<unsigned>("-1"));
}

TEST(Text, IsANumberWithinItsRange)
{
    EXPECT_EQ(numberIn<int>("3", 3, 4), 3);
    EXPECT_EQ(numberIn<int>("4", 3, 4), 4);
    EXPECT_FALSE(numberIn<int>("2", 3, 4));
    EXPECT_FALSE(numberIn<int>("5", 3, 4));
    EXPECT_FALSE(numberIn<double>("nan", -1e300, 1e300));
    EXPECT_FALSE(numberIn<double>("inf", -1e300, 1e300));
}

TEST(Text, BeginsWithANumber)
{
    EXPECT_EQ(leadingNumber(" \t+1.5</Item>"), 1.5);
    EXPECT_EQ(leadingNumber("-7 m"), -7);
    EXPECT_FALSE(leadingNumber("m 7"));
    EXPECT_FALSE(leadingNumber(" + "));
    EXPECT_FALSE(leadingNumber(""));
}

TEST(Text, NumbersThatRoundToZeroHaveNoSign)
{
    EXPECT_EQ(fixedText(-0.04, 1), "0.0");
    EXPECT_EQ(fixedText(-0.0, 2), "0.00");
    EXPECT_EQ(fixedText(-0.4, 0), "0");
    EXPECT_EQ(fixedText(-0.06, 1), "-0.1");
    EXPECT_EQ(fixedText(1234.5, 1), "1234.5");
    EXPECT_EQ(grouped(-0.3, 0), "0");
    EXPECT_EQ(grouped(-42'583.04, 1), "-42,583.0");
    EXPECT_EQ(grouped(-583.0, 1), "-583.0");
    EXPECT_EQ(grouped(8209.84, 1), "8,209.8");
}

TEST(Text, HasNoExponentInANumberFromAThousandOn)
{
    EXPECT_EQ(significant(1.8, 3), "1.8");
    EXPECT_EQ(significant(242.09, 3), "242");
    EXPECT_EQ(significant(999.7, 3), "1,000");
    EXPECT_EQ(significant(999.7, 4), "1,000");
    EXPECT_EQ(significant(12'345.6, 4), "12,346");
}

TEST(Text, CountsOneWithoutAPlural)
{
    EXPECT_EQ(counted(0, "run"), "0 runs");
    EXPECT_EQ(counted(1, "run"), "1 run");
    EXPECT_EQ(counted(1'200, "measured frame"), "1,200 measured frames");
}

}  // namespace
}  // namespace orogen

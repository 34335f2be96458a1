// Text made safe for one line of a terminal.
#include <string>

#include <gtest/gtest.h>

#include "core/base/text.h"

namespace orogen {
namespace {

using namespace std::string_literals;

TEST(TerminalText, KeepsWhatPeopleRead)
{
    for (const std::string text :
         {"", "a name.tif", "Großglockner.tif", "Гора.hgt", "富士山", "\xf0\x9f\x8f\x94.png", "a\\b"})
        EXPECT_EQ(printable(text), text);
}

TEST(TerminalText, ShowsControlCharactersAsEscapes)
{
    EXPECT_EQ(printable("a\tb\nc\rd"), "a\\tb\\nc\\rd");
    EXPECT_EQ(printable("\x1b[31mred\x7f\0"s), "\\x1b[31mred\\x7f\\x00");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\u009b31m")
        << "the control sequence introducer of C1";
    EXPECT_EQ(printable("\xe2\x80\xa8|\xe2\x80\xae|\xe2\x81\xa6"), "\\u2028|\\u202e|\\u2066");
}

TEST(TerminalText, ShowsBytesThatAreNoUtf8AsEscapes)
{
    EXPECT_EQ(printable("a\x9b"
                        "b"),
              "a\\x9bb");
    EXPECT_EQ(printable("\xc3"), "\\xc3") << "cut off";
    EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b") << "longer than need be";
    EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
    EXPECT_EQ(printable("\xe2\x82"
                        "A"),
              "\\xe2\\x82A");
}

// No pair of bytes reaches the terminal as a control character, and printable text is unchanged.
TEST(TerminalText, EveryPairOfBytesIsMadePrintable)
{
    for (int first = 0; first < 256; ++first)
        for (int second = 0; second < 256; ++second)
        {
            const std::string shown = printable(std::string{char(first), char(second)});
            for (const char c : shown)
                ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 && c != '\x7f') << first << ' ' << second;
            ASSERT_EQ(printable(shown), shown);
            ASSERT_EQ(shown.find("\xc2\x9b"), shown.npos);
        }
}

TEST(TerminalText, AStartEndsBetweenCharacters)
{
    EXPECT_EQ(printableStart("abcdef", 3), "abc");
    EXPECT_EQ(printableStart("ab", 3), "ab");
    EXPECT_EQ(printableStart("abéf", 3), "ab");
    EXPECT_EQ(printableStart("ab\xf0\x9f\x8f\x94z", 5), "ab");
    EXPECT_EQ(printableStart("ab\xf0\x9f\x8f\x94z", 6), "ab\xf0\x9f\x8f\x94");
    EXPECT_EQ(printableStart("\n\n\n", 2), "\\n\\n");
}

}  // namespace
}  // namespace orogen

// Lists read from text against the reader of single numbers, and doubles against glibc's exact decimals.
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "compute/signed_digit/decimal.h"

namespace orogen::compute {
namespace {

Decimal owned(const DecimalView& view)
{
    return {{view.digits.begin(), view.digits.end()}, view.exponent, view.negative};
}

TEST(DecimalText, ListsAreReadAsSingleNumbersAre)
{
    std::vector<std::string> texts;
    for (const std::string sign : {"", "-", "+"})
        for (const std::string whole : {"", "0", "7", "000", "100", "0012300", "12345678", "123456789", "00000000",
                                        "9876543210123456789012345678901234567890", "10000000000000000000000"})
            for (const std::string fraction :
                 {"", ".", ".0", ".5", ".000", ".00120", ".12345678", ".0123456789012345678"})
                for (const std::string exponent : {"", "e3", "E-2"})
                    if (!whole.empty() || fraction.size() > 1) texts.push_back(sign + whole + fraction + exponent);
    for (const std::string end : {"\n", "\r\n", " \n", " # comment\n"})
    {
        std::string all;
        for (const std::string& text : texts)
            all += text + end;
        for (const bool cut : {false, true})  // with and without an end of the last line
        {
            if (cut) all.resize(all.size() - end.size());
            const Result<DecimalList> list = decimalsInText(all, DecimalMeaning::kItself, "t");
            ASSERT_TRUE(list) << list.error().message;
            ASSERT_EQ(list->size(), texts.size());
            for (std::size_t i = 0; i < texts.size(); ++i)
                EXPECT_EQ(owned((*list)[i]), *parseDecimal(texts[i], "t")) << texts[i];
        }
    }
}

TEST(DecimalText, ErrorsNameTheLineAndTheCharacter)
{
    for (const auto& [text, message] :
         {std::pair<std::string, std::string>{"1\n2\n3x\n", "t:3: 'x' at character 2, expected a decimal number"},
          {"1\n\n-\n", "t:3: the end at character 2, expected a digit"},
          {"1\r2\n", "t:1: byte 0x0d at character 2, expected a decimal number"},
          {"12345678901234567890.1.2\n", "t:1: '.' at character 23, expected a decimal number"},
          {"1\n2 3\n", "t:2: ' ' at character 2, expected a decimal number"},
          {"# nothing\n", "t: no number in it"}})
    {
        const Result<DecimalList> list = decimalsInText(text, DecimalMeaning::kItself, "t");
        ASSERT_FALSE(list) << text;
        EXPECT_EQ(list.error().message, message);
    }
}

TEST(DecimalText, DoublesHaveTheirExactValue)
{
    std::vector<double> values = {1,
                                  0.5,
                                  0.1,
                                  1e22,
                                  1e23,
                                  123456789,
                                  0x1p63,
                                  0x1p64,
                                  0x1p-64,
                                  5e-324,
                                  1e-300,
                                  std::numeric_limits<double>::max(),
                                  std::numeric_limits<double>::min(),
                                  std::numeric_limits<double>::denorm_min() * 3,
                                  0x1.fffffffffffffp-1022};
    std::uint64_t state = 3;
    while (values.size() < 4000)
    {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const auto value = std::bit_cast<double>(state);
        if (std::isfinite(value))
            values.push_back(values.size() % 2 == 0 ? value : std::ldexp(double(state >> 11), -53));
    }
    for (const double value : values)
        for (const double sign : {1.0, -1.0})
        {
            char text[1500];
            std::snprintf(text, sizeof(text), "%.1080f", sign * value);
            EXPECT_EQ(decimalFromDouble(sign * value), *parseDecimal(text, "t")) << value;
        }
    EXPECT_EQ(decimalFromDouble(-0.0), Decimal{});
}

}  // namespace
}  // namespace orogen::compute

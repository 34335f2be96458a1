#include "core/planet/place_names.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "core/base/text_file.h"
#include "orogen_test_places.h"

namespace orogen {
namespace {

PlaceNames shipped()
{
    const Result<std::string> text = readTextFile(OROGEN_ROOT "/assets/earth/places.tsv", 16u << 20);
    if (!text) return ADD_FAILURE() << text.error().message, PlaceNames();
    Result<PlaceNames> names = PlaceNames::parse(*text, "places.tsv");
    if (!names) return ADD_FAILURE() << names.error().message, PlaceNames();
    return std::move(*names);
}

std::string best(const PlaceNames& names, std::string_view text)
{
    const std::vector<std::size_t> found = names.find(text, 1);
    return found.empty() ? "" : names.all()[found.front()].description();
}

TEST(PlaceNames, TheShippedListHasEveryKindAndFindsByNameWithoutCaseAndAccents)
{
    const PlaceNames names = shipped();
    std::array<int, 7> kinds{};
    for (const NamedPlace& place : names.all())
        ++kinds[std::size_t(place.kind)];
    for (const int count : kinds)
        EXPECT_GE(count, 6);
    EXPECT_EQ(best(names, "paris"), "Paris (FR)");
    EXPECT_EQ(best(names, "ZURICH"), best(names, "Z\u00fcrich"));
    EXPECT_EQ(best(names, "Mont Blanc"), "Mont Blanc (FR), 4,809 m");
    EXPECT_EQ(best(names, "  Mediterranean "), "Mediterranean Sea");
    EXPECT_EQ(best(names, "no such place at all"), "");
    EXPECT_EQ(best(names, ""), "");
    EXPECT_LE(names.find("a", 5).size(), 5u);
}

// The relief must agree that a peak is where the list says: a wrong sign or swapped numbers would lie in the sea.
TEST(PlaceNames, PlacesLieWhereOthersOfTheirCountryLie)
{
    const PlaceNames names = shipped();
    int checked = 0;
    for (const NamedPlace& peak : names.all())
    {
        if (peak.kind != PlaceKind::kPeak || peak.country == "AQ" || peak.country == "GL") continue;
        double nearest = 1e9;
        for (const NamedPlace& city : names.all())
        {
            if (city.kind != PlaceKind::kCity && city.kind != PlaceKind::kCapital) continue;
            const double across = (city.longitude - peak.longitude) * std::cos(peak.latitude / 57.29578);
            if (city.country == peak.country)
                nearest = std::min(nearest, std::hypot(city.latitude - peak.latitude, across));
        }
        EXPECT_LT(nearest, 6) << peak.description() << ": degrees to the nearest city of its country";
        ++checked;
    }
    EXPECT_GT(checked, 100);
}

TEST(PlaceNames, AMalformedLineIsNamedWithItsNumber)
{
    const std::string good = "T\t48.1\t11.6\t1488\tDE\tMunich\n";
    for (const std::string bad : {"X\t48.1\t11.6\t1488\tDE\tMunich\n", "T\t98.1\t11.6\t1488\tDE\tMunich\n",
                                  "T\t48.1\tnan\t1488\tDE\tMunich\n", "T\t48.1\t11.6\t1488\tDE\n", "T\t48.1\n"})
    {
        const Result<PlaceNames> names = PlaceNames::parse(good + bad, "list.tsv");
        ASSERT_FALSE(names);
        EXPECT_EQ(names.error().code, ExitCode::kInput);
        EXPECT_NE(names.error().message.find("list.tsv: line 2: found '"), std::string::npos) << names.error().message;
    }
    EXPECT_TRUE(PlaceNames::parse(good, "list.tsv"));
}

}  // namespace
}  // namespace orogen

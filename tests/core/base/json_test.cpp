#include "core/base/json.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace orogen {
namespace {

TEST(Json, ListsInBracesAreObjectsOrArraysAsInNlohmanns)
{
    const Json ours = {{"name", "peak"},
                       {"size", {3, 4}},
                       {"none", nullptr},
                       {"deep", {{"a", true}, {"b", -1.5}}},
                       {"texts", {"x", "y"}}};
    const nlohmann::ordered_json theirs = {{"name", "peak"},
                                           {"size", {3, 4}},
                                           {"none", nullptr},
                                           {"deep", {{"a", true}, {"b", -1.5}}},
                                           {"texts", {"x", "y"}}};
    EXPECT_EQ(ours.dump(), theirs.dump());
    EXPECT_EQ(ours.dump(2), theirs.dump(2));
}

TEST(Json, NumbersKeepTheirKindAndAllTheirDigits)
{
    const Json numbers = {
        std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::int64_t>::min(), 0.1, 1e300, 1.0, -0.0};
    EXPECT_EQ(numbers.dump(), "[18446744073709551615,-9223372036854775808,0.1,1e+300,1.0,-0.0]");
    EXPECT_EQ(Json::parse(numbers.dump()), numbers);
    EXPECT_EQ(Json({std::nan(""), HUGE_VAL}).dump(), "[null,null]");
    EXPECT_TRUE(Json::parse("3").isUnsigned());
    EXPECT_TRUE(Json::parse("3.0").isFloat());
    EXPECT_EQ(Json::parse("3"), Json(3.0));
    EXPECT_NE(Json(std::numeric_limits<std::uint64_t>::max()), Json(-1));
}

TEST(Json, ContainersAndTextsAreTaken)
{
    EXPECT_EQ(Json(std::vector<double>{1, 2.5}).dump(), "[1.0,2.5]");
    EXPECT_EQ(Json(std::vector<std::string>{"a"}).dump(), R"(["a"])");
    EXPECT_EQ(Json(std::string_view("a\"\n\xff")).dump(), "\"a\\\"\\n\xef\xbf\xbd\"");
    EXPECT_EQ(Json("\xc3\xa4").dumpAscii(), "\"\\u00e4\"");
    EXPECT_EQ(Json::parse("[1,2,3]").get<std::vector<std::uint16_t>>(), (std::vector<std::uint16_t>{1, 2, 3}));
}

TEST(Json, ObjectsKeepTheOrderOfTheirKeysUntilTheyAreSorted)
{
    Json json;
    json["b"] = 1;
    json["a"]["z"].push_back({{"y", 1}, {"x", 2}});
    json["b"] = 2;
    EXPECT_EQ(json.dump(), R"({"b":2,"a":{"z":[{"y":1,"x":2}]}})");
    EXPECT_EQ(json.sorted().dump(), R"({"a":{"z":[{"x":2,"y":1}]},"b":2})");
    EXPECT_EQ(json, json.sorted());
    json.erase("b");
    json.update({{"a", 1}, {"c", Json::array()}});
    EXPECT_EQ(json.dump(), R"({"a":1,"c":[]})");
    EXPECT_NE(json, (Json{{"a", 1}, {"d", Json::array()}}));
}

// Returns the cause of the error that parsing gives; -1 for none.
int causeOf(const std::string& text, bool keysOnce = false)
{
    try
    {
        Json::parse(text, keysOnce);
        return -1;
    }
    catch (const JsonError& error)
    {
        return error.cause;
    }
}

TEST(Json, TextThatIsNoJsonIsRefusedWithItsCause)
{
    EXPECT_EQ(causeOf("{\"a\": 1,}"), JsonError::kSyntax);
    EXPECT_EQ(causeOf(""), JsonError::kSyntax);
    EXPECT_EQ(causeOf("1e999"), JsonError::kNumber);
    EXPECT_EQ(causeOf("{\"a\":1,\"a\":2}"), -1);
    EXPECT_EQ(causeOf("{\"a\":1,\"a\":2}", true), JsonError::kTwice);
    EXPECT_EQ(Json::parse("{\"a\":1,\"a\":2}").at("a"), Json(2));
    const auto nested = [](int depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_EQ(causeOf(nested(Json::kDeepest)), -1);
    EXPECT_EQ(causeOf(nested(Json::kDeepest + 1)), JsonError::kNested);
    EXPECT_EQ(causeOf(std::string(1'000'000, '[')), JsonError::kNested);
    EXPECT_FALSE(Json::parsed("nul"));
    try
    {
        Json::parse("[1, x]");
        ADD_FAILURE();
    }
    catch (const JsonError& error)
    {
        EXPECT_EQ(error.byte, 5u);
    }
}

TEST(Json, ValuesOfAnotherTypeAreRefused)
{
    EXPECT_THROW(Json("1").get<double>(), JsonError);
    EXPECT_THROW(Json(1).get<std::string>(), JsonError);
    EXPECT_THROW(Json(1).get<bool>(), JsonError);
    EXPECT_THROW(Json(1).members(), JsonError);
    EXPECT_THROW(Json(1).push_back(2), JsonError);
    EXPECT_THROW(Json::object().at("a"), JsonError);
    EXPECT_EQ(Json(1).find("a"), nullptr);
}

}  // namespace
}  // namespace orogen

#include "core/script.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

namespace orogen {
namespace {

template <class Step>
Step only(std::string_view line)
{
    const auto script = parseScript(line, "s.txt");
    EXPECT_TRUE(script) << line;
    EXPECT_TRUE(script && script->steps.size() == 1 && std::holds_alternative<Step>(script->steps[0].action)) << line;
    return script ? std::get<Step>(script->steps.at(0).action) : Step{};
}

TEST(Script, ReadsEveryStep)
{
    EXPECT_EQ(only<step::Set>("set cbt.depth 20").key, "cbt.depth");
    EXPECT_EQ(only<step::Set>("set view.position [1, 2, 3]").value, "[1, 2, 3]");
    EXPECT_EQ(only<step::Click>("click Terrain/depth").item, "Terrain/depth");
    EXPECT_EQ(only<step::Key>("key Ctrl+Q").name, "Ctrl+Q");
    const auto drag = only<step::Drag>("drag Terrain/depth -12.5 3");
    EXPECT_EQ(drag.item, "Terrain/depth");
    EXPECT_EQ(drag.dx, -12.5);
    EXPECT_EQ(drag.dy, 3);
    EXPECT_EQ(only<step::Open>("open a folder/dem.tif").file, "a folder/dem.tif");
    EXPECT_EQ(only<step::WaitFrames>("wait 30").frames, 30);
    only<step::WaitSettled>("wait settled");
    EXPECT_EQ(only<step::Screenshot>("screenshot out.png").file, "out.png");
    EXPECT_EQ(only<step::Capture>("capture a folder 100").folder, "a folder");
    EXPECT_EQ(only<step::Capture>("capture \"a #1\" 100").folder, "a #1");
    EXPECT_EQ(only<step::Capture>("capture out 100").frames, 100);
    EXPECT_EQ(only<step::Mark>("mark the ridge").name, "the ridge");
    EXPECT_FALSE(parseScript("mark", "s.txt"));
    EXPECT_FALSE(parseScript("mark " + std::string(65, 'x'), "s.txt"));
    only<step::Quit>("quit");
    const auto expect = only<step::Expect>("expect message != no such file");
    EXPECT_EQ(expect.key, "message");
    EXPECT_EQ(expect.relation, Relation::kNotEqual);
    EXPECT_EQ(expect.value, "no such file");
}

TEST(Script, EveryOperatorReadsBack)
{
    for (const char* text : {"==", "!=", "<", "<=", ">", ">="})
    {
        EXPECT_EQ(textOf(only<step::Expect>(std::string("expect leaves ") + text + " 5").relation), text);
    }
}

TEST(Script, SkipsCommentsAndBlankLinesButCountsThem)
{
    const auto script = parseScript("# first\n\n  \t\nwait 1 # one\r\n\n  quit#no comment\n", "s.txt");
    ASSERT_FALSE(script);
    EXPECT_TRUE(script.error().message.starts_with("s.txt:6: ")) << script.error().message;
    const auto good = parseScript("\n# c\nwait 1 # one\r\n   quit   # now", "s.txt");
    ASSERT_TRUE(good);
    ASSERT_EQ(good->steps.size(), 2u);
    EXPECT_EQ(good->steps[0].line, 3);
    EXPECT_EQ(good->steps[1].line, 4);
}

TEST(Script, QuotesKeepBlanksAndHashes)
{
    EXPECT_EQ(only<step::Open>("open \" a # b.tif\"  # c").file, " a # b.tif");
    EXPECT_EQ(only<step::Open>("open a#b.tif").file, "a#b.tif");
}

TEST(Script, WhatIsNoStepIsRefusedWithItsLine)
{
    const std::pair<const char*, ExitCode> cases[] = {
        {"inject reset", ExitCode::kUsage},
        {"run", ExitCode::kInput},
        {"run multiword =3", ExitCode::kInput},
        {"capture out", ExitCode::kInput},
        {"capture 100", ExitCode::kInput},
        {"capture out 0", ExitCode::kInput},
        {"capture out -3", ExitCode::kInput},
        {"capture out 1e3", ExitCode::kInput},
        {"capture out 10000001", ExitCode::kInput},
        {"SET cbt.depth 3", ExitCode::kUsage},
        {"set cbt.dept 20", ExitCode::kUsage},
        {"set cbt.depth 59", ExitCode::kUsage},
        {"set lod.frozen perhaps", ExitCode::kUsage},
        {"set", ExitCode::kInput},
        {"set cbt.depth", ExitCode::kInput},
        {"click", ExitCode::kInput},
        {"click Terrain/depth twice", ExitCode::kInput},
        {"key", ExitCode::kInput},
        {"drag Terrain/depth 1", ExitCode::kInput},
        {"drag Terrain/depth 1 2 3", ExitCode::kInput},
        {"drag Terrain/depth 1 nan", ExitCode::kInput},
        {"drag Terrain/depth 1 1e9", ExitCode::kInput},
        {"open", ExitCode::kInput},
        {"open \"\"", ExitCode::kInput},
        {"wait", ExitCode::kInput},
        {"wait 0", ExitCode::kInput},
        {"wait -1", ExitCode::kInput},
        {"wait 1.5", ExitCode::kInput},
        {"wait 99999999999999999999", ExitCode::kInput},
        {"wait settle", ExitCode::kInput},
        {"screenshot", ExitCode::kInput},
        {"expect leaves", ExitCode::kInput},
        {"expect leaves =", ExitCode::kInput},
        {"expect leaves = 3", ExitCode::kInput},
        {"expect leaves == ", ExitCode::kInput},
        {"quit now", ExitCode::kInput},
    };
    for (const auto& [line, code] : cases)
    {
        SCOPED_TRACE(line);
        const auto script = parseScript(std::string("wait 1\n") + line + "\nquit\n", "folder/s.txt");
        ASSERT_FALSE(script);
        EXPECT_EQ(script.error().code, code) << script.error().message;
        EXPECT_TRUE(script.error().message.starts_with("folder/s.txt:2: ")) << script.error().message;
        EXPECT_NE(script.error().message.find("expected"), std::string::npos) << script.error().message;
        EXPECT_EQ(script.error().message.find('\n'), std::string::npos);
    }
}

TEST(Script, AnyBytesGiveAScriptOrAnError)
{
    std::mt19937 random(3);
    const std::string words[] = {"set ",
                                 "expect ",
                                 "drag ",
                                 "wait ",
                                 "\"",
                                 "#",
                                 "\n",
                                 "==",
                                 "-1e9",
                                 "[",
                                 ",",
                                 "cbt.depth ",
                                 std::string(1, '\0'),
                                 "\xff",
                                 "open ",
                                 "9999999999999",
                                 "\r",
                                 "\t"};
    for (int i = 0; i < 20'000; ++i)
    {
        std::string text;
        for (auto n = random() % 12; n > 0; --n)
        {
            text += words[random() % std::size(words)];
        }
        const auto script = parseScript(text, "s");
        if (!script)
        {
            ASSERT_EQ(script.error().message.find_first_of("\n\r"), std::string::npos) << text;
        }
    }
}

TEST(Script, UnreadableFilesAreNamed)
{
    for (const char* file : {"/no/such/script.txt", "/", "/dev/null/x"})
    {
        const auto script = readScript(file);
        ASSERT_FALSE(script);
        EXPECT_EQ(script.error().code, ExitCode::kInput);
        EXPECT_TRUE(script.error().message.starts_with(file));
    }
    const auto path = std::filesystem::temp_directory_path() / ("orogen_script_" + std::to_string(::getpid()));
    std::ofstream(path) << "wait 3\n";
    const auto script = readScript(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(script);
    EXPECT_EQ(script->steps.size(), 1u);
}

TEST(ScriptCompare, OrdersNumbersByValue)
{
    const char* ascending[] = {"-1e400",
                               "-100000000000000000000000000000000001",
                               "-100000000000000000000000000000000000",
                               "-2.5",
                               "-2.49999999999999999999",
                               "-1e-400",
                               "0",
                               "1e-400",
                               "0.1",
                               "0.10000000000000000000000000001",
                               "9",
                               "10",
                               "99.9",
                               "1e2",
                               "123456789012345678901234567890",
                               "123456789012345678901234567891"};
    for (std::size_t i = 0; i < std::size(ascending); ++i)
    {
        for (std::size_t j = 0; j < std::size(ascending); ++j)
        {
            SCOPED_TRACE(std::string(ascending[i]) + " and " + ascending[j]);
            EXPECT_EQ(*compare(ascending[i], Relation::kLess, ascending[j]), i < j);
            EXPECT_EQ(*compare(ascending[i], Relation::kLessOrEqual, ascending[j]), i <= j);
            EXPECT_EQ(*compare(ascending[i], Relation::kGreater, ascending[j]), i > j);
            EXPECT_EQ(*compare(ascending[i], Relation::kGreaterOrEqual, ascending[j]), i >= j);
            EXPECT_EQ(*compare(ascending[i], Relation::kEqual, ascending[j]), i == j);
            EXPECT_EQ(*compare(ascending[i], Relation::kNotEqual, ascending[j]), i != j);
        }
    }
}

TEST(ScriptCompare, NumbersAreEqualHoweverTheyAreWritten)
{
    for (const auto& [a, b] : {std::pair("7", "7.0"),
                               {"007", "7"},
                               {"1e3", "1000"},
                               {"-0", "0.00"},
                               {"12.50", "1.25E+1"},
                               {"+3", "3"},
                               {".5", "0.5"},
                               {"0e99", "0"},
                               {"[1, 2.0,3]", "1,2,3"},
                               {"true", "on"},
                               {"off", "false"},
                               {"lit", "lit"}})
    {
        EXPECT_TRUE(*compare(a, Relation::kEqual, b)) << a << ' ' << b;
    }
    for (const auto& [a, b] : {std::pair("10", "9"),
                               {"lit", "Lit"},
                               {"[1,2]", "[1,2,3]"},
                               {"[1,2,3]", "[1,2,4]"},
                               {"ff", "FF"},
                               {"", "0"},
                               {"nan", "0"},
                               {"1x", "1"},
                               {"1e+-5", "1e-5"},
                               {"1.2.3", "1.2"}})
    {
        EXPECT_TRUE(*compare(a, Relation::kNotEqual, b)) << a << ' ' << b;
    }
}

TEST(ScriptCompare, TextHasNoOrder)
{
    for (const auto& [a, b] : {std::pair("lit", "5"), {"5", "lit"}, {"null", "0"}, {"nan", "nan"}, {"[1,2]", "[1,3]"}})
    {
        const auto result = compare(a, Relation::kLess, b);
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ExitCode::kUsage);
    }
}

TEST(Script, GoesToAPlaceOfTheEarth)
{
    const Result<Script> script = parseScript("goto 46.5 -8 2e7\nbookmark set 3\nbookmark go 1\n", "s");
    ASSERT_TRUE(script) << script.error().message;
    EXPECT_EQ(std::get<step::GoTo>(script->steps[0].action).place, (Geodetic{46.5, -8, 2e7}));
    EXPECT_TRUE(std::get<step::Bookmark>(script->steps[1].action).set);
    EXPECT_EQ(std::get<step::Bookmark>(script->steps[2].action).number, 1);
}

TEST(Script, PlacesOffTheEarthAreRefusedWithTheirLine)
{
    const Result<Script> named = parseScript("goto Mont Blanc\ngoto \"Rio de Janeiro\"\n", "s");
    ASSERT_TRUE(named);
    EXPECT_EQ(std::get<step::GoTo>(named->steps[0].action).name, "Mont Blanc");
    EXPECT_EQ(std::get<step::GoTo>(named->steps[1].action).name, "Rio de Janeiro");
    EXPECT_EQ(parseScript("goto 91 0 0\n", "s").error().code, ExitCode::kUsage);
    const Result<Script> model = parseScript(
        "model run 12\nmodel save a b.tif\nbrush fault -5 2.5 30 -1\nredo\nmodel window\nmodel window 5 -7 900\n", "s");
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(std::get<step::Model>(model->steps[0].action).steps, 12u);
    EXPECT_EQ(std::get<step::Model>(model->steps[1].action).file, "a b.tif");
    EXPECT_EQ(std::get<step::Brush>(model->steps[2].action).amount, -1);
    EXPECT_TRUE(std::get<step::Undo>(model->steps[3].action).again);
    EXPECT_FALSE(std::get<step::Model>(model->steps[4].action).window);
    EXPECT_EQ(std::get<step::Model>(model->steps[5].action).window, (std::array<double, 3>{5, -7, 900}));
    for (const char* wrong : {"model run 0\n", "model run\n", "model save\n", "model grow\n", "model play 3\n",
                              "model window 1 2\n", "model window 1 2 0\n", "undo 2\n", "brush paint 0 0 1 1\n",
                              "brush raise 0 0 0 1\n", "brush smooth 0 0 1 2\n"})
        EXPECT_EQ(parseScript(wrong, "s").error().code, ExitCode::kInput) << wrong;
    EXPECT_EQ(parseScript("goto 1 2\n", "s").error().code, ExitCode::kInput);
    EXPECT_EQ(parseScript("bookmark set 4\n", "s").error().code, ExitCode::kInput);
    EXPECT_TRUE(parseScript("\ngoto 91 0 0\n", "s").error().message.starts_with("s:2: latitude"));
}

}  // namespace
}  // namespace orogen

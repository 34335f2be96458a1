#include "app/gl/shader_source.h"

#include <map>
#include <sstream>

#include <gtest/gtest.h>

namespace orogen::app {
namespace {

using Files = std::map<std::string, std::string>;

ShaderReader memoryReader(Files files)
{
    return [files = std::move(files)](const std::string& path) -> std::optional<std::string> {
        const auto found = files.find(path);
        return found == files.end() ? std::nullopt : std::optional(found->second);
    };
}

Result<ShaderSource> resolve(Files files, const std::string& path = "shaders/main.comp")
{
    return resolveShader(memoryReader(std::move(files)), path, {});
}

std::string errorOf(const Result<ShaderSource>& result)
{
    if (result) return "(no error)";
    EXPECT_EQ(result.error().code, ExitCode::kShader);
    EXPECT_EQ(result.error().message.find('\n'), std::string::npos);
    return result.error().message;
}

// Finds the place of the line `marker` as "file:line", by following #line directives like a preprocessor.
std::string placeOf(const ShaderSource& source, const std::string& marker)
{
    std::istringstream lines(source.text);
    std::size_t file = 0;
    int line = 1;
    for (std::string text; std::getline(lines, text); ++line)
    {
        if (text == marker) return source.files[file] + ":" + std::to_string(line);
        if (std::istringstream words(text); text.rfind("#line ", 0) == 0)
        {
            std::string directive;
            words >> directive >> line >> file;
            --line;  // the directive names the line that follows it
        }
    }
    return "(not found)";
}

int countOf(const std::string& text, const std::string& part)
{
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(ShaderSource, AGuardedFileIsIncludedOnceUnlessAConditionSurroundedIt)
{
    const std::string guarded = "// words\n#ifndef G\n#define G\ncontent\n#endif\n",
                      plain = "#ifndef G\n#define H\ncontent\n#endif\n";
    const std::string twice = "#include \"shaders/g.glsl\"\n#include \"shaders/g.glsl\"\nafter\n";
    const std::string afterCondition = "#ifdef A\n#include \"shaders/g.glsl\"\n#endif\n#include \"shaders/g.glsl\"\n";
    const std::string around = "#ifndef O\n#define O\n#include \"shaders/g.glsl\"\n#ifdef A\n#endif\n#endif\n";
    const auto copies = [&](const std::string& main, const std::string& file) {
        const auto source =
            resolve({{"shaders/main.comp", main}, {"shaders/g.glsl", file}, {"shaders/o.glsl", around}});
        EXPECT_TRUE(source) << errorOf(source);
        if (countOf(main, "after") > 0)
        {
            EXPECT_EQ(placeOf(*source, "after"), "shaders/main.comp:3");
        }
        return countOf(source->text, "content");
    };
    EXPECT_EQ(copies(twice, guarded), 1);
    EXPECT_EQ(copies(twice, plain), 2);
    EXPECT_EQ(copies(afterCondition, guarded), 2);
    EXPECT_EQ(copies("#include \"shaders/o.glsl\"\n#include \"shaders/g.glsl\"\n", guarded), 1);
    EXPECT_EQ(copies("#if 0\n#include \"shaders/o.glsl\"\n#endif\n#include \"shaders/g.glsl\"\n", guarded), 2);
}

TEST(ShaderSource, LinesKeepTheirFileAndNumberThroughIncludes)
{
    const auto source = resolve({{"shaders/main.comp", "top\n#include \"shaders/lib.glsl\"\nafter\n"},
                                 {"shaders/lib.glsl", "one\n  #  include \"core/layout.h\"\r\nthree"},
                                 {"core/layout.h", "#include <core/types.h>\ninner\n"}});
    ASSERT_TRUE(source) << errorOf(source);
    EXPECT_EQ(placeOf(*source, "top"), "shaders/main.comp:1");
    EXPECT_EQ(placeOf(*source, "one"), "shaders/lib.glsl:1");
    EXPECT_EQ(placeOf(*source, "inner"), "core/layout.h:2");
    EXPECT_EQ(placeOf(*source, "three"), "shaders/lib.glsl:3");
    EXPECT_EQ(placeOf(*source, "after"), "shaders/main.comp:3");
    EXPECT_EQ(source->text.find("types.h"), std::string::npos);
}

TEST(ShaderSource, VersionAndDefinesComeFirst)
{
    const auto reader = memoryReader({{"shaders/a.vert", "text\n"}});
    const auto at460 = resolveShader(reader, "shaders/a.vert", {.glsl460 = true}, {{"LEVEL", "3"}});
    EXPECT_EQ(at460->text.rfind("#version 460 core\n", 0), 0u);
    EXPECT_NE(at460->text.find("#define LEVEL 3\n"), std::string::npos);
    EXPECT_NE(at460->text.find("#define OROGEN_DRAW_ID gl_DrawID\n"), std::string::npos);
    const auto at450 = resolveShader(reader, "shaders/a.vert", {.glsl460 = false}, {});
    EXPECT_EQ(at450->text.rfind("#version 450 core\n#extension GL_ARB_shader_draw_parameters : require\n", 0), 0u);
    EXPECT_NE(at450->text.find("#define OROGEN_BASE_INSTANCE gl_BaseInstanceARB\n"), std::string::npos);
}

TEST(ShaderSource, AFileMayComeTwice)
{
    const auto source = resolve({{"shaders/main.comp", "#include \"shaders/a.glsl\"\n#include \"shaders/b.glsl\"\n"},
                                 {"shaders/a.glsl", "#include \"shaders/b.glsl\"\n"},
                                 {"shaders/b.glsl", "b\n"}});
    ASSERT_TRUE(source) << errorOf(source);
    EXPECT_EQ(source->files.size(), 4u);  // prelude, main, a, b
}

Files chain(int depth)  // main includes 1, 1 includes 2, ... up to `depth`
{
    Files files;
    const auto name = [](int i) { return i == 0 ? "shaders/main.comp" : "shaders/" + std::to_string(i) + ".glsl"; };
    for (int i = 0; i < depth; ++i)
        files[name(i)] = "#include \"" + name(i + 1) + "\"\n";
    files[name(depth)] = "end\n";
    return files;
}

TEST(ShaderSource, SixteenLevelsAreAllowedAndNoMore)
{
    EXPECT_TRUE(resolve(chain(16)));
    EXPECT_NE(errorOf(resolve(chain(17))).find("deeper than 16"), std::string::npos);
}

TEST(ShaderSource, ACycleIsNamed)
{
    const std::string error = errorOf(resolve({{"shaders/main.comp", "\n#include \"shaders/a.glsl\"\n"},
                                               {"shaders/a.glsl", "#include \"shaders/main.comp\"\n"}}));
    EXPECT_EQ(error, "shaders/a.glsl:1: \"shaders/main.comp\" includes itself");
}

TEST(ShaderSource, AMissingFileIsNamedWithTheLineThatAskedForIt)
{
    const std::string error = errorOf(resolve({{"shaders/main.comp", "\n\n#include \"shaders/none.glsl\"\n"}}));
    EXPECT_EQ(error, "shaders/main.comp:3: \"shaders/none.glsl\" cannot be read");
}

TEST(ShaderSource, NothingOutsideShadersAndCoreIsRead)
{
    for (const std::string path : {"../secret", "/etc/passwd", "shaders/../secret", "core/..", "app/main.cpp", "",
                                   "shaders//etc/passwd", "shaders\\x"})
    {
        SCOPED_TRACE(path);
        bool asked = false;
        const ShaderReader reader = [&](const std::string& file) -> std::optional<std::string> {
            if (file == "shaders/main.comp") return "#include \"" + path + "\"\n";
            asked = true;
            return "secret";
        };
        EXPECT_FALSE(resolveShader(reader, "shaders/main.comp", {}));
        EXPECT_FALSE(asked);
    }
}

TEST(ShaderSource, AnIncludeWithoutItsQuoteIsAnError)
{
    EXPECT_NE(errorOf(resolve({{"shaders/main.comp", "#include \"shaders/x.glsl\n"}})).find(":1:"), std::string::npos);
    EXPECT_NE(errorOf(resolve({{"shaders/main.comp", "#include"}})).find(":1:"), std::string::npos);
}

TEST(ShaderSource, AVersionInAFileIsAnError)
{
    EXPECT_NE(errorOf(resolve({{"shaders/main.comp", "x\n# version 430\n"}})).find("main.comp:2"), std::string::npos);
}

TEST(ShaderSource, DirectivesThatOnlyBeginAlikeAreLeftAlone)
{
    const auto source = resolve({{"shaders/main.comp", "#included \"x\"\n#versions\n"}});
    ASSERT_TRUE(source) << errorOf(source);
    EXPECT_NE(source->text.find("#included \"x\"\n#versions\n"), std::string::npos);
}

TEST(ShaderSource, IncludesThatDoubleAtEveryLevelAreStopped)
{
    Files files = chain(14);
    for (auto& [name, text] : files)
        text += text;
    files["shaders/14.glsl"] = std::string(1000, 'x');
    EXPECT_NE(errorOf(resolve(files)).find("more than 1024 includes"), std::string::npos);
}

TEST(ShaderSource, APathMayHoldAChoice)
{
    const std::map<std::string, std::string> files = {{"shaders/main.comp", "#include \"shaders/lod_@world.glsl\"\n"},
                                                      {"shaders/lod_plane.glsl", "on a plane\n"},
                                                      {"shaders/lod_earth.glsl", "on the Earth\n"}};
    const auto plane = resolve(files);
    ASSERT_TRUE(plane);
    EXPECT_NE(plane->text.find("on a plane"), std::string::npos);
    const auto earth = resolveShader(memoryReader(files), "shaders/main.comp", {}, {{"@world", "earth"}});
    ASSERT_TRUE(earth);
    EXPECT_NE(earth->text.find("on the Earth"), std::string::npos);
    EXPECT_EQ(earth->text.find("#define @"), std::string::npos);
    ASSERT_EQ(earth->choices.size(), 1u);
    EXPECT_EQ(earth->choices[0].name + earth->choices[0].value, "@worldearth");
}

TEST(ShaderSource, AnUnknownChoiceIsAnError)
{
    const std::string error = errorOf(resolve({{"shaders/main.comp", "#include \"shaders/lod_@moon.glsl\"\n"}}));
    EXPECT_NE(error.find("shaders/main.comp:1"), std::string::npos) << error;
    EXPECT_NE(error.find("@moon"), std::string::npos) << error;
}

TEST(ShaderSource, ATextOfManyMegabytesIsStopped)
{
    const std::string error = errorOf(resolve({{"shaders/main.comp", std::string((4u << 20) + 1, 'x')}}));
    EXPECT_NE(error.find("longer than"), std::string::npos);
}

TEST(ShaderLog, NamesFilesInTheWordingOfEachDriver)
{
    const ShaderSource source = {"", {"<prelude>", "shaders/a.frag", "core/layout.h"}, {}};
    EXPECT_EQ(mapShaderLog("1:12(5): error: x", source), "shaders/a.frag:12(5): error: x\n");
    EXPECT_EQ(mapShaderLog("2(7) : error C1008: x\n", source), "core/layout.h:7 : error C1008: x\n");
    EXPECT_EQ(mapShaderLog("ERROR: 1:3: x", source), "ERROR: shaders/a.frag:3: x\n");
    EXPECT_EQ(mapShaderLog("9:3: x", source), "9:3: x\n");
    EXPECT_EQ(mapShaderLog("99999999999999999999:3: x", source), "99999999999999999999:3: x\n");
    EXPECT_EQ(mapShaderLog("linking failed", source), "linking failed\n");
}

TEST(ShaderLog, FindsTheFileOfANameWhereTheDriverDoesNotSay)
{
    const auto source = resolve({{"shaders/main.comp", "x\n#include \"shaders/lib.glsl\"\nlost\nboth\n"},
                                 {"shaders/lib.glsl", "a\nb\nfound\nboth\n"}});
    ASSERT_TRUE(source);
    EXPECT_EQ(mapShaderLog("0:3(9): error: `found' undeclared", *source),
              "shaders/lib.glsl:3(9): error: `found' undeclared\n");
    EXPECT_EQ(mapShaderLog("0:3(9): error: `lost' undeclared", *source),
              "shaders/main.comp:3(9): error: `lost' undeclared\n");
    EXPECT_EQ(mapShaderLog("0:4(9): error: `both' undeclared", *source),
              "shaders/main.comp or an include:4(9): error: `both' undeclared\n");
    EXPECT_EQ(mapShaderLog("0:4(9): error: no name", *source),
              "shaders/main.comp or an include:4(9): error: no name\n");
}

TEST(ShaderLog, TheFirstErrorComesBeforeEarlierWarnings)
{
    EXPECT_EQ(firstShaderError("a:1: warning: w\nb:2: error: e\nc:3: error: f\n"), "b:2: error: e");
    EXPECT_EQ(firstShaderError("only this\n"), "only this");
    EXPECT_EQ(firstShaderError(""), "");
}

}  // namespace
}  // namespace orogen::app

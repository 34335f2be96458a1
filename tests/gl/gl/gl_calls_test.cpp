#include "app/gl/driver.h"

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "orogen_test_places.h"
#include "tests/gl/support.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

using GlCalls = test::GlTest;

TEST_F(GlCalls, AreCountedWhileACounterLives)
{
    const PFNGLFLUSHPROC flush = glad_glFlush;
    for (int round = 0; round < 2; ++round)
    {
        GlCallCounter counter;
        EXPECT_EQ(counter.take(), 0u);
        glFlush();
        glDepthMask(GL_TRUE);
        EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
        EXPECT_EQ(counter.take(), 3u);
        EXPECT_EQ(counter.take(), 0u);
    }
    EXPECT_EQ(glad_glFlush, flush);
}

TEST(GlCallList, NamesEveryFunctionThatTheProgramCalls)
{
    const std::string root = OROGEN_ROOT, list = orogen::test::contentOf(root + "/app/gl/driver.cpp");
    const std::regex call("\\bgl[A-Z][A-Za-z0-9_]*(?=\\()");
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root + "/app"))
    {
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
        const std::string text = orogen::test::contentOf(entry.path());
        for (std::sregex_iterator it(text.begin(), text.end(), call), end; it != end; ++it)
            names.insert(it->str());
    }
    for (const char* own : {"glInteger", "glInteger64", "glText"})  // functions of app/gl/context.cpp
        names.erase(own);
    EXPECT_GT(names.size(), 80u);
    for (const std::string& name : names)
        EXPECT_NE(list.find("F(" + name + ")"), std::string::npos) << name;
}

}  // namespace
}  // namespace orogen::app

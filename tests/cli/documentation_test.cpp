// Runs every example of the documentation: lines of fenced blocks that begin with "orogen ", in order, in one empty
// folder per page. A trailing "# exit 1" gives the expected exit code. Blocks that begin with ```sh norun are skipped;
// the text before them gives the reason.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/places.h"
#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

struct Example
{
    int line = 0;
    std::string command;
    int exitCode = 0;
};

struct Page
{
    std::vector<Example> examples;
    // Files from blocks headed ```NAME, such as scripts of the examples.
    std::vector<std::pair<std::string, std::string>> files;
};

Page pageIn(const std::filesystem::path& file)
{
    Page page;
    std::ifstream text(file);
    bool inside = false, runs = false;
    std::string named;
    int number = 0;
    const std::regex exit("#.*exit ([0-9]+)");
    for (std::string line; std::getline(text, line);)
    {
        ++number;
        if (line.starts_with("```"))
        {
            inside = !inside;
            runs = inside && line != "```sh norun";
            const std::string heading = line.substr(3);
            named = inside && heading.find('.') != heading.npos ? heading : "";
            if (!named.empty()) page.files.emplace_back(named, "");
            continue;
        }
        if (!named.empty()) page.files.back().second += line + "\n";
        if (!inside || !runs || !named.empty() || !line.starts_with("orogen ")) continue;
        std::smatch found;
        const int code = std::regex_search(line, found, exit) ? std::stoi(found[1]) : 0;
        page.examples.push_back({number, line, code});
    }
    return page;
}

std::vector<std::string> pages()
{
    std::vector<std::string> names;
    const std::filesystem::path folder = std::filesystem::path(OROGEN_ROOT) / "assets/docs";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".md")
            names.push_back(entry.path().lexically_relative(folder).replace_extension().string());
    std::sort(names.begin(), names.end());
    return names;
}

class Documentation : public testing::TestWithParam<std::string>
{
};

TEST_P(Documentation, EveryExampleDoesWhatItSays)
{
    const Page page = pageIn(std::filesystem::path(OROGEN_ROOT) / "assets/docs" / (GetParam() + ".md"));
    const test::TemporaryFolder folder;
    for (const auto& [name, content] : page.files)
        std::ofstream(std::filesystem::path(folder.path()) / name) << content;
    for (const Example& example : page.examples)
    {
        const test::RunOptions options{.unset = {"DISPLAY", "WAYLAND_DISPLAY"}, .folder = folder.path()};
        const std::string shell = "orogen() { '" OROGEN_PROGRAM "' \"$@\"; }\n" + example.command + "\n";
        const test::Finished run = test::runProgram({"/bin/bash", "-c", shell}, options);
        EXPECT_EQ(run.code, example.exitCode) << GetParam() << ".md:" << example.line << ": " << example.command << "\n"
                                              << run.err;
    }
}

// Names the test of page "use/viewer" use_viewer.
std::string testName(const testing::TestParamInfo<std::string>& page)
{
    std::string name = page.param;
    std::ranges::replace(name, '/', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Pages, Documentation, testing::ValuesIn(pages()), testName);

}  // namespace
}  // namespace orogen

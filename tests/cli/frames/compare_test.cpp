// orogen compare and orogen report --recover: exit codes, tables, JSON keys and pages.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/frames/compare/comparison.h"
#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/temporary_folder.h"

namespace orogen {
namespace {

using test::Finished;
using test::runProgram;
using test::SyntheticCapture;
using test::syntheticCapture;
using test::TemporaryFolder;
using test::writeCapture;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

Finished orogen(Words arguments, const test::RunOptions& options = {})
{
    arguments.insert(arguments.begin(), OROGEN_PROGRAM);
    return runProgram(arguments, options);
}

void expectOneLine(const Finished& run, int code, const std::string& part)
{
    EXPECT_EQ(run.code, code) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(test::lineCount(run.err), 1) << run.err;
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
}

SyntheticCapture slowed(SyntheticCapture capture, double factor)
{
    capture.intervalMs *= factor;
    capture.seed += 1;
    return capture;
}

// Compares two captures of three runs; the second takes `factor` times as long.
class Compare : public testing::Test
{
protected:
    Finished compared(double factor, Words further = {})
    {
        writeCapture(a_, syntheticCapture());
        writeCapture(b_, slowed(syntheticCapture(), factor));
        Words words = {"compare", "--baseline", a_, "--candidate", b_};
        words.insert(words.end(), further.begin(), further.end());
        return orogen(words);
    }

    const TemporaryFolder folder_;
    const std::string a_ = folder_ / "a", b_ = folder_ / "b";
};

TEST_F(Compare, SlowerExits1)
{
    const Finished run = compared(1.2);
    EXPECT_EQ(run.code, 1) << run.err;
    EXPECT_EQ(run.err, "");
    EXPECT_NE(run.out.find("interval_ms.mean  slower"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find(a_ + " (3 runs)"), std::string::npos) << run.out;
}

TEST_F(Compare, FasterExits0)
{
    const Finished run = compared(0.8);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("faster"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("slower"), std::string::npos) << run.out;
}

TEST_F(Compare, TakesSeveralNamedSides)
{
    const std::string c = folder_ / "c";
    writeCapture(a_, syntheticCapture());
    writeCapture(b_, slowed(syntheticCapture(), 1));
    writeCapture(c, slowed(syntheticCapture(), 1.2));
    const Words three = {"compare", "--side", "main=" + a_, "--side", "same=" + b_, "--side", "slow=" + c};
    const auto with = [&](Words further) {
        Words words = three;
        words.insert(words.end(), further.begin(), further.end());
        return orogen(words);
    };
    const Finished text = with({"--html", folder_ / "sides.html"});
    EXPECT_EQ(text.code, 1) << text.err;
    EXPECT_TRUE(text.out.starts_with("same: ")) << text.out;
    EXPECT_NE(text.out.find("\nslow: slower: mean frame time +2"), std::string::npos) << text.out;
    EXPECT_NE(test::contentOf(folder_ / "sides.html").find("<h2>slow against main</h2>"), std::string::npos);
    const Json json = Json::parse(with({"--json"}).out);
    EXPECT_EQ(json["baseline"], "main");
    EXPECT_EQ(json["sides"][1]["name"], "slow");
    EXPECT_EQ(json["sides"][1]["metrics"][0]["verdict"], "slower");
    EXPECT_EQ(json["slower"], true);
    const std::string read = "import sys, xml.etree.ElementTree as e\n"
                             "print([s.get('name') for s in e.parse(sys.argv[1]).getroot().findall('testsuite')])\n";
    EXPECT_EQ(with({"--format", "junit", "--out", folder_ / "v.xml"}).code, 1);
    EXPECT_EQ(runProgram({"/usr/bin/python3", "-c", read, folder_ / "v.xml"}).out,
              "['orogen compare same', 'orogen compare slow']\n");
    expectOneLine(orogen({"compare", "--side", "main=" + a_, "--side", "same=" + b_}), 2, "expected 3 to 6");
    expectOneLine(with({"--baseline", a_}), 2, "--side");
    expectOneLine(orogen({"compare", "--side", "main"}), 2, "NAME=DIR");
    expectOneLine(orogen({"compare", "--candidate", a_}), 2, "--baseline");
    expectOneLine(with({"--side", "slow=" + c}), 2, "twice");
}

TEST_F(Compare, ABaselineIsKeptAndComparedWith)
{
    const std::string store = folder_ / "store", page = folder_ / "trend.html";
    SyntheticCapture later = slowed(syntheticCapture(), 1.2);
    later.metadata.created = "2024-05-02T12:34:56Z";
    later.metadata.commit = "1234567";
    writeCapture(a_, syntheticCapture());
    writeCapture(b_, later);
    const auto baseline = [&](Words words) {
        words.insert(words.begin(), "baseline");
        words.insert(words.end(), {"--store", store});
        return orogen(words);
    };
    const Finished none = baseline({"list"});
    EXPECT_EQ(none.code, 0);
    EXPECT_EQ(none.err, "orogen: " + store + ": found no baseline\n");
    expectOneLine(baseline({"compare", a_, "--name", "main"}), 5, "expected one");
    const Finished added = baseline({"add", a_, "--name", "main"});
    EXPECT_EQ(added.code, 0) << added.err;
    EXPECT_TRUE(added.out.starts_with(store + "/main-")) << added.out;
    expectOneLine(baseline({"add", a_, "--name", "main"}), 8, "main-");
    expectOneLine(baseline({"add", a_, "--name", "a/b"}), 2, "letters, digits");
    expectOneLine(baseline({"compare", a_, "--name", "main"}), 5, "no other baseline");  // itself
    const Finished slower = baseline({"compare", b_, "--name", "main", "--format", "markdown", "--html", page});
    EXPECT_EQ(slower.code, 1) << slower.err;
    EXPECT_TRUE(slower.out.starts_with("**slower: mean frame time +")) << slower.out;
    EXPECT_NE(test::contentOf(page).find("<h2>Trend</h2>"), std::string::npos);
    EXPECT_EQ(baseline({"add", b_, "--name", "main"}).code, 0);
    const Json list = Json::parse(baseline({"list", "--json", "--html", page}).out);
    ASSERT_EQ(list["baselines"].size(), 2u);
    EXPECT_EQ(list["baselines"][1]["commit"], "1234567");
    EXPECT_NEAR(double(list["baselines"][1]["median_ms"]) / double(list["baselines"][0]["median_ms"]), 1.2, 0.02);
    EXPECT_NE(test::contentOf(page).find("1234567"), std::string::npos);
    expectOneLine(baseline({"list", "--html", std::string(list["baselines"][0]["file"])}), 8, "main-");
    const Json pruned = Json::parse(baseline({"prune", "--keep", "1", "--json"}).out);
    EXPECT_EQ(pruned["removed"], Json::array({list["baselines"][0]["file"]}));
    EXPECT_EQ(Json::parse(baseline({"list", "--json"}).out)["baselines"].size(), 1u);
}

// Read back by Python's parser of XML: a slower metric fails, an inconclusive one is skipped.
TEST_F(Compare, JunitFailsForSlowerMetrics)
{
    const std::string read =
        "import sys, xml.etree.ElementTree as e\n"
        "s = e.parse(sys.argv[1]).getroot().find('testsuite')\n"
        "c = s.findall('testcase')\n"
        "n = lambda tag: sum(x.find(tag) is not None for x in c)\n"
        "assert int(s.get('tests')) == len(c) and int(s.get('failures')) == n('failure')\n"
        "assert int(s.get('skipped')) == n('skipped')\n"
        "print(c[0].get('name'), n('failure') > 0, [p.get('value') for p in s.iter('property')][0])\n";
    const std::string out = folder_ / "verdict.xml";
    for (const auto& [factor, fails] : {std::pair(1.2, "True"), {0.8, "False"}})
    {
        const Finished run = compared(factor, {"--format", "junit", "--out", out});
        EXPECT_EQ(run.code, factor > 1 ? 1 : 0) << run.err;
        EXPECT_EQ(run.out, "");
        const Finished python = runProgram({"/usr/bin/python3", "-c", read, out});
        EXPECT_EQ(python.out, std::string("interval_ms.mean ") + fails + " " + a_ + "\n") << python.err;
    }
}

TEST_F(Compare, MarkdownIsASentenceAndATable)
{
    const Finished run = compared(1.2, {"--format", "markdown"});
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(run.out.rfind("**slower: mean frame time +", 0), 0u) << run.out;
    EXPECT_NE(run.out.find("\n| `interval_ms.mean` | slower | +"), std::string::npos) << run.out;
    const std::size_t table = run.out.find("| metric");
    std::istringstream lines(run.out.substr(table, run.out.find("\n\n", table) - table));
    for (std::string line; std::getline(lines, line);)
        EXPECT_EQ(std::count(line.begin(), line.end(), '|'), 8) << line;
}

// Read back by Python-Markdown: a table a candidate with a row a metric, and names of sides as they are.
TEST_F(Compare, MarkdownIsReadByAnotherParser)
{
    if (runProgram({"/usr/bin/python3", "-c", "import markdown"}).code != 0)
        GTEST_SKIP() << "SKIPPED: python3-markdown was not found";
    const std::string c = folder_ / "c", out = folder_ / "verdict.md";
    writeCapture(a_, syntheticCapture());
    writeCapture(b_, slowed(syntheticCapture(), 1));
    writeCapture(c, slowed(syntheticCapture(), 1.2));
    const Finished run =
        orogen({"compare", "--side", "main=" + a_, "--side", "a_b*c*=" + b_, "--side", "<new>=" + c, "--metric",
                "interval_ms.mean", "--metric", "interval_ms.p50", "--format", "markdown", "--out", out});
    EXPECT_EQ(run.code, 1) << run.err;
    const std::string read =
        "import sys, markdown, xml.etree.ElementTree as e\n"
        "r = e.fromstring('<r>' + markdown.markdown(open(sys.argv[1]).read(), extensions=['tables']) + '</r>')\n"
        "t = r.findall('table')\n"
        "assert all(len(row) == 7 for x in t for row in x.iter('tr'))\n"
        "print([[x.find('td/code').text for x in y.find('tbody')] for y in t])\n"
        "print([''.join(h.itertext()) for h in r.iter('h3')], [x.find('tbody/tr/td[2]').text for x in t])\n";
    const Finished python = runProgram({"/usr/bin/python3", "-c", read, out});
    EXPECT_EQ(python.out, "[['interval_ms.mean', 'interval_ms.p50'], ['interval_ms.mean', 'interval_ms.p50']]\n"
                          "['a_b*c* against main', '<new> against main'] ['equivalent', 'slower']\n")
        << python.err << test::contentOf(out);
}

TEST_F(Compare, GithubGetsACommandForEachMetric)
{
    const Finished run = compared(1.2, {"--format", "github", "--metric", "interval_ms.mean"});
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(run.out.rfind("::error title=orogen interval_ms.mean::slower: ", 0), 0u) << run.out;
    EXPECT_NE(run.out.find("%25"), std::string::npos) << "a per cent sign has a meaning there";
    EXPECT_EQ(orogen({"compare", "--baseline", b_, "--candidate", a_, "--format", "github"}).out.find("::error"),
              std::string::npos);
}

TEST_F(Compare, FormatsAreThoseOfTheOtherOptions)
{
    const auto withoutTime = [](std::string text) {
        Json json = Json::parse(text);
        json.erase("time_ms");
        return json;
    };
    const std::string json = compared(1.2, {"--format", "json"}).out, html = compared(1.2, {"--format", "html"}).out;
    EXPECT_EQ(withoutTime(json), withoutTime(compared(1.2, {"--json"}).out));
    ASSERT_EQ(compared(1.2, {"--html", folder_ / "page.html"}).code, 1);
    std::ifstream page(folder_ / "page.html");
    EXPECT_EQ(html, std::string(std::istreambuf_iterator<char>(page), {}));
    expectOneLine(compared(1.2, {"--format", "xml"}), 2, "--format");
    expectOneLine(compared(1.2, {"--out", a_ + "/report.json"}), 8, "report.json");
    expectOneLine(compared(1.2, {"--out", folder_ / "x", "--html", folder_ / "x"}), 2, "--html");
    expectOneLine(compared(1.2, {"--out", folder_ / "x", "--html", folder_ / "./x"}), 2, "--html");
}

TEST_F(Compare, AMetricThatIsFramesPerSecondIsSlowerWhenItIsLower)
{
    EXPECT_EQ(compared(1.2, {"--metric", "fps_average"}).code, 1);
    EXPECT_EQ(orogen({"compare", "--baseline", b_, "--candidate", a_, "--metric", "fps_average"}).code, 0);
}

TEST_F(Compare, JsonIsOneObjectWithItsKeys)
{
    const Finished run = compared(1.2, {"--json"});
    EXPECT_EQ(run.code, 1);
    const Json json = Json::parse(run.out);
    for (const char* key : {"algorithm", "backend", "time_ms", "slower", "margin_percent", "frames", "baseline",
                            "candidate", "settings", "leaves_ratio", "triangles_ratio", "metrics", "notes"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_EQ(json.at("slower"), true);
    EXPECT_EQ(json.at("frames"), 300);
    EXPECT_EQ(json.at("baseline").at("folders"), Json::array({a_}));
    const Json& mean = json.at("metrics").at(0);
    EXPECT_EQ(mean.at("name"), "interval_ms.mean");
    EXPECT_EQ(mean.at("verdict"), "slower");
    EXPECT_NEAR(mean.at("ratio").get<double>(), 1.2, 0.05);
    EXPECT_LT(mean.at("interval_95").at(0).get<double>(), mean.at("ratio").get<double>());
    EXPECT_GT(mean.at("interval_95").at(1).get<double>(), mean.at("ratio").get<double>());
    EXPECT_EQ(mean.at("leaves_ratio"), 1);
    EXPECT_EQ(mean.at("baseline_runs").size(), 3u);
}

// The sentence, the table and the page must show one number for a difference.
TEST_F(Compare, TextAndPageSayTheSameChangeOfTime)
{
    const std::string page = folder_ / "page.html";
    for (const Words& further : {Words{"--html", page}, Words{"--html", page, "--margin", "60"}})
    {
        const Finished run = compared(0.8, further);
        EXPECT_EQ(run.code, 0) << run.err;
        const Json json = Json::parse([&] {
            Words words = {"compare", "--baseline", a_, "--candidate", b_, "--json"};
            words.insert(words.end(), further.begin(), further.end());
            return orogen(words).out;
        }());
        const Json& mean = json.at("metrics").at(0);
        const bool equivalent = mean.at("verdict") == "equivalent";
        EXPECT_EQ(equivalent, further.size() > 2);
        const Json& interval = mean.at(equivalent ? "interval_90" : "interval_95");
        const std::string change = changeText(mean.at("ratio").get<double>());
        const std::string range =
            changeText(interval.at(0).get<double>()) + " to " + changeText(interval.at(1).get<double>());
        const char* percent = equivalent ? "90 %" : "95 %";
        const std::string sentence =
            "mean frame time " + change + " (" + percent + " interval " + range + "), 3 runs a side";
        EXPECT_NE(run.out.find(sentence), std::string::npos) << run.out;
        EXPECT_NE(run.out.find(change + "  "), std::string::npos) << run.out;
        EXPECT_NE(run.out.find(range + " (" + percent + ")"), std::string::npos) << run.out;
        EXPECT_EQ(run.out.find(equivalent ? "95 %" : "90 %"), std::string::npos) << run.out;
        std::string html = test::contentOf(page);
        const std::string_view noBreak = "\u00a0";
        for (std::size_t at = html.find(noBreak); at != html.npos; at = html.find(noBreak))
            html.replace(at, noBreak.size(), " ");
        EXPECT_NE(html.find(sentence), std::string::npos);
        EXPECT_NE(html.find("<td class=n>" + change + "</td><td class=n>" + range), std::string::npos);
    }
}

TEST_F(Compare, WritesThePage)
{
    const std::string page = folder_ / "page.html";
    EXPECT_EQ(compared(1.2, {"--html", page}).code, 1);
    const std::string html = test::contentOf(page);
    EXPECT_TRUE(html.starts_with("<!doctype html>"));
    EXPECT_NE(html.find("slower"), std::string::npos);
}

TEST_F(Compare, APageThatCannotBeWrittenIs8)
{
    expectOneLine(compared(1.2, {"--html", folder_ / "no/such/folder.html"}), 8, "no/such/folder.html");
}

TEST_F(Compare, ComparesOnlyTheMetricsThatAreAskedFor)
{
    const Finished run = compared(1.2, {"--metric", "gpu_draw_ms.p95", "--metric", "cpu_ms", "--json"});
    const Json metrics = Json::parse(run.out).at("metrics");
    ASSERT_EQ(metrics.size(), 2u);
    EXPECT_EQ(metrics[0].at("name"), "gpu_draw_ms.p95");
    EXPECT_EQ(metrics[1].at("name"), "cpu_ms.mean");
}

TEST_F(Compare, AWideMarginMakesThemEquivalent)
{
    const Finished run = compared(1.05, {"--margin", "60", "--metric", "interval_ms.mean", "--json"});
    EXPECT_EQ(run.code, 0) << run.out;
    EXPECT_EQ(Json::parse(run.out).at("metrics").at(0).at("verdict"), "equivalent");
}

TEST_F(Compare, OneRunASideIsInconclusiveAnd0)
{
    SyntheticCapture one = syntheticCapture();
    one.runs = 1;
    writeCapture(a_, one);
    writeCapture(b_, slowed(one, 2));
    const Finished run = orogen({"compare", "--baseline", a_, "--candidate", b_});
    EXPECT_EQ(run.code, 0);
    EXPECT_NE(run.out.find("inconclusive"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find("slower"), std::string::npos) << run.out;
}

TEST_F(Compare, SidesOfSeveralFolders)
{
    for (const char* name : {"a1", "a2", "b1", "b2"})
        writeCapture(folder_ / name, slowed(syntheticCapture(), name[0] == 'a' ? 1 : 1.2));
    const Finished run = orogen({"compare", "--baseline", folder_ / "a1", folder_ / "a2", "--candidate", folder_ / "b1",
                                 "--candidate", folder_ / "b2", "--json"});
    EXPECT_EQ(run.code, 1) << run.err;
    EXPECT_EQ(Json::parse(run.out).at("baseline").at("runs"), 6);
    EXPECT_EQ(Json::parse(run.out).at("candidate").at("runs"), 6);
}

TEST_F(Compare, AFolderTwiceOnASideIsUsage)
{
    writeCapture(a_, syntheticCapture());
    expectOneLine(orogen({"compare", "--baseline", a_, a_ + "/../a", "--candidate", a_}), 2, "twice");
}

TEST_F(Compare, InterleavedFoldersAreNamed)
{
    writeCapture(a_, syntheticCapture());
    writeCapture(b_, slowed(syntheticCapture(), 1.2));
    EXPECT_EQ(orogen({"compare", "--baseline", a_, "--candidate", b_}).code, 1);
    expectOneLine(orogen({"compare", "--baseline", folder_.path(), "--candidate", b_}), 5, folder_.path() + "/a");
}

TEST_F(Compare, WhatIsNotComparableIs5)
{
    SyntheticCapture other = slowed(syntheticCapture(), 1);
    other.metadata.heightmapSha256 = std::string(64, '0');
    writeCapture(a_, syntheticCapture());
    writeCapture(b_, other);
    expectOneLine(orogen({"compare", "--baseline", a_, "--candidate", b_}), 5, "not comparable");
}

TEST_F(Compare, WhatCannotBeReadIs5)
{
    writeCapture(a_, syntheticCapture());
    expectOneLine(orogen({"compare", "--baseline", a_, "--candidate", folder_ / "none"}), 5, "none/report.json");
    std::ofstream(a_ + "/report.json") << "{}";
    expectOneLine(orogen({"compare", "--baseline", a_, "--candidate", a_}), 5, "/schema");
}

TEST_F(Compare, ControlCharactersOfAFileDoNotReachTheTerminal)
{
    SyntheticCapture other = slowed(syntheticCapture(), 1);
    other.metadata.glRenderer = "\x1b[31mred";
    writeCapture(a_, syntheticCapture());
    writeCapture(b_, other);
    const Finished run = orogen({"compare", "--baseline", a_, "--candidate", b_});
    EXPECT_NE(run.out.find("[31mred"), std::string::npos) << run.out;
    EXPECT_EQ(run.out.find('\x1b'), std::string::npos);
}

TEST(CompareUsage, IsOneLineAnd2)
{
    for (const Words& words : {Words{"compare"}, Words{"compare", "--baseline", "x"},
                               Words{"compare", "--candidate", "x"}, Words{"compare", "--baseline", "--candidate", "x"},
                               Words{"compare", "--baseline", "x", "--candidate", "y", "--margin", "0"},
                               Words{"compare", "--baseline", "x", "--candidate", "y", "--margin", "nan"},
                               Words{"compare", "--baseline", "x", "--candidate", "y", "--metric", "speed"},
                               Words{"compare", "--baseline", "x", "--candidate", "y", "--bogus"}, Words{"report"},
                               Words{"report", "--recover"}, Words{"report", "x"}})
        expectOneLine(orogen(words), 2, "orogen: ");
    EXPECT_NE(orogen({"compare", "--baseline", "x", "--candidate", "y", "--metric", "speed"}).err.find("fps_average"),
              std::string::npos);
}

// Leaves a capture whose process was killed after `rows` rows of its first run.
void leaveKilled(const std::string& folder, std::uint64_t rows)
{
    const pid_t child = fork();
    if (child == 0)
    {
        const SyntheticCapture capture = syntheticCapture();
        auto recorder = CaptureRecorder::create(test::planOf(capture, folder), capture.metadata, capture.settings);
        if (!recorder || !(*recorder)->beginRun()) _exit(1);
        const std::vector<FrameSample> run = test::syntheticRun(capture, 1);
        for (std::uint64_t i = 0; i < rows; ++i)
            if (!(*recorder)->add(run[i])) _exit(1);
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(Recover, FinishesAKilledCapture)
{
    const TemporaryFolder folder;
    leaveKilled(folder.path(), 200);
    EXPECT_EQ(orogen({"compare", "--baseline", folder.path(), "--candidate", folder.path()}).code, 5);
    const Finished run = orogen({"report", "--recover", folder.path(), "--json"});
    ASSERT_EQ(run.code, 0) << run.err;
    const Json capture = Json::parse(run.out).at("captures").at(0);
    EXPECT_EQ(capture.at("folder"), folder.path());
    EXPECT_GE(capture.at("runs").at(0).at("rows"), 200 - 64);
    EXPECT_EQ(capture.at("interrupted"), true);
    const Json report = Json::parse(test::contentOf(folder / "report.json"));
    EXPECT_EQ(report.at("recovered"), true);
    EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));
    expectOneLine(orogen({"report", "--recover", folder.path()}), 5, "no unfinished capture");
}

TEST(Recover, BothSidesOfAnInterleavedCapture)
{
    const TemporaryFolder folder;
    leaveKilled(folder / "a", 150);
    leaveKilled(folder / "b", 100);
    const Finished run = orogen({"report", "--recover", folder.path()});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find(folder / "a"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find(folder / "b"), std::string::npos) << run.out;
    for (const char* side : {"a", "b"})
        EXPECT_TRUE(readCapture(folder / side)) << side;
}

TEST(Recover, NothingThereIs5)
{
    const TemporaryFolder folder;
    expectOneLine(orogen({"report", "--recover", folder.path()}), 5, folder.path());
    expectOneLine(orogen({"report", "--recover", folder / "none"}), 5, "no such folder");
}

TEST(Recover, AFolderThatIsBeingWrittenIs5)
{
    const TemporaryFolder folder;
    const SyntheticCapture capture = syntheticCapture();
    auto recorder = CaptureRecorder::create(test::planOf(capture, folder.path()), capture.metadata, capture.settings);
    ASSERT_TRUE(recorder);
    expectOneLine(orogen({"report", "--recover", folder.path()}), 5, "still");
}

}  // namespace
}  // namespace orogen

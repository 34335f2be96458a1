// run-NN.csv and report.json: written, read back, and refused in one line if anything in them is invalid.
#include <algorithm>
#include <array>
#include <clocale>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <locale>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/base/sha256.h"
#include "core/base/text_file.h"
#include "core/frames/report/report_json.h"
#include "tests/support/raster_files.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

using test::SyntheticCapture;
using test::syntheticCapture;
using test::TemporaryFolder;
using Json = nlohmann::ordered_json;

void writeFile(const std::string& path, std::string_view text)
{
    std::ofstream(path, std::ios::binary).write(text.data(), std::streamsize(text.size()));
}

// Expects one line with file, position, found and expected.
void expectRefusal(const Error& error, const std::string& file)
{
    EXPECT_EQ(error.code, ExitCode::kInput);
    EXPECT_TRUE(error.message.starts_with(file)) << error.message;
    EXPECT_EQ(error.message.find('\n'), std::string::npos) << error.message;
    EXPECT_NE(error.message.find("found "), std::string::npos) << error.message;
    EXPECT_LT(error.message.size(), 400u) << error.message;
    for (const char c : error.message)
        ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20) << error.message;
}

FrameSample fullSample()
{
    FrameSample s;
    s.frame = 41;
    s.tMs = 1234.5678;
    s.intervalMs = 16.6667, s.cpuMs = 1.5, s.waitMs = 0, s.swapMs = 0.0001, s.gpuMs = 999'999'999.9999;
    for (std::size_t pass = 0; pass < s.passMs.size(); ++pass)
        s.passMs[pass] = 0.25 * double(pass);
    s.leaves = 5, s.triangles = std::numeric_limits<std::uint64_t>::max(), s.splits = 0, s.merges = 2, s.maxDepth = 30;
    s.errorMaxPx = 1.25, s.errorP99Px = 0.5, s.uploadBytes = 77, s.vramKib = 1'000'000, s.processorUs = 91'000,
    s.glCalls = 210;
    s.module = R"(multi,word "quoted")";
    s.event = "a, \"b\"";
    s.flags = kFrameWarmup | kFrameResize | kFrameReload | kFrameHitch | kFrameGpuMissing;
    s.machine = {.cpuMhz = 3100.5,
                 .cpuCelsius = 61.5,
                 .cpuWatts = 90,
                 .gpuMhz = 1980,
                 .gpuMemoryMhz = 2619,
                 .gpuCelsius = 71,
                 .gpuWatts = 402.25,
                 .throttle = {kThrottleCpuThermal | kThrottleGpuPowerCap}};
    s.section = "ridge";
    return s;
}

std::string rowOf(const FrameSample& sample)
{
    std::string row;
    appendRow(row, sample);
    return row;
}

std::string withoutEnd(std::string row)
{
    EXPECT_TRUE(row.ends_with('\n'));
    row.pop_back();
    return row;
}

TEST(RunRow, HasTheColumnsOfTheHeader)
{
    EXPECT_EQ(
        frameColumns(),
        "frame,t_ms,interval_ms,cpu_ms,wait_ms,swap_ms,gpu_ms,gpu_update_ms,gpu_reduce_ms,gpu_decode_ms,"
        "gpu_draw_ms,gpu_ui_ms,leaves,triangles,splits,merges,max_depth,error_max_px,error_p99_px,upload_bytes,"
        "vram_kib,processor_us,gl_calls,module,event,flags,cpu_mhz,cpu_c,cpu_w,gpu_mhz,gpu_memory_mhz,gpu_c,gpu_w,"
        "throttle,section");
    EXPECT_EQ(
        rowOf(fullSample()),
        "41,1234.5678,16.6667,1.5000,0.0000,0.0001,999999999.9999,0.0000,0.2500,0.5000,0.7500,1.0000,5,"
        "18446744073709551615,0,2,30,1.2500,0.5000,77,1000000,91000,210,\"multi,word \"\"quoted\"\"\",\"a, \"\"b\"\"\","
        "warmup|resize|reload|hitch|gpu_missing,3100.5000,61.5000,90.0000,1980.0000,2619.0000,71.0000,402.2500,"
        "cpu_thermal|gpu_power_cap,ridge\n");
    EXPECT_EQ(rowOf({}), "0,0.0000,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,\n");
}

TEST(RunRow, ReadsBackAsItWasWritten)
{
    test::Random random(5);
    for (int round = 0; round < 2'000; ++round)
    {
        FrameSample s = fullSample();
        s.frame = random.bits();
        s.tMs = 1e6 * random.unit();
        const auto change = [&random](std::optional<double>& cell) {
            cell = random.chance(1, 4) ? std::nullopt : std::optional(1000 * random.unit());
        };
        change(s.intervalMs), change(s.cpuMs), change(s.waitMs), change(s.swapMs), change(s.gpuMs);
        for (auto& pass : s.passMs)
            change(pass);
        if (random.chance(1, 2)) s.leaves.reset();
        if (random.chance(1, 2)) s.vramKib.reset();
        s.flags = random.below(32);
        for (const MachineColumn& column : kMachineColumns)
            change(s.machine.*column.cell);
        s.machine.throttle.reasons =
            random.chance(1, 4) ? std::nullopt : std::optional<std::uint32_t>(random.below(32));
        s.module.clear(), s.event.clear();
        for (std::uint32_t i = random.below(12); i > 0; --i)
            (random.chance(1, 2) ? s.module : s.event) += char(random.below(256));
        const FrameSample held = rounded(s);
        const Result<FrameSample> read = parseRow(withoutEnd(rowOf(held)), "run-01.csv:2");
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_EQ(*read, held) << rowOf(held);
    }
}

TEST(RunRow, WhatIsNoTimeIsNotMeasured)
{
    FrameSample s;
    for (const double value : {-0.1, 1e9, std::nan(""), std::numeric_limits<double>::infinity()})
    {
        s.intervalMs = value;
        EXPECT_FALSE(rounded(s).intervalMs) << value;
    }
    s.intervalMs = -0.0;
    EXPECT_EQ(rowOf(rounded(s)).find("-"), std::string::npos);
    s.module = "line\nend\ttab\x7f";
    EXPECT_EQ(rounded(s).module, "line end tab ");
}

// Formats numbers with decimal commas, as in German.
struct Comma : std::numpunct<char>
{
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

TEST(RunRow, DoesNotDependOnTheLocale)
{
    const std::string expected = rowOf(fullSample()), before = std::setlocale(LC_ALL, nullptr);
    const std::locale plain = std::locale::global(std::locale(std::locale(), new Comma));
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8"})  // if installed
        (void)std::setlocale(LC_ALL, name);
    const std::string row = rowOf(fullSample());
    const Result<FrameSample> read = parseRow(withoutEnd(row), "x");
    FrameReport planned;
    planned.settings = "{}", planned.framesPlanned = 12'345'678;
    const std::string json = reportToJson(planned);
    const Result<FrameReport> report = reportFromJson(json, "x");
    std::locale::global(plain);
    std::setlocale(LC_ALL, before.c_str());
    EXPECT_EQ(row, expected);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->tMs, 1234.5678);
    EXPECT_NE(json.find("12345678"), std::string::npos);
    EXPECT_NE(json.find("16.6666667"), std::string::npos);
    ASSERT_TRUE(report) << report.error().message;
}

TEST(RunRow, NamesTheColumnOfWhatIsWrong)
{
    const auto refused = [](const std::string& row) {
        const Result<FrameSample> read = parseRow(row, "run-01.csv:7");
        EXPECT_FALSE(read) << row;
        if (read) return std::string();
        expectRefusal(read.error(), "run-01.csv:7: ");
        return read.error().message;
    };
    const std::string empty(32, ',');
    EXPECT_NE(refused("x,0.0," + empty).find("frame: found 'x'"), std::string::npos);
    EXPECT_NE(refused("1,," + empty).find("t_ms: found ''"), std::string::npos);
    EXPECT_NE(refused("1,0.0,-1.0" + empty).find("interval_ms: found '-1.0', expected a number of at least 0"),
              std::string::npos);
    for (const char* cell : {"nan", "inf", "1e3", "0x10", " 1", "1 ", "1,0", "1000000000", "+1", ".5"})
        refused("1,0.0," + std::string(cell) + empty);
    EXPECT_NE(refused("1,0.0" + std::string(11, ',') + "1.5" + std::string(22, ',')).find("leaves"), std::string::npos);
    EXPECT_NE(refused("1,0.0" + std::string(24, ',') + "warmup|warmup" + std::string(9, ',')).find("flags"),
              std::string::npos);
    for (const char* flags : {"hot", "|", "warmup|", "|warmup", "warmup,"})
        refused("1,0.0" + std::string(24, ',') + flags + std::string(9, ','));
    EXPECT_NE(refused("1,0.0").find("found 2 columns"), std::string::npos);
    EXPECT_NE(refused("1,0.0" + std::string(34, ',')).find("more than 35"), std::string::npos);
    for (const char* text : {"\"open", "\"a\"b", "a\"b", "\""})
        refused("1,0.0" + std::string(22, ',') + text + std::string(11, ','));
    refused("1,0.0,\x1b[31m" + empty);
}

// ---- whole runs ----

std::string smallRun(std::size_t rows = 8)
{
    std::string text = std::string(frameColumns()) + '\n';
    for (std::size_t i = 0; i < rows; ++i)
    {
        FrameSample s = fullSample();
        s.frame = 5 + i;
        s.flags = i < 2 ? kFrameWarmup : 0u;
        appendRow(text, s);
    }
    return text;
}

TEST(Run, EveryPrefixIsRefusedOrWhole)
{
    const std::string text = smallRun();
    for (std::size_t length = 0; length < text.size(); ++length)
    {
        const std::string_view prefix = std::string_view(text).substr(0, length);
        const Result<RunRows> run = parseRun(prefix, "run-01.csv");
        const bool atLineEnd = length > frameColumns().size() && text[length - 1] == '\n';
        ASSERT_EQ(bool(run), atLineEnd) << length;
        if (!run) expectRefusal(run.error(), "run-01.csv:");

        const Result<RunRows> partial = parsePartialRun(prefix, "run-01.csv.partial");
        ASSERT_TRUE(partial) << partial.error().message;
        const auto lines = std::size_t(std::ranges::count(prefix, '\n'));
        ASSERT_EQ(partial->rows.size(), lines > 0 ? lines - 1 : 0);
        ASSERT_EQ(partial->ignoredBytes == 0, length == 0 || text[length - 1] == '\n');
    }
}

// Never crashes and returns whole rows only; a refusal gives the position.
TEST(RunThorough, EveryByteMayBeWrong)
{
    const std::string text = smallRun(3);
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const char byte : {'\0', '\x01', '\x7f', '\x80', '\xff', ',', '"', '\n'})
        {
            std::string changed = text;
            changed[at] = byte;
            const Result<RunRows> run = parseRun(changed, "run-01.csv");
            const Result<RunRows> partial = parsePartialRun(changed, "run-01.csv.partial");
            if (!run) expectRefusal(run.error(), "run-01.csv:");
            if (!partial) expectRefusal(partial.error(), "run-01.csv.partial:1: ");
            // A line end may leave the header of an earlier version.
            const bool earlier = byte == '\n' && at == frameColumns(RunColumns::kEarlier).size();
            ASSERT_EQ(bool(partial), at > frameColumns().size() || changed == text || byte == '\0' || earlier) << at;
            ASSERT_LE((run ? run->rows : partial ? partial->rows : std::vector<FrameSample>()).size(), 4u);
        }
}

TEST(Run, FramesRiseByOne)
{
    const TemporaryFolder folder;
    const std::string path = folder / "run-01.csv";
    std::string text = smallRun(2);
    FrameSample skipped = fullSample();
    skipped.frame = 8;
    appendRow(text, skipped);
    writeFile(path, text);
    const Result<RunRows> run = readRun(path);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().message, path + ":4: frame: found 8, expected 7");
    const Result<RunRows> partial = readPartialRun(path);
    ASSERT_TRUE(partial);
    EXPECT_EQ(partial->rows.size(), 2u);
}

TEST(Run, ReservedSpaceIsNoRow)
{
    const TemporaryFolder folder;
    const std::string path = folder / "run-01.csv.partial";
    writeFile(path, smallRun(4) + "9,1.0" + std::string(5'000, '\0'));
    const Result<RunRows> run = readPartialRun(path);
    ASSERT_TRUE(run);
    EXPECT_EQ(run->rows.size(), 4u);
    EXPECT_EQ(run->ignoredBytes, 5u);
    writeFile(path, std::string(5'000, '\0'));
    ASSERT_TRUE(readPartialRun(path));
    EXPECT_TRUE(readPartialRun(path)->rows.empty());
}

TEST(Run, WhatIsNoFileIsSaid)
{
    const TemporaryFolder folder;
    EXPECT_NE(readRun(folder / "none").error().message.find("No such file"), std::string::npos);
    EXPECT_NE(readPartialRun(folder / "none").error().message.find("No such file"), std::string::npos);
    EXPECT_NE(readRun(folder.path()).error().message.find("expected a file"), std::string::npos);
    writeFile(folder / "big", "12345");
    EXPECT_NE(readTextFile(folder / "big", 4).error().message.find("found 5 bytes, expected at most 4"),
              std::string::npos);
    EXPECT_EQ(*readTextFile(folder / "big", 5), "12345");
}

// ---- report.json ----

class ReportJson : public testing::Test
{
protected:
    ReportJson()
    {
        SyntheticCapture capture = syntheticCapture();
        capture.runs = 2, capture.frames = 30, capture.warmup = 5;
        capture.metadata.cudaDevice = "Device", capture.metadata.vsync = false;
        report_ = writeCapture(folder_.path(), capture);
        report_.notes = {"a note", "with \"quotes\" and \xc3\xa9"};
        text_ = reportToJson(report_);
    }
    // Returns the reader's error after a change of the JSON.
    template <class Change>
    std::string refusedAfter(Change change)
    {
        Json json = Json::parse(text_);
        change(json);
        const Result<FrameReport> read = reportFromJson(json.dump(), "report.json");
        if (read) return "accepted";
        expectRefusal(read.error(), "report.json: ");
        return read.error().message;
    }

    const TemporaryFolder folder_;
    FrameReport report_;
    std::string text_;
};

TEST_F(ReportJson, ReadsBackAsItWasWritten)
{
    const Result<FrameReport> read = reportFromJson(text_, "report.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(reportToJson(*read), text_);
    EXPECT_EQ(read->runs.size(), 2u);
    EXPECT_EQ(read->metadata.commandLine, report_.metadata.commandLine);
    EXPECT_EQ(read->notes, report_.notes);
    EXPECT_EQ(settingsHash(*read), settingsHash(report_));
}

TEST_F(ReportJson, HasTheKeysOfTheContract)
{
    const Json json = Json::parse(text_);
    EXPECT_EQ(json.at("schema"), "orogen.frame-report/1");
    for (const char* key : {"metadata", "settings", "settings_hash", "work_hash", "conforming", "gl_errors",
                            "interrupted", "unsettled", "definitions", "statistics", "runs"})
        EXPECT_TRUE(json.contains(key)) << key;
    for (const char* key : {"p50", "p90", "p95", "p99", "p999"})
        EXPECT_TRUE(json.at("statistics").at("interval_ms").at(key).is_number()) << key;
    EXPECT_TRUE(json.at("statistics").at("fps_average").is_number());
    EXPECT_TRUE(json.at("statistics").at("low1_mean").is_null());
    EXPECT_EQ(json.at("statistics").at("low1_reason"), "fewer than 1,000 frames (60)");
}

TEST_F(ReportJson, SettingsHashIsOfTheValues)
{
    FrameReport other = report_;
    other.settings = R"({ "lod.split_pixels" : 7.0, "lod.merge_pixels":3.0,"cbt.depth":24 })";
    EXPECT_EQ(settingsHash(other), settingsHash(report_));
    other.settings = R"({"lod.split_pixels":7.5,"lod.merge_pixels":3.0,"cbt.depth":24})";
    EXPECT_NE(settingsHash(other), settingsHash(report_));
}

TEST(UntilSentence, SaysHowWellTheMedianIsKnown)
{
    FrameReport report;
    report.until = UntilDecided{1, 2, 242.09, false};
    report.runs.resize(2);
    EXPECT_EQ(untilSentence(report), "not decided after 2 runs: the median is known to within 242 % (1 % wanted)");
    report.until->halfWidthPercent = 1'287.4;
    EXPECT_EQ(untilSentence(report), "not decided after 2 runs: the median is known to within 1,287 % (1 % wanted)");
    report.until->halfWidthPercent.reset();
    report.runs.resize(1);
    EXPECT_EQ(untilSentence(report), "not decided: no interval after 1 run");
}

TEST_F(ReportJson, EveryPrefixIsRefused)
{
    const std::size_t end = text_.find_last_of('}');
    for (std::size_t length = 0; length <= end; length += length < 600 || length + 200 > end ? 1 : 13)
    {
        const Result<FrameReport> read = reportFromJson(std::string_view(text_).substr(0, length), "report.json");
        ASSERT_FALSE(read) << length;
        expectRefusal(read.error(), "report.json: ");
    }
}

using ReportJsonThorough = ReportJson;

TEST_F(ReportJsonThorough, EveryByteMayBeWrong)
{
    Json small = Json::parse(text_);
    small["definitions"] = Json::object();  // definitions are not checked
    small["runs"].erase(1);
    const std::string text = small.dump();
    ASSERT_TRUE(reportFromJson(text, "report.json"));
    constexpr std::array kBytes = {'\0', '\x01', '\x7f', '\x80', '\xff', '"', '9'};
    for (std::size_t at = 0; at < text.size(); ++at)
        for (std::size_t i = 0; i < test::scaled(std::size_t(1), kBytes.size()); ++i)  // at first in turn
        {
            std::string changed = text;
            changed[at] = kBytes[(at + i) % kBytes.size()];
            const Result<FrameReport> read = reportFromJson(changed, "report.json");
            if (!read) expectRefusal(read.error(), "report.json: ");
        }
}

// Removes each value in turn, or replaces it by null or another type.
TEST_F(ReportJsonThorough, EveryValueMayBeWrong)
{
    const Json whole = Json::parse(text_);
    std::vector<Json::json_pointer> places;
    const Json flat = whole.flatten();
    for (const auto& [place, value] : flat.items())
        places.emplace_back(place);
    const std::vector<Json> kValues = {nullptr, -1, 1.5, 1e300, "text", true, Json::array(), Json::object()};
    std::size_t refused = 0, accepted = 0, next = 0;
    for (const Json::json_pointer& place : places)
    {
        const std::string text = place.to_string();
        const bool free = text.starts_with("/definitions/") || text == "/metadata/gpu_timer_meaning";
        for (std::size_t i = 0; i < test::scaled(kValues.size() / 4, kValues.size()); ++i)
        {
            const Json& value = kValues[next++ % kValues.size()];
            Json changed = whole;
            changed[place] = value;
            const Result<FrameReport> read = reportFromJson(changed.dump(), "report.json");
            if (!read) expectRefusal(read.error(), "report.json: ");
            ++(read ? accepted : refused);
            EXPECT_TRUE(read || !free) << text;
        }
        if (text.starts_with("/settings/") || free) continue;
        Json changed = whole;
        const Json::json_pointer parent = place.parent_pointer();
        if (!changed[parent].is_object()) continue;
        changed[parent].erase(place.back());
        const Result<FrameReport> read = reportFromJson(changed.dump(), "report.json");
        const auto came = [&text](const char* key) { return text.ends_with(key); };  // true for keys since version 2
        if (came("error_max_px") || came("error_p99_px") || came("/processors") || came("/presentmon") ||
            came("/interleaved") || came("/settled") || came("/scale_in_effect") || came("/tiles") || came("/panels") ||
            came("/until") || came("/discarded_runs") || came("/sections") || came("coefficient_of_variation") ||
            came("animation_error_ms"))
        {
            ASSERT_TRUE(read) << text;
            continue;
        }
        ASSERT_FALSE(read) << text;
        EXPECT_NE(read.error().message.find(text + ": found nothing"), std::string::npos) << read.error().message;
    }
    EXPECT_GT(refused, 3 * accepted);
}

// Earlier versions did not store this, but timed panels only where they were drawn.
TEST_F(ReportJson, OfAnEarlierVersionHasPanelsWhereTheyWereTimed)
{
    for (const bool timed : {false, true})
    {
        test::SyntheticCapture capture = test::syntheticCapture();
        capture.passes = timed;
        Json json = Json::parse(reportToJson(test::heldCapture("x", capture).report));
        EXPECT_FALSE(reportFromJson(json.dump(), "report.json")->panels);
        json["plan"].erase("panels");
        EXPECT_EQ(reportFromJson(json.dump(), "report.json")->panels, timed);
    }
}

TEST_F(ReportJson, NamesThePlaceWhatWasFoundAndWhatIsExpected)
{
    EXPECT_EQ(refusedAfter([](Json& json) { json["schema"] = "orogen.frame-report/2"; }),
              "report.json: /schema: found \"orogen.frame-report/2\", expected \"orogen.frame-report/1\"");
    EXPECT_EQ(refusedAfter([](Json& json) { json["runs"][1]["rows"] = -1; }),
              "report.json: /runs/1/rows: found -1, expected an integer of at least 0");
    EXPECT_EQ(refusedAfter([](Json& json) { json["runs"][0]["file"] = "../../run-01.csv"; }),
              "report.json: /runs/0/file: found \"../../run-01.csv\", expected run-NN.csv");
    EXPECT_EQ(refusedAfter([](Json& json) { json["metadata"]["picture"]["width"] = 1.5; }),
              "report.json: /metadata/picture/width: found 1.5, expected an integer");
    EXPECT_EQ(refusedAfter([](Json& json) { json["metadata"]["gpu_timer"] = "sundial"; }),
              "report.json: /metadata/gpu_timer: found \"sundial\", expected hardware, software or none");
    EXPECT_EQ(refusedAfter([](Json& json) { json["settings"]["cbt.depth"] = 25; }).substr(0, 44),
              "report.json: /settings_hash: found \"" + settingsHash(report_).substr(0, 8));
    EXPECT_EQ(refusedAfter([](Json& json) { json["statistics"]["interval_ms"]["p99"] = 0; }).substr(0, 60),
              "report.json: /statistics/interval_ms/p99: found 0, expected ");
    EXPECT_EQ(refusedAfter([](Json& json) { json["statistics"]["low1_mean"] = 5; }),
              "report.json: /statistics/low1_mean: found 5, expected null, as there is a reason for it");
    EXPECT_EQ(refusedAfter([](Json& json) { json["statistics"]["frames"] = 7; }),
              "report.json: /statistics/interval_ms/count: found 60, expected the number of frames");
    EXPECT_EQ(refusedAfter([](Json& json) { json["statistics"]["missed_60hz"]["share"] = 1.5; }),
              "report.json: /statistics/missed_60hz/share: found 1.5, expected a number from 0 to 1");
    EXPECT_EQ(refusedAfter([](Json& json) { json = Json::array(); }), "report.json: /: found [], expected an object");
}

TEST(ReportJsonText, HostileDocumentsAreRefused)
{
    const auto refused = [](const std::string& text) {
        const Result<FrameReport> read = reportFromJson(text, "report.json");
        EXPECT_FALSE(read);
        if (!read) expectRefusal(read.error(), "report.json: ");
        return read ? "" : read.error().message;
    };
    refused(std::string(1'000'000, '['));
    refused(R"({"schema":"orogen.frame-report/1","settings":)" + std::string(1'000'000, '[') +
            std::string(1'000'000, ']') + "}");
    std::string nested;
    for (int i = 0; i < 300'000; ++i)
        nested += "{\"a\":";
    refused(R"({"schema":)" + nested + "1" + std::string(300'000, '}') + "}");
    refused("1e999999");
    refused(R"({"schema":1e999})");
    EXPECT_NE(refused(R"({"a":1,"a":2})").find("'a' twice"), std::string::npos);
    refused(R"({"a\u001b":1,"a\u001b":2})");
    refused("{\"" + std::string(100'000, 'k') + "\":1,\"" + std::string(100'000, 'k') + "\":2}");
    refused("{\"schema\":\"" + std::string(1'000'000, 'x') + "\"}");
    refused("\xef\xbb\xbf{}");
    refused("{} {}");
}

// ---- a capture's folder ----

class CaptureFolder : public testing::Test
{
protected:
    CaptureFolder()
    {
        SyntheticCapture capture = syntheticCapture();
        capture.runs = 2, capture.frames = 20, capture.warmup = 3;
        writeCapture(folder_.path(), capture);
    }
    std::string refusal() const
    {
        const Result<Capture> read = readCapture(folder_.path());
        EXPECT_FALSE(read);
        return read ? "" : read.error().message;
    }
    void changeRun(const std::string& from, const std::string& to) const
    {
        std::string text = test::contentOf(folder_ / "run-02.csv");
        const std::size_t at = text.rfind(from);
        ASSERT_NE(at, std::string::npos);
        writeFile(folder_ / "run-02.csv", text.replace(at, from.size(), to));
    }
    const TemporaryFolder folder_;
};

TEST_F(CaptureFolder, HoldsReportAndRows)
{
    const Result<Capture> read = readCapture(folder_.path());
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->rows.size(), 2u);
    EXPECT_EQ(read->rows[1].size(), 23u);
    EXPECT_EQ(read->report.runs[1].statistics.frames, 20u);
}

TEST_F(CaptureFolder, RowsMustBeTheReports)
{
    const std::string path = folder_ / "run-02.csv", text = test::contentOf(path);
    writeFile(path, text.substr(0, text.rfind('\n', text.size() - 2) + 1));
    EXPECT_EQ(refusal(), path + ": rows: found 22, expected 23 as report.json says");
    writeFile(path, text);
    const std::string state(9, ',');  // empty cells after the flags
    changeRun(state + "\n", "warmup" + state + "\n");
    EXPECT_EQ(refusal(), path + ": warm-up frames: found 4, expected 3 as report.json says");
    writeFile(path, text);
    const Result<RunRows> run = readRun(path);
    std::vector<FrameSample> rows = run->rows;
    ++*rows.back().splits;
    std::string changed = std::string(frameColumns()) + '\n';
    for (const FrameSample& row : rows)
        appendRow(changed, row);
    writeFile(path, changed);
    EXPECT_NE(refusal().find(": work hash: found "), std::string::npos);
    rows.back() = run->rows.back();
    rows.back().intervalMs.reset();
    changed = std::string(frameColumns()) + '\n';
    for (const FrameSample& row : rows)
        appendRow(changed, row);
    writeFile(path, changed);
    EXPECT_EQ(refusal(), path + ": measured frames: found 19, expected 20 as report.json says");
}

TEST_F(CaptureFolder, TimesThatWereChangedAreNotTheReports)
{
    const Result<RunRows> run = readRun(folder_ / "run-02.csv");
    std::vector<FrameSample> rows = run->rows;
    rows.back().intervalMs = 2 * *rows.back().intervalMs;
    std::string changed = std::string(frameColumns()) + '\n';
    for (const FrameSample& row : rows)
        appendRow(changed, row);
    writeFile(folder_ / "run-02.csv", changed);
    EXPECT_NE(refusal().find("run-02.csv: sum of the intervals"), std::string::npos) << refusal();
}

TEST_F(CaptureFolder, AnUnfinishedOneNamesTheCommand)
{
    writeFile(folder_ / "report.json.partial", "{}");
    EXPECT_NE(refusal().find("orogen report --recover " + folder_.path()), std::string::npos);
}

TEST_F(CaptureFolder, AMissingRunIsNamed)
{
    std::filesystem::remove(folder_ / "run-01.csv");
    EXPECT_TRUE(refusal().starts_with(folder_ / "run-01.csv: cannot be read")) << refusal();
}

// ---- SHA-256: examples of FIPS 180-4, and any division into pieces ----

TEST(Sha256, GivesTheStandardsExamples)
{
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces)
{
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += char(i * 31);
    for (std::size_t cut = 0; cut <= text.size(); ++cut)
    {
        Sha256 hash;
        hash.add(std::string_view(text).substr(0, cut));
        hash.add(std::string_view(text).substr(cut));
        ASSERT_EQ(hex(hash.finish()), sha256(text)) << cut;
    }
    const TemporaryFolder folder;
    writeFile(folder / "a", text);
    EXPECT_EQ(*sha256OfFile(folder / "a"), sha256(text));
    EXPECT_FALSE(sha256OfFile(folder / "none"));
    EXPECT_FALSE(sha256OfFile(folder.path()));
}

}  // namespace
}  // namespace orogen

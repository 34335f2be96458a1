// One program for each file of a capture: any content is either refused in one line that names the file, or is read and
// can be written, read back, summarised and shown.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/frames/capture/capture_files.h"
#include "core/frames/pages/report_html.h"
#include "core/frames/report/report_json.h"

namespace {

using namespace orogen;

void expect(bool holds, const char* what)
{
    if (holds) return;
    std::fprintf(stderr, "report: %s\n", what);
    std::abort();
}

void judge(const Error& error)
{
    expect(error.code == ExitCode::kInput, "an error is of the input");
    expect(error.message.starts_with("fuzz"), "an error names the file");
    expect(error.message.find('\n') == error.message.npos, "an error is one line");
    expect(error.message.size() < 1'000, "an error is short");
}

#if defined(OROGEN_FUZZ_RUN)
void show(const std::vector<FrameSample>& rows)
{
    FrameReport report;
    report.settings = "{}";
    report.runs.resize(1);
    summarize(report.runs[0], rows, kDefaultBudgetMs);
    const std::vector<std::vector<FrameSample>> runs = {rows};
    summarize(report, runs, kDefaultBudgetMs);
    report.runs[0].file = "run-01.csv";
    const auto again = reportFromJson(reportToJson(report), "fuzz.json");
    expect(bool(again), "what was summed up reads back");
    expect(reportToJson(*again) == reportToJson(report), "as it was written");
    expect(!reportToHtml(report, runs).empty() && !mangohudLog(report.metadata, rows).empty(), "pages");
}

void fuzz(std::string_view text)
{
    const auto run = parseRun(text, "fuzz.csv"), partial = parsePartialRun(text, "fuzz.csv");
    if (!run) judge(run.error());
    if (!partial) judge(partial.error());
    if (!partial) return;
    expect(!run || text.find('\0') != text.npos || run->rows == partial->rows, "a whole run is a partial one");
    std::string written = std::string(frameColumns()) + '\n';
    std::vector<FrameSample> rows;
    for (const FrameSample& row : partial->rows)
        appendRow(written, rows.emplace_back(rounded(row)));
    const auto again = parseRun(written, "fuzz.csv");
    expect(again && again->rows == rows, "reads back as it was written");
    if (rows.size() < 400) show(rows);
}
#else
void fuzz(std::string_view text)
{
    const auto report = reportFromJson(text, "fuzz.json");
    if (!report) return judge(report.error());
    const std::string written = reportToJson(*report);
    const auto again = reportFromJson(written, "fuzz.json");
    expect(bool(again), "reads back");
    expect(reportToJson(*again) == written, "as it was written");
    const std::vector<std::vector<FrameSample>> rows(report->runs.size());
    expect(!reportToHtml(*report, rows).empty(), "a page");
}
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    fuzz({reinterpret_cast<const char*>(data), size});
    return 0;
}

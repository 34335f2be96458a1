// Writes the seeds of the report fuzzers: DIR/run, DIR/report.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "tests/support/synthetic_capture.h"

namespace {

void write(const std::filesystem::path& path, std::string_view text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary).write(text.data(), std::streamsize(text.size()));
}

}  // namespace

int main(int argc, char** argv)
{
    using namespace orogen;
    if (argc != 2) return std::fprintf(stderr, "usage: %s DIR\n", argv[0]), 2;
    const std::filesystem::path folder = argv[1];
    test::SyntheticCapture capture = test::syntheticCapture();
    capture.runs = 1, capture.frames = 6, capture.warmup = 2;
    Capture held = test::heldCapture("x", capture);
    held.rows[0][4].module = "multi,word \"x\"";
    held.rows[0][5].event = "multiword add@cuda_event:1.5000[10.0000:11.5000]";
    std::string rows = std::string(frameColumns()) + '\n';
    write(folder / "run" / "header.csv", rows);
    for (const FrameSample& row : held.rows[0])
        appendRow(rows, row);
    write(folder / "run" / "run.csv", rows);
    // Without the definitions, which no reader uses, to stay small.
    auto json = nlohmann::ordered_json::parse(reportToJson(held.report));
    json["definitions"] = nlohmann::ordered_json::object();
    write(folder / "report" / "report.json", json.dump());
    json["runs"] = nlohmann::ordered_json::array();
    write(folder / "report" / "empty.json", json.dump());
    return 0;
}

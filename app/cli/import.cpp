// orogen import: writes a terrain as a Cloud Optimized GeoTIFF with decimated overviews and exact bounds of its tiles.
#include <chrono>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/output.h"
#include "app/base/process.h"
#include "app/cli/command.h"
#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/terrain/import/import_job.h"
#include "core/terrain/import/import_run.h"
#include "core/terrain/io/source_files.h"

namespace orogen::app {
namespace {

using Clock = std::chrono::steady_clock;

struct ImportOptions
{
    std::string source, out;
    SourceOverrides overrides;
    std::optional<int> shard;  // empty: all
    int shards = 1;
    bool finish = false;  // only join existing parts
    std::string compression = "deflate", samples;
    bool force = false, json = false;
};

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Returns the number of shards that the existing parts belong to.
Result<int> shardsToFinish(const std::string& out)
{
    const std::vector<int> there = shardsThere(out);
    if (there.size() == 1) return there.front();
    if (there.empty())
        return Error{ExitCode::kInput,
                     printable(out) + ": found no parts of an import beside it (--shard i/n writes one)"};
    return Error{ExitCode::kInput,
                 fmt::format("{}: found parts of {} and of {} shards beside it, expected those of one "
                             "import (delete the others)",
                             printable(out), there[0], there[1])};
}

// Adds to the message of an interruption that finished parts are kept.
Error withWhatIsKept(const Error& error, const std::string& out)
{
    if (error.code != ExitCode::kInterrupted) return error;
    const Error signal = interruption().value_or(error);
    return {signal.code,
            fmt::format("{}: repeat the command to continue from {}.part-*", signal.message, printable(out))};
}

std::string jsonOf(const ImportOptions& options, const WrittenShard& written, double seconds)
{
    Json json;
    json["shard"] = *options.shard;
    json["shards"] = options.shards;
    json["rows"] = {written.firstRow, written.endRow};
    json["bytes"] = written.bytes;
    json["time_ms"]["total"] = seconds * 1000;
    return json.dump(2) + '\n';
}

std::string jsonOf(const ImportSummary& summary, double seconds)
{
    Json json;
    json["width"] = summary.job.width;
    json["height"] = summary.job.height;
    json["samples"] = summary.job.samples == StoredSamples::kInt16 ? "int16" : "float32";
    json["compression"] = summary.job.compression == ImportCompression::kNone ? "none" : "deflate";
    json["bytes"] = summary.bytes;
    for (std::size_t level = 0; level < summary.deviations.size(); ++level)
        json["levels"].push_back({{"level", level},
                                  {"width", TileGrid::samplesOf(summary.job.width, int(level))},
                                  {"height", TileGrid::samplesOf(summary.job.height, int(level))},
                                  {"deviation", summary.deviations[level]}});
    json["time_ms"]["total"] = seconds * 1000;
    return json.dump(2) + '\n';
}

std::string textOf(const ImportSummary& summary, const std::string& out, double seconds)
{
    std::string text =
        fmt::format("{}\n  {} x {} samples ({}), {}, {} bytes, {}\n", printable(out), summary.job.width,
                    summary.job.height, summary.job.samples == StoredSamples::kInt16 ? "int16" : "float32",
                    counted(summary.deviations.size(), "level"), grouped(summary.bytes), durationText(seconds));
    for (std::size_t level = 1; level < summary.deviations.size(); ++level)
        text += fmt::format("  level {:2}: {} x {}, at most {:.2f} m from the finest\n", level,
                            TileGrid::samplesOf(summary.job.width, int(level)),
                            TileGrid::samplesOf(summary.job.height, int(level)), summary.deviations[level]);
    return text;
}

std::string rowsText(const WrittenShard& written)
{
    if (written.firstRow >= written.endRow) return "no rows";  // more shards than the terrain has ranges of rows
    return fmt::format("rows {} to {}", written.firstRow, written.endRow - 1);
}

Result<WrittenShard> writePart(const ImportOptions& options, const ImportPlace& place, const LoadProgress& progress)
{
    if (Status s = refuseEarth(options.source, "import"); !s) return s.error();
    const Result<std::shared_ptr<const TileSource>> source = openSamples(options.source, options.overrides, progress);
    if (!source) return source.error();
    const ImportCompression compression =
        options.compression == "none" ? ImportCompression::kNone : ImportCompression::kDeflate;
    const Result<ImportJob> job = importJob(**source, options.source, options.overrides, options.samples, compression);
    if (!job) return job.error();
    return writeShard(**source, *job, place, options.shard.value_or(0), progress);
}

Status checkOut(const ImportOptions& options)
{
    const Existing existing = options.force ? Existing::kReplace : Existing::kRefuse;
    std::vector<std::string> read = sourceFiles(options.source);
    if (Status s = checkOutputFile(options.out, read, existing); !s) return s;
    // The source may have the path of a part or a temporary file of this import, and would be overwritten.
    const std::string part = shardPath(options.out, options.shard.value_or(0), options.shards);
    for (const std::string& path : {part, finishPath(options.out), options.out + ".joining"})
        if (Status s = checkOutputFile(path, read, Existing::kReplace); !s) return s;
    return Status::ok();
}

Result<ExitCode> runImport(const ImportOptions& options)
{
    const Clock::time_point start = Clock::now();
    // A process that was killed after joining the parts may have left them.
    if (!options.force) removeFinishedParts(options.out);
    if (Status s = checkOut(options); !s) return s.error();
    ProgressLine line;
    const LoadProgress progress = [&line](double fraction, const std::string& what) {
        return line.show(fraction, what);
    };
    ImportPlace place{options.out, options.shards, options.force, usableThreads()};
    if (!options.finish)
    {
        const Result<WrittenShard> written = writePart(options, place, progress);
        line.clear();
        if (!written) return withWhatIsKept(written.error(), options.out);
        if (options.shard)
        {
            print(options.json ? jsonOf(options, *written, secondsSince(start))
                               : fmt::format("{}\n  {}, {} bytes\n",
                                             printable(shardPath(options.out, *options.shard, options.shards)),
                                             rowsText(*written), grouped(written->bytes)));
            return ExitCode::kDone;
        }
    }
    else
    {
        const Result<int> shards = shardsToFinish(options.out);
        if (!shards) return shards.error();
        place.shards = *shards;
    }
    const Result<ImportSummary> summary = finishImport(place, progress);
    line.clear();
    if (!summary) return withWhatIsKept(summary.error(), options.out);
    const double seconds = secondsSince(start);
    print(options.json ? jsonOf(*summary, seconds) : textOf(*summary, options.out, seconds));
    return ExitCode::kDone;
}

void addShardOptions(CLI::App& command, ImportOptions& options)
{
    const auto shard = [&options](const std::string& text) {
        const std::size_t slash = text.find('/');
        const auto i = numberIn<int>(std::string_view(text).substr(0, slash), 0, kMostShards - 1);
        const auto n =
            slash == text.npos ? std::nullopt : numberIn<int>(std::string_view(text).substr(slash + 1), 1, kMostShards);
        if (!i || !n || *i >= *n)
            throw CLI::ValidationError("--shard", fmt::format("found '{}', expected i/n with i below n, n at most {}",
                                                              printable(text), kMostShards));
        options.shard = *i;
        options.shards = *n;
    };
    CLI::Option* one =
        command.add_option_function<std::string>("--shard", shard, "only part i of n, beside OUT.tif; i from 0")
            ->type_name("i/n");
    command.add_flag("--finish", options.finish, "join the parts of all shards")->excludes(one);
}

}  // namespace

void addImportCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command =
        root.add_subcommand("import", "a terrain as a Cloud Optimized GeoTIFF with levels and the bounds of its tiles");
    const auto options = std::make_shared<ImportOptions>();
    command->add_option("SOURCE", options->source, "file, folder of tiles, synthetic:SIZE[:SEED] or /vsi... path")
        ->required();
    command->add_option("OUT", options->out, "output file")->required();
    addShardOptions(*command, *options);
    command->add_option("--compression", options->compression, "compression of the blocks (deflate)")
        ->check(CLI::IsMember({"deflate", "none"}));
    command->add_option("--samples", options->samples, "how heights are stored (as in the source)")
        ->check(CLI::IsMember({"int16", "float32"}));
    command->add_flag("--force", options->force, "replace OUT if there is one, and parts of another import");
    addTerrainOptions(*command, options->overrides);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runImport(*options); }; });
}

}  // namespace orogen::app

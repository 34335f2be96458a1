#include "core/terrain/import/import_run.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <set>

#include <unistd.h>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/base/thread_pool.h"
#include "core/terrain/import/cog_writer.h"
#include "core/terrain/import/record_maker.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/tiles/stored_bounds.h"

namespace orogen {
namespace {

const Error kStopped = {ExitCode::kInterrupted, "interrupted"};

// Records that one thread makes in one step.
struct Step
{
    ImportRecord first;
    int rows = 1;
    std::vector<std::vector<std::byte>> payloads;
    Status status;
};

// Writer of a part's missing records: makes and appends them in order, a batch at a time.
class PartWriter
{
public:
    PartWriter(const BlockStore& store, int part, PartFile& file, const TileSource* source, int threads)
        : store_(store), part_(part), file_(file), source_(source), pool_(threads),
          makers_(std::size_t(pool_.threads()))
    {
    }

    Status run(const LoadProgress& progress)
    {
        const std::uint64_t records = store_.plan.records(part_);
        while (file_.records() < records)
        {
            const int level = store_.plan.record(part_, file_.records()).level;
            const std::string phase = level == kBoundsLevel ? "bounds of tiles"
                                      : level == 0          ? "reading"
                                                            : fmt::format("level {}", level);
            if (progress && !progress(double(file_.records()) / double(records), phase)) return kStopped;
            if (Status s = batch(records); !s) return s;
        }
        return file_.flush();
    }
    // Returns whether run() has failed at a height that the stored samples cannot represent.
    bool refused() const
    {
        return std::ranges::any_of(makers_, [](const auto& maker) { return maker && maker->refused(); });
    }

private:
    // Makes a batch of records of one level, since coarser levels are computed from finished finer ones.
    Status batch(std::uint64_t records)
    {
        std::vector<Step> steps;
        std::uint64_t next = file_.records();
        const int level = store_.plan.record(part_, next).level;
        if (level == kBoundsLevel && !coarsest_)
        {
            Result<CoarsestLevel> coarsest = coarsestLevel(store_);
            if (!coarsest) return coarsest.error();
            coarsest_ = std::move(*coarsest);
        }
        const int firstRowInStripe = store_.plan.rowsOf(part_, 0).first % kStripeRows;
        for (; next < records; ++next)
        {
            const ImportRecord record = store_.plan.record(part_, next);
            if (record.level != level) break;
            Step* last = steps.empty() ? nullptr : &steps.back();
            if (last && last->first.first == record.first && last->first.row + last->rows == record.row && level == 0 &&
                record.row % kStripeRows != firstRowInStripe)
                ++last->rows;
            else if (steps.size() == std::size_t(pool_.threads()))
                break;
            else
                steps.push_back({record, 1, {}, Status::ok()});
        }
        pool_.forEach(steps.size(), [&](std::size_t i, int thread) { make(steps[i], thread); });
        for (const Step& step : steps)
        {
            if (!step.status) return step.status;
            for (const std::vector<std::byte>& payload : step.payloads)
                if (Status s = file_.append(payload); !s) return s;
        }
        return Status::ok();
    }

    void make(Step& step, int thread)
    {
        std::unique_ptr<RecordMaker>& maker = makers_[std::size_t(thread)];
        if (!maker) maker = std::make_unique<RecordMaker>(store_, source_, coarsest_ ? &*coarsest_ : nullptr);
        if (step.first.level == kBoundsLevel && !bounds_[std::size_t(thread)])
        {
            maker = std::make_unique<RecordMaker>(store_, source_, &*coarsest_);
            bounds_[std::size_t(thread)] = true;
        }
        step.status = maker->make(step.first, step.rows, step.payloads);
    }

    const BlockStore& store_;
    int part_;
    PartFile& file_;
    const TileSource* source_;
    ThreadPool pool_;
    std::vector<std::unique_ptr<RecordMaker>> makers_;
    std::vector<char> bounds_ = std::vector<char>(makers_.size());  // per thread: whether its RecordMaker has coarsest_
    std::optional<CoarsestLevel> coarsest_;
};

// Returns the text in the header of a shard's part. For the part that finishImport() writes, `shard` equals `shards`.
std::string descriptionOf(const ImportJob& job, int shards, int shard)
{
    return fmt::format("{} {}\n{}", shard, shards, jobToJson(job));
}

std::string jobTextOf(const std::string& description)
{
    return description.substr(std::min(description.find('\n'), description.size() - 1) + 1);
}

Result<ImportJob> jobOf(const PartFile& part) { return jobFromJson(part.path(), jobTextOf(part.description())); }

// Content of the file at a part's path.
enum class PartThere
{
    kNone,   // no file, or not a part
    kBegun,  // a part whose process was killed before it wrote the description
    kSame,   // a part of this import, with any number of shards
    kOther,  // a part of another import
};

PartThere partAt(const std::string& path, const ImportJob& job)
{
    const Result<std::string> described = PartFile::descriptionAt(path);
    if (!described) return PartThere::kNone;
    if (described->empty()) return PartThere::kBegun;
    return jobTextOf(*described) == jobToJson(job) ? PartThere::kSame : PartThere::kOther;
}

// Returns the paths of all possible parts beside `out`; the last one is the finish part.
std::vector<std::string> partPaths(const std::string& out)
{
    std::vector<std::string> paths;
    for (const int shards : shardsThere(out))
        for (int shard = 0; shard < shards; ++shard)
            paths.push_back(shardPath(out, shard, shards));
    paths.push_back(finishPath(out));
    return paths;
}

Status checkNoOthers(const ImportPlace& place, const ImportJob& job)
{
    if (place.replace) return Status::ok();
    for (const std::string& path : partPaths(place.path))
        if (partAt(path, job) == PartThere::kOther) return PartFile::ofAnotherImport(path);
    return Status::ok();
}

// Removes this import's parts and PartThere::kBegun ones, and with `others` those of other imports. Removes the finish
// part last: its presence tells a later process that the other parts can be removed.
void removeParts(const std::string& out, const ImportJob& job, bool others)
{
    for (const std::string& path : partPaths(out))
        if (const PartThere there = partAt(path, job);
            there == PartThere::kSame || there == PartThere::kBegun || (others && there == PartThere::kOther))
            ::unlink(path.c_str());
}

// Checks that the source is unchanged, and otherwise removes the part, which may mix old and new heights.
Status checkUnchanged(const TileSource& source, const ImportJob& job, const std::string& part)
{
    const Result<std::string> now = source.version();
    if (!now) return now.error();
    if (*now == job.version) return Status::ok();
    ::unlink(part.c_str());
    return inputError(source.raster().name, "has changed while it was imported (run the same command to start over)");
}

// Opens the parts of all shards; they must be complete and of the same import.
Result<std::vector<PartFile>> openShards(const std::string& out, int shards)
{
    std::vector<PartFile> parts;
    std::string job;
    for (int shard = 0; shard < shards; ++shard)
    {
        Result<PartFile> part = PartFile::openToRead(shardPath(out, shard, shards));
        if (!part)
            return Error{ExitCode::kInput,
                         fmt::format("{} (--shard {}/{} writes it)", part.error().message, shard, shards)};
        const Result<ImportJob> described = jobOf(*part);
        if (!described) return described.error();
        const std::uint64_t records = ImportPlan(described->grid(), shards).records(shard);
        if (part->records() != records)
            return inputError(part->path(), fmt::format("is not complete: {} of {} records (--shard {}/{} resumes)",
                                                        part->records(), records, shard, shards));
        if (job.empty()) job = jobToJson(*described);
        if (job != jobToJson(*described))
            return inputError(part->path(), fmt::format("belongs to another import than {}", parts.front().path()));
        parts.push_back(std::move(*part));
    }
    return parts;
}

}  // namespace

std::string shardPath(const std::string& out, int shard, int shards)
{
    return fmt::format("{}.part-{}-of-{}", out, shard, shards);
}

std::string finishPath(const std::string& out) { return out + ".part-finish"; }

std::vector<int> shardsThere(const std::string& out)
{
    const std::filesystem::path whole(out);
    const std::string prefix = whole.filename().string() + ".part-";
    std::set<int> found;
    std::error_code error;
    std::filesystem::directory_iterator entry(whole.has_parent_path() ? whole.parent_path() : ".", error), end;
    for (; !error && entry != end; entry.increment(error))
    {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(prefix)) continue;
        const std::string_view rest = std::string_view(name).substr(prefix.size());
        const std::size_t middle = rest.find("-of-");
        if (middle == std::string_view::npos) continue;
        const auto shards = numberIn<int>(rest.substr(middle + 4), 1, kMostShards);
        if (shards && numberIn<int>(rest.substr(0, middle), 0, *shards - 1)) found.insert(*shards);
    }
    return {found.begin(), found.end()};
}

Result<WrittenShard> writeShard(const TileSource& source, const ImportJob& job, const ImportPlace& place, int shard,
                                const LoadProgress& progress)
{
    try
    {
        if (Status s = checkNoOthers(place, job); !s) return s.error();
        Result<PartFile> part = PartFile::openToWrite(shardPath(place.path, shard, place.shards),
                                                      descriptionOf(job, place.shards, shard), place.replace);
        if (!part) return part.error();
        const ImportPlan plan(job.grid(), place.shards);
        BlockStore store{job, plan, std::vector<const PartFile*>(std::size_t(plan.parts()))};
        store.parts[std::size_t(shard)] = &*part;
        PartWriter writer(store, shard, *part, &source, place.threads);
        if (Status s = writer.run(progress); !s)
        {
            // No later run can complete the part, and one with other options would take it for another import's.
            if (writer.refused()) ::unlink(part->path().c_str());
            return s.error();
        }
        if (Status s = checkUnchanged(source, job, part->path()); !s) return s.error();
        const auto [begin, end] = plan.rowsOf(shard, 0);
        return WrittenShard{std::min(begin * kBlockSide, job.height), std::min(end * kBlockSide, job.height),
                            part->size()};
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, place.path + ": an import needs more memory than there is"};
    }
}

Result<ImportSummary> finishImport(const ImportPlace& place, const LoadProgress& progress)
{
    try
    {
        Result<std::vector<PartFile>> shards = openShards(place.path, place.shards);
        if (!shards) return shards.error();
        const Result<ImportJob> job = jobOf(shards->front());
        if (!job) return job.error();
        Result<PartFile> rest = PartFile::openToWrite(finishPath(place.path),
                                                      descriptionOf(*job, place.shards, place.shards), place.replace);
        if (!rest) return rest.error();
        const ImportPlan plan(job->grid(), place.shards);
        BlockStore store{*job, plan, {}};
        for (const PartFile& shard : *shards)
            store.parts.push_back(&shard);
        store.parts.push_back(&*rest);
        if (Status s = PartWriter(store, plan.finishPart(), *rest, nullptr, place.threads).run(progress); !s)
            return s.error();
        const Result<FinishedImport> finished = writeCog(store, place.path, progress, place.bigFrom);
        if (!finished) return finished.error();
        removeParts(place.path, *job, place.replace);
        return ImportSummary{*job, finished->bytes, finished->deviations};
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, place.path + ": an import needs more memory than there is"};
    }
}

void removeFinishedParts(const std::string& out)
{
    const Result<PartFile> rest = PartFile::openToRead(finishPath(out));
    if (!rest) return;
    const Result<ImportJob> job = jobOf(*rest);
    const Result<ByteSource> file = ByteSource::open(out);
    if (!job || !file) return;
    // An output file older than the finish part is the result of an earlier import.
    std::error_code failed;
    const auto written = std::filesystem::last_write_time(out, failed);
    const auto before = failed ? written : std::filesystem::last_write_time(finishPath(out), failed);
    if (failed || written < before) return;
    const auto read = [&file](std::uint64_t offset, std::span<std::byte> to) {
        return file->read(offset, to.data(), to.size()) == to.size();
    };
    const auto descriptor = findBoundsDescriptor(out, file->size(), read);
    if (descriptor && *descriptor && (*descriptor)->fingerprint == job->fingerprint) removeParts(out, *job, false);
}

}  // namespace orogen

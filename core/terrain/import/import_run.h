// An import from the beginning to the end, in one process or in several, killed and gone on with at any point.
//
//   OUT.part-I-of-N    what shard I of N writes (I from 0); one process is shard 0 of 1
//   OUT.part-finish    what spans shards: coarse levels, bounds
//   OUT.joining        the file itself, while the parts are joined
//
// All are gone when OUT is there.  A part that is there is gone on with where it ends.  The bytes of OUT depend on the
// source and the options alone, not on shards, threads, or what was killed when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/status.h"
#include "core/terrain/import/import_job.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

struct ImportPlace
{
    std::string path;      // OUT
    int shards = 1;        // at most kMostShards
    bool replace = false;  // parts of other imports
    int threads = 1;
    std::uint64_t bigFrom = 0xf000'0000u;  // bytes, a little below what 32 bits can say; a test gives less
};

std::string shardPath(const std::string& out, int shard, int shards);
std::string finishPath(const std::string& out);

// The numbers of shards of which parts of `out` are there, ascending.
std::vector<int> shardsThere(const std::string& out);

struct WrittenShard
{
    int firstRow = 0, endRow = 0;  // of the finest level
    std::uint64_t bytes = 0;
};

// Writes what of a shard's part is not there yet.  Memory: 50 MB a thread, and for each shard 8 bytes for every 2
// million samples.  Errors: kInput, of the source, or a height that the stored samples cannot have; kOutput, of the
// part, or parts of another import are there and `place.replace` is not set; kInterrupted; what is there stays.  Error
// kInput: the source has changed meanwhile; the part is then removed.
Result<WrittenShard> writeShard(const TileSource& source, const ImportJob& job, const ImportPlace& place, int shard,
                                const LoadProgress& progress);

struct ImportSummary
{
    ImportJob job;
    std::uint64_t bytes = 0;        // of OUT
    std::vector<float> deviations;  // metres, the largest of each level
};

// Writes what spans shards, joins all as OUT, which is replaced, and removes the parts of this import; with
// `place.replace` those of others, too.  Errors: as of writeShard(); kInput, a part that is missing or not complete, by
// its name.
Result<ImportSummary> finishImport(const ImportPlace& place, const LoadProgress& progress);

// Removes the parts of an import that `out` is the result of: a process was killed before it could do so.
void removeFinishedParts(const std::string& out);

}  // namespace orogen

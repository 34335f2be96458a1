// Rows on their way to run-NN.csv: nothing is lost but the last few rows, whatever happens to the process or the disk.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/atomic_file.h"
#include "core/frames/sample/frame_sample.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {

// The system calls that a run's file stands on, so that tests can let each of them fail.
struct RunFileCalls
{
    FileCalls file;
    int (*reserve)(int file, off_t bytes);  // like posix_fallocate: returns the error; may or may not grow the file
    int (*truncate)(int file, off_t bytes);
};
const RunFileCalls& systemRunFileCalls();

// Creates the file, which must not be there, with space for `bytes` bytes; none of them need be in it as a reader sees
// it.  Errors: kOutput, naming what was asked for; what was there stays, else there is no file.
Status reserveFile(const std::string& path, std::uint64_t bytes, const RunFileCalls& calls = systemRunFileCalls());

// The same for PATH.partial, with space for `rows` rows.
Status reserveRun(const std::string& path, std::uint64_t rows, const RunFileCalls& calls = systemRunFileCalls(),
                  RunColumns columns = RunColumns::kOfAll);

// Writes PATH.partial; finish() makes it PATH.  At no moment is an old PATH damaged.  After a kill PATH.partial lacks
// the last kHeldRows rows at most: rows wait for kLongestWait at most, but for those that may still turn out to be
// stutters.
class RunWriter
{
public:
    static constexpr std::size_t kRowsAWrite = 32;
    static constexpr std::size_t kHeldRows = kRowsAWrite + kStutterWindow / 2;
    static constexpr std::chrono::milliseconds kLongestWait{500};

    // Opens what reserveRun() made.  `calls` must outlive the writer.
    static Result<RunWriter> open(std::string path, const RunFileCalls& calls = systemRunFileCalls(),
                                  RunColumns columns = RunColumns::kOfAll);
    RunWriter(RunWriter&& other) noexcept;
    RunWriter& operator=(RunWriter&&) = delete;
    ~RunWriter();  // writes what it holds and leaves PATH.partial

    // Rows in the order of their frames, which rise by one.  Sets the flag `hitch`.  After an error, which every
    // further call returns again, PATH.partial holds what could be written.
    Status add(const FrameSample& sample);
    Status finish();  // once, as the last call: fsync, rename

    const std::vector<FrameSample>& rows() const { return rows_; }            // all of them, as the file holds them
    std::vector<FrameSample> takeRows() { return std::exchange(rows_, {}); }  // after finish()

private:
    RunWriter(std::string path, int file, const RunFileCalls& calls, RunColumns columns);
    Status flush();
    std::size_t judgedRows() const;
    void judge(std::size_t end);
    Status writeRows(std::size_t end);
    Status writeText(std::string_view text);
    Status settle();  // all bytes on the disk, the rest of the reserved space given back
    Status failed(const char* what, int reason);

    std::string path_;
    int file_ = -1;
    const RunFileCalls* calls_;
    RunColumns columns_;
    std::vector<FrameSample> rows_;
    std::vector<double> intervals_;          // of the measured rows
    std::vector<std::size_t> intervalRows_;  // where they stand
    std::size_t judged_ = 0;                 // intervals of which it is known whether they are stutters
    std::size_t written_ = 0;                // rows in the file
    std::uint64_t bytes_ = 0;                // in the file
    std::chrono::steady_clock::time_point lastWrite_;
    Status first_;  // the first error
};

}  // namespace orogen

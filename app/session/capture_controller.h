// The captures of a session: the one that runs, those that are over, what was found unfinished, and the comparison of
// two of them, which a thread of its own works out.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/capture_session.h"
#include "core/frames/compare/comparison.h"

namespace orogen::app {

struct ComparisonRequest
{
    std::vector<std::string> baseline, candidate;  // folders
    double marginPercent = kDefaultMarginPercent;
};

// A comparison as the panel shows it: the verdicts, or why there are none.
struct ShownComparison
{
    ComparisonRequest request;
    std::optional<Comparison> comparison;
    std::string error;
};

class CaptureController
{
public:
    // Captures of the window go into folders in this one, and unfinished ones are looked for there.
    static constexpr const char* kFolder = "orogen-captures";

    CaptureSession* session() { return session_.get(); }  // null: nothing is being captured
    const CaptureSession* session() const { return session_.get(); }
    void begin(std::unique_ptr<CaptureSession> session) { session_ = std::move(session); }

    // Writes the reports of the session and ends it; two sides are compared with each other.
    Status end(bool interrupted, std::uint64_t glErrors);

    const std::vector<FinishedCapture>& finished() const { return finished_; }  // of this session, oldest first

    const std::vector<std::string>& unfinished() const { return unfinished_; }
    void findUnfinished();
    Result<FinishedCapture> recover(const std::string& folder);  // and it is one of the finished

    // Reads and compares in the background; update(), once a frame, takes what is done.
    void compare(ComparisonRequest request);
    bool comparing() const { return pending_.valid(); }
    const std::optional<ShownComparison>& comparison() const { return comparison_; }
    void update();

private:
    std::unique_ptr<CaptureSession> session_;
    std::vector<FinishedCapture> finished_;
    std::vector<std::string> unfinished_;
    std::future<ShownComparison> pending_;
    std::optional<ShownComparison> comparison_;
};

// "orogen-captures/2026-05-01T12.34.56Z": the time in UTC; with "-2" and so on where that is taken.
std::string newCaptureFolder();

// Figures of a report under the names that its page has, as text: what the panel and the command line show.
struct ReportFigure
{
    std::string name, value;
    std::string reason{};  // why there is no value; else empty
};
std::vector<ReportFigure> figuresOf(const FrameReport& report);

}  // namespace orogen::app

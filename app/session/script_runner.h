// Runs a view script in the running program, a step a frame, as a user would: clicks and keys go through the panels.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/compute_session.h"
#include "app/ui/injector.h"
#include "core/base/status.h"
#include "core/script.h"

namespace orogen::app {

// What a script can do besides pressing keys and buttons, and what it can ask for.  The viewer is one.
class ScriptHost
{
public:
    virtual ~ScriptHost() = default;

    // As --set does, from the next frame on.
    virtual Status setSetting(const std::string& key, const std::string& value) = 0;

    // Begins to open a DEM; opening() until it is open or refused.  A refusal is a message, not an error.
    virtual void open(const std::string& dem) = 0;
    virtual bool opening() const = 0;

    // Writes the picture of the frame that was drawn last.
    virtual Status screenshot(const std::string& file) = 0;

    // Work that will still change the picture, and jobs that run, for a message; empty: there is none.
    virtual std::string unsettled() const = 0;

    virtual Status goTo(const Geodetic& place) = 0;
    virtual Status bookmark(int number, bool set) = 0;

    // Begins a run of a compute module, which is a job.
    virtual Status run(const ModuleRequest& request) = 0;

    // Begins a frame-time report along the shipped path; capturing() until it is written, or the error that ended it.
    virtual Status capture(const std::string& folder, std::uint64_t frames) = 0;
    virtual Result<bool> capturing() const = 0;

    // A setting (any key of the table), or what cli.md lists for `expect`; none: there is no such key.  "null" where
    // there is no value yet.
    virtual std::optional<std::string> value(std::string_view key) = 0;

    virtual void quit() = 0;
};

class ScriptRunner
{
public:
    // Seconds that a picture may take to settle: 60, or OROGEN_SETTLE_SECONDS of the environment (1 to 86,400).
    static double settleSeconds();

    // Error kUsage, with file and line: an item or a key of the keyboard that does not exist.
    static Result<std::unique_ptr<ScriptRunner>> create(Script script, ScriptHost& host);

    // Once a frame, before Ui::beginFrame().  `seconds`: a clock that goes on while frames are waited for.  `injector`:
    // of the panels that there are now; others after a lost context. Errors name file and line: kExpectation where
    // something is not as the script wants it (a failed expectation, found and expected; an item that is not on screen;
    // not settled in time); kUsage where a key or a value is none; what the host says.  After an error or the last step
    // it does nothing.
    Status step(double seconds, Injector& injector);

    bool done() const { return failed_ || (next_ == script_.steps.size() && !waiting()); }
    bool asksFor(std::string_view key) const;  // in an `expect`
    int line() const;                          // of the step that is being done; 0: none

private:
    enum class Waiting
    {
        kNothing,
        kFrames,
        kSettled,
        kOpening,
        kCapture,
        kInput,
    };

    ScriptRunner(Script script, ScriptHost& host);
    bool waiting() const { return waiting_ != Waiting::kNothing; }
    Status keepWaiting(double seconds);
    Status begin(const step::Set& step);
    Status begin(const step::Click& step);
    Status begin(const step::Key& step);
    Status begin(const step::Drag& step);
    Status begin(const step::Open& step);
    Status begin(const step::GoTo& step) { return host_.goTo(step.place); }
    Status begin(const step::Bookmark& step) { return host_.bookmark(step.number, step.set); }
    Status begin(const step::WaitFrames& step);
    Status begin(const step::WaitSettled& step);
    Status begin(const step::Screenshot& step);
    Status begin(const step::Capture& step);
    Status begin(const step::Run& step);
    Status begin(const step::Expect& step);
    Status begin(const step::Quit& step);

    Script script_;
    ScriptHost& host_;
    Injector* injector_ = nullptr;  // of the present step()
    std::size_t next_ = 0;
    Waiting waiting_ = Waiting::kNothing;
    int framesLeft_ = 0;
    std::optional<double> since_;  // of waiting for settled
    bool failed_ = false;
};

}  // namespace orogen::app

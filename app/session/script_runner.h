// Runs a view script, at most one step a frame.  Clicks, drags and keys go through the panels, like a user's.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/session/compute_runner.h"
#include "app/session/session.h"
#include "app/ui/input.h"
#include "core/base/status.h"
#include "core/script.h"

namespace orogen::app {

// Interface for script steps other than input and waiting, and for queries; ScriptCommands implements it.
class ScriptHost
{
public:
    virtual ~ScriptHost() = default;

    // Sets a value as --set does, from the next frame on.
    virtual Status setSetting(const std::string& key, const std::string& value) = 0;

    // Starts opening a DEM; opening() is true until it is open or rejected.  A rejection is a message, not an error.
    virtual void open(const std::string& dem) = 0;
    virtual bool opening() const = 0;

    // Writes the picture of the last drawn frame.
    virtual Status screenshot(const std::string& file) = 0;

    // Lists pending work that changes the picture, and running jobs, for a message; empty: none.
    virtual std::string unsettled() const = 0;

    virtual Status goTo(const step::GoTo& to) = 0;
    virtual Status bookmark(int number, bool set) = 0;

    // Starts a run of a compute module as a job.
    virtual Status run(const ModuleRequest& request) = 0;

    // Starts a frame-time capture.  capturing() is true until its report is written, or fails with the capture's error.
    virtual Status capture(const std::string& folder, std::uint64_t frames) = 0;
    virtual Result<bool> capturing() const = 0;

    // Performs a step of the terrain model or of its brushes.  undoStroke() takes back the last stroke of a brush;
    // `again`: restores it.
    virtual Status model(const step::Model& step) = 0;
    virtual Status brush(const step::Brush& step) = 0;
    virtual Status undoStroke(bool again) = 0;

    // Names the section of the captures that follow.
    virtual void mark(const std::string& section) = 0;

    // Returns a setting, or another value for `expect` (`orogen view --help-script` lists the keys).
    // "null" if there is no value yet; empty: unknown key.
    virtual std::optional<std::string> value(std::string_view key) = 0;

    virtual void quit() = 0;
};

class ScriptRunner
{
public:
    // Returns the time limit for the picture to converge (seconds): 60, or OROGEN_SETTLE_SECONDS (1 to 86,400).
    static double settleSeconds();

    // Creates a runner, after checking the names in the script.  Error kUsage, with file and line: unknown item or
    // keyboard key.
    static Result<std::unique_ptr<ScriptRunner>> create(Script script, ScriptHost& host);

    // Performs the next step, or waits for the current one; call once a frame, before Ui::beginFrame().  `seconds`:
    // time on a clock that also runs between frames.  `injector`: input of the current panels, which are replaced after
    // a lost context.  Errors name file and line: kExpectation (failed expectation, item not on screen, not converged
    // in time), kUsage (invalid key or value), and those of the host.  Does nothing after an error or the last step.
    Status step(double seconds, Injector& injector);

    bool done() const { return failed_ || (next_ == script_.steps.size() && !waiting()); }
    bool asksFor(std::string_view key) const;  // whether an `expect` step queries this key
    int line() const;                          // line of the current step; 0: no step was performed yet

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
    Status begin(const step::GoTo& step) { return host_.goTo(step); }
    Status begin(const step::Bookmark& step) { return host_.bookmark(step.number, step.set); }
    Status begin(const step::WaitFrames& step);
    Status begin(const step::WaitSettled& step);
    Status begin(const step::Screenshot& step);
    Status begin(const step::Capture& step);
    Status begin(const step::Mark& step);
    Status begin(const step::Run& step);
    Status begin(const step::Model& step) { return host_.model(step); }
    Status begin(const step::Brush& step) { return host_.brush(step); }
    Status begin(const step::Undo& step) { return host_.undoStroke(step.again); }
    Status begin(const step::Expect& step);
    Status begin(const step::Quit& step);

    Script script_;
    ScriptHost& host_;
    Injector* injector_ = nullptr;  // valid during step()
    std::size_t next_ = 0;
    Waiting waiting_ = Waiting::kNothing;
    int framesLeft_ = 0;
    std::optional<double> since_;  // start of the current step
    bool failed_ = false;
};

// Commands that scripts can perform in a session, and values that they can query.
class ScriptCommands : public ScriptHost
{
public:
    explicit ScriptCommands(Session& session) : session_(session) {}

    Status setSetting(const std::string& key, const std::string& value) override;
    void open(const std::string& dem) override;
    bool opening() const override { return session_.terrain.loading() != nullptr; }
    Status screenshot(const std::string& file) override { return session_.writePicture(file); }
    std::string unsettled() const override { return session_.unsettled(); }
    Status goTo(const step::GoTo& to) override;
    Status bookmark(int number, bool set) override;
    Status run(const ModuleRequest& request) override { return session_.compute.start(request); }
    Status capture(const std::string& folder, std::uint64_t frames) override;
    Result<bool> capturing() const override;
    Status model(const step::Model& step) override;
    Status brush(const step::Brush& step) override;
    Status undoStroke(bool again) override
    {
        return again ? session_.model.redoStroke(session_) : session_.model.undoStroke(session_);
    }
    void mark(const std::string& section) override { section_ = section; }
    std::optional<std::string> value(std::string_view key) override;
    void quit() override { session_.quit = true; }

private:
    std::optional<std::string> rendererValue(std::string_view key) const;
    std::optional<std::string> tileValue(std::string_view key) const;
    std::string groundValue() const;
    std::optional<std::string> placeValue(std::string_view key) const;
    std::string meshValue(bool count) const;
    std::string errorValue(bool largest) const;
    std::string judgedErrorValue() const;
    std::string jumpValue() const;
    std::optional<std::string> computeValue(std::string_view key) const;

    Session& session_;
    std::string section_;  // section of the captures that follow
};

}  // namespace orogen::app

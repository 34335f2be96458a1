#include "app/session/script_runner.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "app/ui/items.h"

namespace orogen::app {

namespace {

constexpr double kSettleSeconds = 60;
constexpr int kLeastFrames = 2;  // a step's effect is drawn one frame later; until then the picture may seem settled

Error at(const Script& script, const ScriptStep& step, const Error& error)
{
    return {error.code, fmt::format("{}:{}: {}", script.file, step.line, error.message)};
}

Status checkNames(const ScriptStep& step)
{
    const auto* click = std::get_if<step::Click>(&step.action);
    const auto* drag = std::get_if<step::Drag>(&step.action);
    if (const std::string* item = click ? &click->item : drag ? &drag->item : nullptr; item && !isItemName(*item))
    {
        return Error{ExitCode::kUsage,
                     fmt::format("unknown item '{}': expected PANEL/NAME as on screen, such as Terrain/depth", *item)};
    }
    if (const auto* key = std::get_if<step::Key>(&step.action); key && !isKeyName(key->name))
    {
        return Error{ExitCode::kUsage,
                     fmt::format("unknown key '{}': expected F1 to F12, a letter or digit, Tab, Home, Escape, Shift, "
                                 "WheelUp and the like, with Ctrl+ before it if need be",
                                 key->name)};
    }
    return Status::ok();
}

}  // namespace

ScriptRunner::ScriptRunner(Script script, ScriptHost& host) : script_(std::move(script)), host_(host) {}

Result<std::unique_ptr<ScriptRunner>> ScriptRunner::create(Script script, ScriptHost& host)
{
    for (const ScriptStep& step : script.steps)
    {
        if (const Status status = checkNames(step); !status)
        {
            return at(script, step, status.error());
        }
    }
    return std::unique_ptr<ScriptRunner>(new ScriptRunner(std::move(script), host));
}

bool ScriptRunner::asksFor(std::string_view key) const
{
    return std::ranges::any_of(script_.steps, [key](const ScriptStep& step) {
        const auto* expect = std::get_if<step::Expect>(&step.action);
        return expect && expect->key == key;
    });
}

int ScriptRunner::line() const { return next_ == 0 ? 0 : script_.steps[next_ - 1].line; }

Status ScriptRunner::step(double seconds, Injector& injector)
{
    injector_ = &injector;
    if (done())
    {
        return Status::ok();
    }
    Status status = keepWaiting(seconds);
    if (status && !waiting() && next_ < script_.steps.size())
    {
        const ScriptStep& step = script_.steps[next_++];
        status = std::visit([this](const auto& action) { return begin(action); }, step.action);
        since_ = seconds;
    }
    if (!status)
    {
        failed_ = true;
        return at(script_, script_.steps[next_ - 1], status.error());
    }
    return Status::ok();
}

// Reads the environment variable with which tests allow more time on a busy machine.
double ScriptRunner::settleSeconds()
{
    const char* text = std::getenv("OROGEN_SETTLE_SECONDS");
    double seconds = 0;
    if (!text || std::from_chars(text, text + std::strlen(text), seconds).ec != std::errc()) return kSettleSeconds;
    return seconds >= 1 && seconds <= 86'400 ? seconds : kSettleSeconds;
}

Status ScriptRunner::keepWaiting(double seconds)
{
    framesLeft_ = std::max(framesLeft_ - 1, 0);
    switch (waiting_)
    {
    case Waiting::kFrames:
        waiting_ = framesLeft_ > 0 ? waiting_ : Waiting::kNothing;
        break;
    case Waiting::kSettled: {
        const std::string unsettled = framesLeft_ == 0 ? host_.unsettled() : std::string();
        if (framesLeft_ == 0 && unsettled.empty())
        {
            // The panels of the settled frame were drawn before its picture.  One more frame shows its figures in them.
            waiting_ = Waiting::kFrames;
            framesLeft_ = 1;
        }
        else if (!unsettled.empty() && seconds - since_.value_or(seconds) > settleSeconds())
        {
            return Error{ExitCode::kExpectation,
                         fmt::format("wait settled: found still pending {}, expected settled within {:g} s "
                                     "(OROGEN_SETTLE_SECONDS allows more)",
                                     unsettled, settleSeconds())};
        }
        break;
    }
    case Waiting::kOpening:
        waiting_ = host_.opening() ? waiting_ : Waiting::kNothing;
        break;
    case Waiting::kCapture: {
        const Result<bool> capturing = host_.capturing();
        if (!capturing)
        {
            return capturing.error();
        }
        waiting_ = *capturing ? waiting_ : Waiting::kNothing;
        break;
    }
    case Waiting::kInput:
        waiting_ = injector_->busy() ? waiting_ : Waiting::kNothing;
        if (const auto failure = injector_->takeFailure())
        {
            return Error{ExitCode::kExpectation, *failure};
        }
        break;
    case Waiting::kNothing:
        break;
    }
    return Status::ok();
}

Status ScriptRunner::begin(const step::Set& step) { return host_.setSetting(step.key, step.value); }

Status ScriptRunner::begin(const step::Click& step)
{
    injector_->click(step.item);
    waiting_ = Waiting::kInput;
    return Status::ok();
}

Status ScriptRunner::begin(const step::Key& step)
{
    injector_->key(step.name);
    waiting_ = Waiting::kInput;
    return Status::ok();
}

Status ScriptRunner::begin(const step::Drag& step)
{
    injector_->drag(step.item, step.dx, step.dy);
    waiting_ = Waiting::kInput;
    return Status::ok();
}

Status ScriptRunner::begin(const step::Open& step)
{
    host_.open(step.file);
    waiting_ = Waiting::kOpening;
    return Status::ok();
}

Status ScriptRunner::begin(const step::WaitFrames& step)
{
    framesLeft_ = step.frames;
    waiting_ = Waiting::kFrames;
    return Status::ok();
}

Status ScriptRunner::begin(const step::WaitSettled&)
{
    framesLeft_ = kLeastFrames;
    waiting_ = Waiting::kSettled;
    return Status::ok();
}

Status ScriptRunner::begin(const step::Screenshot& step) { return host_.screenshot(step.file); }

Status ScriptRunner::begin(const step::Capture& step)
{
    waiting_ = Waiting::kCapture;
    return host_.capture(step.folder, std::uint64_t(step.frames));
}

Status ScriptRunner::begin(const step::Mark& step)
{
    host_.mark(step.name);
    return Status::ok();
}

Status ScriptRunner::begin(const step::Run& step)
{
    return host_.run({.module = step.module, .assignments = step.assignments, .wholeResult = true});
}

Status ScriptRunner::begin(const step::Expect& step)
{
    const auto found = host_.value(step.key);
    if (!found)
    {
        return Error{ExitCode::kUsage, fmt::format("expect: unknown key '{}', expected a setting or a key that "
                                                   "orogen view --help-script lists",
                                                   step.key)};
    }
    const auto holds = compare(*found, step.relation, step.value);
    if (!holds)
    {
        return holds.error();
    }
    if (!*holds)
    {
        return Error{ExitCode::kExpectation,
                     fmt::format("{}: found {}, expected {} {}", step.key, *found, textOf(step.relation), step.value)};
    }
    return Status::ok();
}

Status ScriptRunner::begin(const step::Quit&)
{
    host_.quit();
    next_ = script_.steps.size();
    return Status::ok();
}

}  // namespace orogen::app

// Messages of a session to its user: lines over the picture, and on standard error for headless sessions.
#pragma once

#include <string>
#include <vector>

#include "app/model/ui_model.h"
#include "core/base/status.h"

namespace orogen::app {

// Session messages: all of them, and those on screen, which disappear after a while (notes first).
class MessageLog
{
public:
    static constexpr std::size_t kMostKept = 1000;  // messages kept by all(); older messages are dropped

    void push(MessageKind kind, std::string text, double now);
    void update(double now);                                        // called once a frame
    const std::vector<UiMessage>& shown() const { return shown_; }  // oldest first, at most a few
    const std::vector<UiMessage>& all() const { return all_; }      // oldest first; consecutive repetitions are merged
    const std::string& newest() const { return newest_; }           // newest message ever; empty: none yet

private:
    std::vector<UiMessage> shown_, all_;
    std::string newest_;
};

class Messages
{
public:
    void printProblems(bool print) { print_ = print; }  // warnings and errors also go to standard error

    void report(MessageKind kind, const std::string& text);
    void reportOutcome(const Status& status, const std::string& done);  // reports the note `done`, or the error
    void reportError(const Status& status);                             // does nothing on success

    void update(double seconds);  // removes old lines; call once a frame, with the session's time
    const std::vector<UiMessage>& shown() const { return log_.shown(); }
    // The session's messages, up to MessageLog::kMostKept.
    const std::vector<UiMessage>& all() const { return log_.all(); }
    const std::string& newest() const { return log_.newest(); }

private:
    MessageLog log_;
    double seconds_ = 0;
    bool print_ = false;
};

}  // namespace orogen::app

// Commands that scripts can perform in a session, and values that they can query.
#pragma once

#include "app/session/script_runner.h"
#include "app/session/session.h"

namespace orogen::app {

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

// Strict reading of untrusted JSON documents: a parser, and values that know their path.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/status.h"

namespace orogen {

// Parses a document.  Errors, kInput, name `file` and the expected `document` ("a frame report"): not JSON, a key that
// occurs twice in an object, nesting deeper than Json::kDeepest.
Result<Json> parseJson(std::string_view text, const std::string& file, std::string_view document);

// First failure while reading a document.  Values that are read after it are empty.
class JsonFailure
{
public:
    explicit JsonFailure(std::string file) : file_(std::move(file)) {}
    void set(const std::string& place, std::string_view found, std::string_view expected)
    {
        if (!error_)
            error_ = Error{ExitCode::kInput, fmt::format("{}: {}: found {}, expected {}", file_,
                                                         place.empty() ? "/" : place, found, expected)};
    }
    const std::optional<Error>& error() const { return error_; }

private:
    std::string file_;
    std::optional<Error> error_;
};

// JSON value and its path.  A missing value or a wrong type is reported to JsonFailure and read as empty.
class JsonNode
{
public:
    JsonNode(const Json* value, std::string place, JsonFailure& failure)
        : value_(value), place_(std::move(place)), failure_(&failure)
    {
    }

    JsonNode operator[](const std::string& key) const
    {
        const std::string place = place_ + '/' + key;
        if (!value_) return {nullptr, place, *failure_};
        if (!value_->isObject()) return refuse("an object"), JsonNode{nullptr, place, *failure_};
        const Json* member = value_->find(key);
        if (!member) failure_->set(place, "nothing", "this key");
        return {member, place, *failure_};
    }
    std::vector<JsonNode> items() const
    {
        std::vector<JsonNode> nodes;
        if (!value_ || !value_->isArray()) return refuse("an array"), nodes;
        for (const Json& item : value_->items())
            nodes.emplace_back(&item, fmt::format("{}/{}", place_, nodes.size()), *failure_);
        return nodes;
    }
    bool isNull() const { return !value_ || value_->isNull(); }

    double number(double low = -1e300, double high = 1e300) const
    {
        if (value_ && value_->isNumber())
            if (const double x = value_->get<double>(); x >= low && x <= high) return x;
        if (low == -1e300) return refuse("a number"), 0;
        return refuse(high == 1e300 ? fmt::format("a number of at least {}", low)
                                    : fmt::format("a number from {} to {}", low, high)),
               low;
    }
    std::uint64_t count() const
    {
        if (value_ && value_->isUnsigned()) return value_->get<std::uint64_t>();
        return refuse("an integer of at least 0"), 0;
    }
    bool flag() const
    {
        if (value_ && value_->isBool()) return value_->get<bool>();
        return refuse("true or false"), false;
    }
    std::string text() const
    {
        if (value_ && value_->isText()) return value_->get<std::string>();
        return refuse("a text"), std::string();
    }
    const Json& object() const
    {
        static const Json kEmpty = Json::object();
        if (value_ && value_->isObject()) return *value_;
        return refuse("an object"), kEmpty;
    }
    // Returns read(*this), or nothing if the value is null.
    template <class Read>
    auto orNull(Read read) const -> std::optional<decltype(read(*this))>
    {
        if (isNull()) return std::nullopt;
        return read(*this);
    }
    std::optional<std::string> textOrNull() const
    {
        return orNull([](const JsonNode& node) { return node.text(); });
    }
    void refuse(std::string_view expected) const
    {
        if (value_) failure_->set(place_, shown(), expected);
    }

private:
    std::string shown() const
    {
        std::string text = value_->dumpAscii();
        if (text.size() > 40) text = text.substr(0, 37) + "...";
        return text;
    }

    const Json* value_;  // null: missing, already reported
    std::string place_;
    JsonFailure* failure_;
};

}  // namespace orogen

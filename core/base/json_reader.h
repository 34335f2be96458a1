// Strict reading of untrusted JSON documents: a parser, and values that know their path.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/status.h"

namespace orogen {

// Rejects duplicate keys in an object and nesting deeper than any document here (32), since readers recurse.  Errors:
// kInput, naming `file` and, as expected content, `document` ("a frame report").
Result<nlohmann::ordered_json> parseJson(std::string_view text, const std::string& file, std::string_view document);

// Keeps the first failure of a document; values read after it are empty.
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
    using Json = nlohmann::ordered_json;

    JsonNode(const Json* value, std::string place, JsonFailure& failure)
        : value_(value), place_(std::move(place)), failure_(&failure)
    {
    }

    JsonNode operator[](const std::string& key) const
    {
        const std::string place = place_ + '/' + key;
        if (!value_) return {nullptr, place, *failure_};
        if (!value_->is_object()) return refuse("an object"), JsonNode{nullptr, place, *failure_};
        const auto member = value_->find(key);
        if (member == value_->end())
            return failure_->set(place, "nothing", "this key"), JsonNode{nullptr, place, *failure_};
        return {&*member, place, *failure_};
    }
    std::vector<JsonNode> items() const
    {
        std::vector<JsonNode> nodes;
        if (!value_ || !value_->is_array()) return refuse("an array"), nodes;
        for (const Json& item : *value_)
            nodes.emplace_back(&item, fmt::format("{}/{}", place_, nodes.size()), *failure_);
        return nodes;
    }
    bool isNull() const { return !value_ || value_->is_null(); }

    double number(double low = -1e300, double high = 1e300) const
    {
        if (value_ && value_->is_number())
            if (const double x = value_->get<double>(); x >= low && x <= high) return x;
        if (low == -1e300) return refuse("a number"), 0;
        return refuse(high == 1e300 ? fmt::format("a number of at least {}", low)
                                    : fmt::format("a number from {} to {}", low, high)),
               low;
    }
    std::uint64_t count() const
    {
        if (value_ && value_->is_number_unsigned()) return value_->get<std::uint64_t>();
        return refuse("an integer of at least 0"), 0;
    }
    bool flag() const
    {
        if (value_ && value_->is_boolean()) return value_->get<bool>();
        return refuse("true or false"), false;
    }
    std::string text() const
    {
        if (value_ && value_->is_string()) return value_->get<std::string>();
        return refuse("a text"), std::string();
    }
    const Json& object() const
    {
        static const Json kEmpty = Json::object();
        if (value_ && value_->is_object()) return *value_;
        return refuse("an object"), kEmpty;
    }
    // Returns read(*this), or nothing for null.
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
        std::string text = value_->dump(-1, ' ', true, Json::error_handler_t::replace);
        if (text.size() > 40) text = text.substr(0, 37) + "...";
        return text;
    }

    const Json* value_;  // null: missing, already reported
    std::string place_;
    JsonFailure* failure_;
};

}  // namespace orogen

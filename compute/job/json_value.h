// A JSON value that is held by headers without <nlohmann/json.hpp>, which takes a compiler one to two seconds a file.
// Whoever looks inside includes that one.
#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

namespace orogen::compute {

// Copies with what it holds; null at first.  One that was moved from may only be assigned to or destroyed.
class JsonValue
{
public:
    JsonValue();
    JsonValue(const JsonValue& other);
    JsonValue(JsonValue&& other) noexcept;
    JsonValue& operator=(JsonValue other) noexcept;
    ~JsonValue();

    nlohmann::ordered_json& operator*() { return *value_; }
    const nlohmann::ordered_json& operator*() const { return *value_; }
    nlohmann::ordered_json* operator->() { return value_.get(); }
    const nlohmann::ordered_json* operator->() const { return value_.get(); }

private:
    std::unique_ptr<nlohmann::ordered_json> value_;
};

}  // namespace orogen::compute

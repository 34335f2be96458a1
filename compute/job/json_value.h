// JSON value for headers without <nlohmann/json.hpp>, which adds one to two seconds of compile time per file.
#pragma once

#include <memory>

#include <nlohmann/json_fwd.hpp>

namespace orogen::compute {

// Owner of a JSON value, initially null; copies are deep.  A moved-from object may only be assigned to or destroyed.
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

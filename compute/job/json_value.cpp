// Copying and destroying need the complete type, so they are compiled here instead of in every user of a result.
#include "compute/job/json_value.h"

#include <utility>

#include <nlohmann/json.hpp>

namespace orogen::compute {

JsonValue::JsonValue() : value_(std::make_unique<nlohmann::ordered_json>()) {}
JsonValue::JsonValue(const JsonValue& other) : value_(std::make_unique<nlohmann::ordered_json>(*other)) {}
JsonValue::JsonValue(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(JsonValue other) noexcept
{
    std::swap(value_, other.value_);
    return *this;
}
JsonValue::~JsonValue() = default;

}  // namespace orogen::compute

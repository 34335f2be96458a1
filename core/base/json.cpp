#include "core/base/json.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace orogen {
namespace {

[[noreturn]] void refuse(const Json& found, std::string_view expected)
{
    throw JsonError(JsonError::kType, "found " + std::string(found.typeName()) + ", expected " + std::string(expected));
}

// Builds a value from the parser's events.
class Builder : public nlohmann::json_sax<nlohmann::ordered_json>
{
public:
    explicit Builder(bool keysOnce) : keysOnce_(keysOnce) {}
    Json take() { return std::move(root_); }

    bool null() override { return add(Json()); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& name) override
    {
        if (keysOnce_ && open_.back().value.contains(name)) throw JsonError(JsonError::kTwice, name);
        open_.back().key = std::move(name);
        return true;
    }
    bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override
    {
        const std::string_view what = error.what();  // "[json.exception.parse_error.101] parse error at line ..."
        const auto bracket = what.find("] ");
        const bool number = dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr;
        throw JsonError(number ? JsonError::kNumber : JsonError::kSyntax,
                        std::string(what.substr(bracket == what.npos ? 0 : bracket + 2)), byte);
    }

private:
    struct Open
    {
        Json value;
        std::string key;  // newest key of an object
    };

    bool add(Json value)
    {
        if (open_.empty())
            root_ = std::move(value);
        else if (open_.back().value.isArray())
            open_.back().value.push_back(std::move(value));
        else
            open_.back().value[open_.back().key] = std::move(value);
        return true;
    }
    bool open(Json value)
    {
        if (open_.size() >= Json::kDeepest)
            throw JsonError(JsonError::kNested, "found more than " + std::to_string(Json::kDeepest) + " nested values");
        open_.push_back({std::move(value), {}});
        return true;
    }
    bool close()
    {
        Json value = std::move(open_.back().value);
        open_.pop_back();
        return add(std::move(value));
    }

    bool keysOnce_;
    Json root_;
    std::vector<Open> open_;
};

nlohmann::ordered_json written(const Json& value)
{
    if (value.isBool()) return value.get<bool>();
    if (value.isUnsigned()) return value.get<std::uint64_t>();
    if (value.isFloat()) return value.get<double>();
    if (value.isNumber()) return value.get<std::int64_t>();
    if (value.isText()) return value.text();
    nlohmann::ordered_json all;
    if (value.isArray())
    {
        all = nlohmann::ordered_json::array();
        for (const Json& item : value.items())
            all.push_back(written(item));
    }
    if (value.isObject())
    {
        all = nlohmann::ordered_json::object();
        auto& members = all.get_ref<nlohmann::ordered_json::object_t&>();
        members.reserve(value.size());
        for (const auto& [key, member] : value.members())
            members.std::vector<std::pair<const std::string, nlohmann::ordered_json>>::emplace_back(key,
                                                                                                    written(member));
    }
    return all;
}

}  // namespace

Json::Json() = default;
Json::Json(std::nullptr_t) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> items)
{
    const bool pairs = std::ranges::all_of(
        items, [](const Json& item) { return item.isArray() && item.size() == 2 && item.items()[0].isText(); });
    if (!pairs)
    {
        value_ = Array(items);
        return;
    }
    value_ = Object();
    for (const Json& item : items)
        (*this)[item.items()[0].text()] = item.items()[1];
}

Json Json::array(std::initializer_list<Json> items)
{
    Json all;
    all.value_ = Array(items);
    return all;
}

Json Json::object()
{
    Json none;
    none.value_ = Object();
    return none;
}

Json Json::parse(std::string_view text, bool keysOnce)
{
    Builder builder(keysOnce);
    nlohmann::ordered_json::sax_parse(text, &builder);
    return builder.take();
}

std::optional<Json> Json::parsed(std::string_view text)
{
    try
    {
        return parse(text);
    }
    catch (const JsonError&)
    {
        return std::nullopt;
    }
}

std::string Json::dump(int indent) const
{
    return written(*this).dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string Json::dumpAscii() const
{
    return written(*this).dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
}

Json Json::sorted() const
{
    Json copy = *this;
    if (Array* all = std::get_if<Array>(&copy.value_))
        for (Json& item : *all)
            item = item.sorted();
    if (Object* all = std::get_if<Object>(&copy.value_))
    {
        std::ranges::sort(*all, {}, &Member::key);
        for (Member& member : *all)
            member.value = member.value.sorted();
    }
    return copy;
}

std::string_view Json::typeName() const
{
    if (isNumber()) return "number";
    return isNull() ? "null" : isBool() ? "boolean" : isText() ? "string" : isArray() ? "array" : "object";
}

void Json::set(bool value) { value_ = value; }
void Json::set(std::int64_t value)
{
    if (value < 0)
        value_ = value;
    else
        value_ = std::uint64_t(value);
}
void Json::set(std::uint64_t value) { value_ = value; }
void Json::set(double value) { value_ = value; }

std::int64_t Json::integer() const
{
    if (const auto* value = std::get_if<std::uint64_t>(&value_)) return std::int64_t(*value);
    if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
    refuse(*this, "an integer");
}

double Json::number() const
{
    if (const auto* value = std::get_if<double>(&value_)) return *value;
    if (const auto* value = std::get_if<std::uint64_t>(&value_)) return double(*value);
    if (const auto* value = std::get_if<std::int64_t>(&value_)) return double(*value);
    refuse(*this, "a number");
}

bool Json::flag() const
{
    if (const auto* value = std::get_if<bool>(&value_)) return *value;
    refuse(*this, "true or false");
}

const std::string& Json::text() const
{
    if (const auto* value = std::get_if<std::string>(&value_)) return *value;
    refuse(*this, "a text");
}

std::size_t Json::size() const
{
    if (const auto* all = std::get_if<Array>(&value_)) return all->size();
    if (const auto* all = std::get_if<Object>(&value_)) return all->size();
    return isNull() ? 0 : 1;
}

std::span<const Json> Json::items() const
{
    if (const auto* all = std::get_if<Array>(&value_)) return *all;
    if (isNull()) return {};
    refuse(*this, "an array");
}

std::span<const Json::Member> Json::members() const
{
    if (const auto* all = std::get_if<Object>(&value_)) return *all;
    if (isNull()) return {};
    refuse(*this, "an object");
}

const Json* Json::find(std::string_view key) const
{
    const auto* all = std::get_if<Object>(&value_);
    if (!all) return nullptr;
    const auto found = std::ranges::find(*all, key, &Member::key);
    return found == all->end() ? nullptr : &found->value;
}

const Json& Json::at(std::string_view key) const
{
    if (const Json* value = find(key)) return *value;
    throw JsonError(JsonError::kType,
                    "found " + std::string(typeName()) + " without the key '" + std::string(key) + "'");
}

Json& Json::operator[](std::string_view key)
{
    if (isNull()) value_ = Object();
    auto* all = std::get_if<Object>(&value_);
    if (!all) refuse(*this, "an object");
    const auto found = std::ranges::find(*all, key, &Member::key);
    if (found != all->end()) return found->value;
    all->push_back({std::string(key), Json()});
    return all->back().value;
}

void Json::push_back(Json item)
{
    if (isNull()) value_ = Array();
    auto* all = std::get_if<Array>(&value_);
    if (!all) refuse(*this, "an array");
    all->push_back(std::move(item));
}

void Json::erase(std::string_view key)
{
    if (auto* all = std::get_if<Object>(&value_))
        std::erase_if(*all, [&](const Member& member) { return member.key == key; });
}

void Json::update(const Json& other)
{
    for (const auto& [key, value] : other.members())
        (*this)[key] = value;
}

bool Json::operator==(const Json& other) const
{
    if (isNumber() && other.isNumber())
    {
        if (isFloat() || other.isFloat()) return number() == other.number();
        return integer() == other.integer() && (integer() >= 0 || isUnsigned() == other.isUnsigned());
    }
    if (value_.index() != other.value_.index() || size() != other.size()) return false;
    if (isArray()) return std::ranges::equal(items(), other.items());
    if (isObject())
        return std::ranges::all_of(members(), [&](const Member& member) {
            const Json* value = other.find(member.key);
            return value && member.value == *value;
        });
    if (isText()) return text() == other.text();
    return isNull() || flag() == other.flag();
}

namespace {

std::string shortened(const std::string& text)
{
    return text.size() > 40 ? printableStart(text, 37) + "..." : printable(text);
}

}  // namespace

Result<Json> parseJson(std::string_view text, const std::string& file, std::string_view document)
{
    try
    {
        return Json::parse(text, true);
    }
    catch (const JsonError& error)
    {
        switch (error.cause)
        {
        case JsonError::kNested:
            return Error{ExitCode::kInput, fmt::format("{}: {}, expected {}", file, error.what(), document)};
        case JsonError::kTwice:
            return Error{ExitCode::kInput, fmt::format("{}: found the key '{}' twice in an object, expected once", file,
                                                       shortened(error.what()))};
        case JsonError::kNumber:
            return Error{ExitCode::kInput,
                         fmt::format("{}: found a number that is too large, expected {}", file, document)};
        default:
            return Error{ExitCode::kInput, fmt::format("{}: byte {}: found no JSON value, expected {} in JSON", file,
                                                       error.byte, document)};
        }
    }
}

}  // namespace orogen

// JSON values, and strict reading of untrusted documents.  Outside tests, only json.cpp includes nlohmann's header.
// The header costs one to two seconds of compile time per file, and a use of its parser or writer another two.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/base/status.h"

namespace orogen {

// Thrown for text that is not JSON, and for a value whose type differs from the one requested.
// what() describes the cause.
class JsonError : public std::runtime_error
{
public:
    enum Cause
    {
        kSyntax,  // `byte` says where
        kNumber,  // a number outside the range of double
        kNested,  // nesting deeper than Json::kDeepest
        kTwice,   // a key occurs twice in an object (only with `keysOnce` of parse())
        kType,    // a value has another type, or a key is missing
    };
    JsonError(Cause which, const std::string& what, std::size_t at = 0)
        : std::runtime_error(what), cause(which), byte(at)
    {
    }
    const Cause cause;
    const std::size_t byte;  // position in the text, from 1; for kSyntax and kNumber
};

// JSON value, initially null.  Objects keep the order in which their keys were added; finding a key takes time in
// proportion to their number.  A list in braces is an object if each of its items is a list of two elements, the first
// a text.  Otherwise it is an array.
class Json
{
public:
    struct Member;
    static constexpr int kDeepest = 32;  // deepest nesting that parse() accepts, since readers recurse

    Json();
    Json(std::nullptr_t);
    Json(std::same_as<bool> auto value) : Json() { set(bool(value)); }
    Json(std::floating_point auto value) : Json() { set(double(value)); }
    template <class T>
    requires(std::integral<T> && !std::same_as<T, bool>) Json(T value) : Json()
    {
        if constexpr (std::is_signed_v<T>)
            set(std::int64_t(value));
        else
            set(std::uint64_t(value));
    }
    Json(const char* text) : Json(std::string(text)) {}
    Json(std::string_view text) : Json(std::string(text)) {}
    Json(std::string text);
    Json(std::initializer_list<Json> items);
    template <std::ranges::input_range Range>
    requires(!std::convertible_to<Range, std::string_view> && !std::same_as<std::remove_cvref_t<Range>, Json> &&
             std::constructible_from<Json, std::ranges::range_reference_t<Range>>) Json(const Range& items)
        : Json(array())
    {
        for (const auto& item : items)
            push_back(Json(item));
    }
    Json(const Json& other);
    Json(Json&& other) noexcept;
    Json& operator=(const Json& other);
    Json& operator=(Json&& other) noexcept;
    ~Json();

    static Json array(std::initializer_list<Json> items = {});
    static Json object();

    // Parses a text or throws JsonError.  If a key occurs twice, the last value counts; with `keysOnce` that is an
    // error.
    static Json parse(std::string_view text, bool keysOnce = false);
    static std::optional<Json> parsed(std::string_view text);  // returns nothing instead of an error

    // Returns the JSON text, on one line without `indent`.  Bytes that are not UTF-8 become U+FFFD; numbers that are
    // not finite become null.
    std::string dump(int indent = -1) const;
    std::string dumpAscii() const;  // on one line; characters beyond ASCII as \uXXXX
    Json sorted() const;            // with the keys of all objects in alphabetical order

    bool isNull() const { return value_.index() == 0; }
    bool isBool() const { return std::holds_alternative<bool>(value_); }
    bool isUnsigned() const { return std::holds_alternative<std::uint64_t>(value_); }  // an integer of at least 0
    bool isFloat() const { return std::holds_alternative<double>(value_); }
    bool isNumber() const { return isUnsigned() || isFloat() || std::holds_alternative<std::int64_t>(value_); }
    bool isText() const { return std::holds_alternative<std::string>(value_); }
    bool isArray() const { return std::holds_alternative<Array>(value_); }
    bool isObject() const { return std::holds_alternative<Object>(value_); }
    std::string_view typeName() const;  // "null", "boolean", "number", "string", "array", "object"

    // Converts the value; throws JsonError if its type does not match.  Numbers convert to other numbers, arrays item
    // by item.
    template <class T>
    T get() const
    {
        if constexpr (std::same_as<T, bool>)
            return flag();
        else if constexpr (std::integral<T>)
            return isFloat() ? T(number()) : T(integer());
        else if constexpr (std::floating_point<T>)
            return T(number());
        else if constexpr (std::same_as<T, std::string>)
            return text();
        else
        {
            T all;
            for (const Json& item : items())
                all.push_back(item.get<typename T::value_type>());
            return all;
        }
    }
    const std::string& text() const;

    std::size_t size() const;  // elements of an array or members of an object; 0 for null, 1 for other values
    bool empty() const { return size() == 0; }
    std::span<const Json> items() const;           // elements of an array; none for null; else throws JsonError
    std::span<const Member> members() const;       // members of an object; none for null; else throws JsonError
    const Json* find(std::string_view key) const;  // null if this is no object or has no such key
    bool contains(std::string_view key) const { return find(key) != nullptr; }
    const Json& at(std::string_view key) const;  // throws JsonError for a missing key
    const Json& operator[](std::string_view key) const { return at(key); }

    // Write access.  Null becomes an object or, by push_back(), an array.  Other types throw JsonError; erase() ignores
    // them.  References stay valid until a member or an item is added or erased.
    Json& operator[](std::string_view key);  // adds null for a missing key
    void push_back(Json item);
    void erase(std::string_view key);
    void update(const Json& other);  // sets the keys of another object

    bool operator==(const Json& other) const;  // numbers by value, objects regardless of key order

private:
    using Array = std::vector<Json>;
    using Object = std::vector<Member>;

    void set(bool value);
    void set(std::int64_t value);
    void set(std::uint64_t value);
    void set(double value);
    std::int64_t integer() const;
    double number() const;
    bool flag() const;

    std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string, Array, Object> value_;
};

struct Json::Member
{
    std::string key;
    Json value;
};

// Strict reading of untrusted JSON documents: a parser, and values that know their path.

// Parses a document.  Errors (kInput) name `file`, and most of them the expected `document` ("a frame report"): not
// JSON, a number too large, a key that occurs twice in an object, nesting deeper than Json::kDeepest.
Result<Json> parseJson(std::string_view text, const std::string& file, std::string_view document);

// First failure while reading a document.  Later failures are ignored.
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

// JSON value and its path.  A missing value, a wrong type or a number out of range is reported to JsonFailure.  Then
// the readers below return an empty text, list or object, false, 0, or the lower limit of number().
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

#include "compute/exact/value_files.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen::compute {
namespace {

static_assert(std::endian::native == std::endian::little);

class RawFile : public ValueFile
{
public:
    RawFile(std::string name, InputFile file, ValueType type) : ValueFile(std::move(name), std::move(file), type) {}

    Result<std::size_t> read(std::span<std::byte> to) override
    {
        const std::size_t size = bytesOf(type_);
        to = to.first(to.size() / size * size);
        std::size_t filled = 0;
        while (filled < to.size())
        {
            const Result<std::size_t> count =
                file_.read({reinterpret_cast<char*>(to.data()) + filled, to.size() - filled});
            if (!count) return count.error();
            if (*count == 0) break;
            filled += *count;
        }
        read_ += filled;
        if (filled % size != 0)
            return error(
                fmt::format(": found {}, expected a multiple of {} ({})", counted(read_, "byte"), size, textOf(type_)));
        if (read_ == 0) return error(": no number in it");
        return filled / size;
    }

protected:
    std::uint64_t read_ = 0;
};

class NpyFile final : public RawFile
{
public:
    using RawFile::RawFile;

    Status readHeader(const ValueFileOptions& options)
    {
        constexpr std::size_t kStart = 8, kLongest = 1 << 20;
        std::string start(kStart, '\0');
        if (Status status = fill(start, 0); !status) return status;
        if (!start.starts_with("\x93NUMPY"))
            return error(fmt::format(": found '{}', expected a .npy file", printableStart(start, 6)));
        const int version = static_cast<unsigned char>(start[6]);
        if (version < 1 || version > 3)
            return error(fmt::format(": found version {} of .npy, expected 1 to 3", version));
        std::string length(version == 1 ? 2 : 4, '\0');
        if (Status status = fill(length, kStart); !status) return status;
        std::size_t size = 0;
        for (std::size_t i = length.size(); i-- > 0;)
            size = size << 8 | static_cast<unsigned char>(length[i]);
        if (size > kLongest)
            return error(fmt::format(": found a header of {} bytes, expected at most {}", size, kLongest));
        std::string header(size, '\0');
        if (Status status = fill(header, kStart + length.size()); !status) return status;
        if (Status status = readType(header, options); !status) return status;
        return readShape(header, kStart + length.size() + size);
    }

    Result<std::size_t> read(std::span<std::byte> to) override
    {
        if (left_ == 0)
        {
            char more;
            const Result<std::size_t> after = file_.read({&more, 1});
            if (!after) return after.error();
            if (*after > 0) return error(fmt::format(": found more than the {} values of its header", count_));
            return 0;
        }
        const std::size_t size = bytesOf(type_);
        const Result<std::size_t> count =
            RawFile::read(to.first(std::size_t(std::min<std::uint64_t>(to.size() / size, left_)) * size));
        if (!count) return count.error();
        if (*count == 0)
            return error(
                fmt::format(": truncated: found {} values, expected the {} of its header", count_ - left_, count_));
        left_ -= *count;
        if (bigEndian_) reverseEach(to.first(*count * size), size);
        return count;
    }

private:
    static void reverseEach(std::span<std::byte> values, std::size_t size)
    {
        for (std::size_t i = 0; i < values.size(); i += size)
            std::ranges::reverse(values.subspan(i, size));
    }

    Status fill(std::string& to, std::size_t offset)
    {
        for (std::size_t filled = 0; filled < to.size();)
        {
            const Result<std::size_t> count = file_.read(std::span(to).subspan(filled));
            if (!count) return count.error();
            if (*count == 0)
                return error(fmt::format(": truncated at byte {}, within the header of .npy", offset + filled));
            filled += *count;
        }
        return Status::ok();
    }

    // Returns the text after 'KEY': in the header; empty if there is none.
    static std::string_view valueOf(std::string_view header, std::string_view key)
    {
        for (const char quote : {'\'', '"'})
        {
            const std::size_t found = header.find(fmt::format("{}{}{}", quote, key, quote));
            if (found == header.npos) continue;
            const std::size_t colon = header.find(':', found);
            if (colon != header.npos) return trimmed(header.substr(colon + 1));
        }
        return {};
    }

    Status readType(std::string_view header, const ValueFileOptions& options)
    {
        std::string_view word = valueOf(header, "descr");
        const char quote = word.empty() ? '\0' : word.front();
        word = quote == '\'' || quote == '"' ? word.substr(1, word.find(quote, 1) - 1) : printableWord(word);
        constexpr std::pair<std::string_view, ValueType> kTypes[] = {{"f8", ValueType::kFloat64},
                                                                     {"f4", ValueType::kFloat32},
                                                                     {"f2", ValueType::kFloat16},
                                                                     {"i8", ValueType::kInt64}};
        bigEndian_ = word.starts_with('>');
        const bool ordered = bigEndian_ || word.starts_with('<');
        const auto found =
            std::ranges::find(kTypes, word.substr(ordered ? 1 : 0), &std::pair<std::string_view, ValueType>::first);
        if (!ordered || found == std::end(kTypes))
            return error(
                fmt::format(": found type '{}', expected f8, f4, f2 or i8 after '<' or '>'", printableStart(word)));
        type_ = found->second;
        if (options.type && *options.type != type_)
            return error(fmt::format(": found {}, expected {} (--type)", textOf(type_), textOf(*options.type)));
        return Status::ok();
    }

    static std::string_view printableWord(std::string_view text) { return text.substr(0, 32); }

    Status readShape(std::string_view header, std::size_t begin)
    {
        std::string_view shape = valueOf(header, "shape");
        const std::size_t close = shape.find(')');
        if (!shape.starts_with('(') || close == shape.npos)
            return error(fmt::format(": found '{}', expected 'shape': (...)", printableStart(header)));
        shape = shape.substr(1, close - 1);
        count_ = 1;
        int dimensions = 0;
        while (!trimmed(shape).empty())
        {
            const std::size_t comma = std::min(shape.find(','), shape.size());
            std::string_view word = trimmed(shape.substr(0, comma));
            const auto length = numberIn<std::uint64_t>(word);
            if (!length)
                return error(fmt::format(": found '{}' in its shape, expected a length", printableStart(word)));
            if (*length > 0 && count_ > (std::uint64_t(1) << 60) / *length)
                return error(": found a shape of more than 2^60 values");
            count_ *= *length;
            ++dimensions;
            shape.remove_prefix(std::min(comma + 1, shape.size()));
        }
        fortranOrder_ = dimensions > 1 && valueOf(header, "fortran_order").starts_with("True");
        left_ = count_;
        bytes_ = count_ * bytesOf(type_);
        if (count_ == 0) return error(": no number in it");
        if (file_.size() > 0 && file_.size() < begin + bytes_)
            return error(fmt::format(": truncated: found {} bytes, expected {}", file_.size(), begin + bytes_));
        return Status::ok();
    }

    std::uint64_t count_ = 0, left_ = 0;
    bool bigEndian_ = false;
};

class CsvFile final : public ValueFile
{
public:
    CsvFile(std::string name, InputFile file, ValueType type, int column)
        : ValueFile(name, std::move(file), type), parser_(std::move(name), type, column), text_(kPiece, '\0')
    {
    }

    Result<std::size_t> read(std::span<std::byte> to) override
    {
        for (;;)
        {
            std::size_t count = 0;
            const Result<std::size_t> used =
                parser_.parse(std::string_view(text_).substr(begin_, end_ - begin_), atEnd_, to, count);
            if (!used) return used.error();
            begin_ += *used;
            any_ = any_ || count > 0;
            if (count > 0) return count;
            if (atEnd_ && begin_ == end_) break;
            if (*used == 0 || begin_ == end_)
                if (Status status = readMore(); !status) return status.error();
        }
        if (!any_) return error(": no number in it");
        return 0;
    }

private:
    static constexpr std::size_t kPiece = std::size_t(1) << 18, kLongestLine = std::size_t(1) << 26;

    // Keeps the text that was not used, and reads until the buffer is full or the file ends.
    Status readMore()
    {
        std::memmove(text_.data(), text_.data() + begin_, end_ - begin_);
        end_ -= begin_;
        begin_ = 0;
        if (end_ == text_.size())
        {
            if (end_ >= kLongestLine) return error(": found a line of more than 64 MiB");
            text_.resize(2 * end_);
        }
        while (end_ < text_.size())
        {
            const Result<std::size_t> count = file_.read(std::span(text_).subspan(end_));
            if (!count) return count.error();
            atEnd_ = *count == 0;
            if (atEnd_) break;
            if (const void* const zero = std::memchr(text_.data() + end_, 0, *count))
                return error(
                    fmt::format(": found byte 0 at offset {}, expected text",
                                before_ + std::uint64_t(static_cast<const char*>(zero) - text_.data()) - end_));
            before_ += *count;
            end_ += *count;
        }
        return Status::ok();
    }

    ColumnParser parser_;
    std::string text_;
    std::size_t begin_ = 0, end_ = 0;  // text that was not parsed
    std::uint64_t before_ = 0;         // bytes read
    bool atEnd_ = false, any_ = false;
};

ValueFormat formatOf(const std::string& path, const ValueFileOptions& options)
{
    if (options.format) return *options.format;
    if (path.ends_with(".npy")) return ValueFormat::kNpy;
    for (const std::string_view suffix : {".csv", ".tsv", ".txt"})
        if (path.ends_with(suffix)) return ValueFormat::kCsv;
    return ValueFormat::kRaw;
}

}  // namespace

Result<std::unique_ptr<ValueFile>> ValueFile::open(const std::string& path, const ValueFileOptions& options,
                                                   const StopReading& stop)
{
    const bool standardInput = path == "-";
    Result<InputFile> file = standardInput ? InputFile::standardInput(stop) : InputFile::open(path, stop);
    if (!file) return file.error();
    const std::string name = standardInput ? "standard input" : path;
    const ValueType type = options.type.value_or(ValueType::kFloat64);
    switch (formatOf(path, options))
    {
    case ValueFormat::kNpy: {
        auto npy = std::make_unique<NpyFile>(name, std::move(*file), type);
        if (Status status = npy->readHeader(options); !status) return status.error();
        return std::unique_ptr<ValueFile>(std::move(npy));
    }
    case ValueFormat::kCsv:
        if (type == ValueType::kFloat16)
            return Error{ExitCode::kUsage, "type: float16: expected float64, float32 or int64 for text"};
        return std::unique_ptr<ValueFile>(std::make_unique<CsvFile>(name, std::move(*file), type, options.column));
    case ValueFormat::kRaw:
        break;
    }
    return std::unique_ptr<ValueFile>(std::make_unique<RawFile>(name, std::move(*file), type));
}

namespace {

constexpr std::string_view kLineBlanks = " \t\r\v\f";

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

enum class Parsed
{
    kNumber,
    kNoNumber,
    kTooLarge,
};

// Parses the whole text as one number.  A number too small for the type becomes 0 or the nearest subnormal number.
template <class Number>
Parsed parseNumber(std::string_view text, Number& value)
{
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size() || code == std::errc::invalid_argument) return Parsed::kNoNumber;
    if (code == std::errc()) return Parsed::kNumber;
    if constexpr (std::is_floating_point_v<Number>)
    {
        const std::string copy(text);
        value = Number(std::is_same_v<Number, float> ? std::strtof(copy.c_str(), nullptr)
                                                     : std::strtod(copy.c_str(), nullptr));
        return std::isinf(value) ? Parsed::kTooLarge : Parsed::kNumber;
    }
    return Parsed::kTooLarge;
}

// In UTF-8, bytes from 0xc3 on begin letters, except 0xe2 (dashes, blanks, signs) and 0xef (wide digits).
bool isLetter(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    const int lower = byte | 0x20;
    return byte < 0x80 ? lower >= 'a' && lower <= 'z' : byte >= 0xc3 && byte != 0xe2 && byte != 0xef;
}

// Returns whether a field cannot be meant as a number: apart from quotes, it begins with a word other than "nan", "inf"
// and "infinity".  Spellings that are not read, such as 0x1p3, 1d5 or a minus sign of Unicode, may be meant as numbers.
bool isHeading(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of("\"'"), text.size()));
    if (text.starts_with("\xc2\xb5")) return true;  // the micro sign, a letter below 0xc3
    const auto end = std::ranges::find_if_not(text, isLetter);
    return end != text.begin() && !numberIn<double>(std::string_view(text.begin(), end));
}

// Returns the position of the next separator outside double quotes, or the line's end.
std::size_t endOfField(std::string_view line, std::size_t begin, char separator)
{
    std::size_t end = begin;
    for (bool within = false; end < line.size() && (within || line[end] != separator); ++end)
        within = within != (line[end] == '"');
    return end;
}

}  // namespace

ColumnParser::ColumnParser(std::string name, ValueType type, int column)
    : name_(std::move(name)), type_(type), column_(column)
{
}

Error ColumnParser::error(std::string_view found, std::string_view expected) const
{
    const std::string where =
        column_ > 1 || (separator_ != 0 && separator_ != ' ') ? fmt::format(", column {}", column_) : std::string();
    return {ExitCode::kInput,
            fmt::format("{}:{}{}: found '{}', expected {}", name_, line_, where, printableStart(found), expected)};
}

void ColumnParser::findSeparator(std::string_view line)
{
    // A comment's separators do not count, but a heading may have a '#' in it.
    if (const std::string_view before = line.substr(0, line.find('#')); !isHeading(before)) line = before;
    const bool paired = std::ranges::count(line, '"') % 2 == 0;  // an odd number of quotes: they are inch marks
    separator_ = ' ';
    for (const char separator : {',', ';', '\t'})
        if ((paired ? endOfField(line, 0, separator) : line.find(separator)) < line.size())
        {
            separator_ = separator;
            return;
        }
}

// Returns the column's field without blanks and quotes around it; a null view if the line has fewer columns.
std::string_view ColumnParser::field(std::string_view line) const
{
    if (separator_ == ' ')
    {
        std::string_view rest = line, word;
        for (int i = 0; i < column_; ++i)
        {
            const std::size_t begin = rest.find_first_not_of(kLineBlanks);
            if (begin == rest.npos) return {};
            rest.remove_prefix(begin);
            word = rest.substr(0, rest.find_first_of(kLineBlanks));
            rest.remove_prefix(word.size());
        }
        return word;
    }
    const bool quotes = std::memchr(line.data(), '"', line.size()) != nullptr;
    std::size_t begin = 0;
    for (int i = 1;; ++i)
    {
        std::size_t end = begin;
        if (quotes)
            end = endOfField(line, begin, separator_);
        else if (const void* const found = std::memchr(line.data() + begin, separator_, line.size() - begin))
            end = std::size_t(static_cast<const char*>(found) - line.data());
        else
            end = line.size();
        if (i == column_)
        {
            std::string_view text = withoutBlanks(line.substr(begin, end - begin));
            if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
                text = withoutBlanks(text.substr(1, text.size() - 2));
            return text.empty() ? line.substr(begin, 0) : text;
        }
        if (end >= line.size()) return {};
        begin = end + 1;
    }
}

template <class Number>
Status ColumnParser::parseLine(std::string_view line, Number& value, bool& isValue)
{
    isValue = false;
    ++line_;
    line = withoutBlanks(line_ == 1 ? withoutByteOrderMark(line) : line);
    if (line.find('\r') != line.npos) return error(line, "lines that end with LF or CR LF");
    if (line.empty() || line.front() == '#') return Status::ok();
    if (separator_ == 0) findSeparator(line);
    const bool alone = separator_ == ' ' && column_ == 1;
    if (separator_ == ' ')
        if (const std::size_t comment = line.find('#'); comment != line.npos)
            line = withoutBlanks(line.substr(0, comment));
    const std::string_view text = alone ? line.substr(0, line.find_first_of(kLineBlanks)) : field(line);
    const bool first = !begun_;
    begun_ = true;
    if (text.data() == nullptr) return error(line, fmt::format("{} columns", column_));
    switch (parseNumber(text, value))
    {
    case Parsed::kNumber:
        isValue = true;
        return Status::ok();
    case Parsed::kTooLarge:
        return error(text, fmt::format("a number that fits {}", textOf(type_)));
    case Parsed::kNoNumber:
        if (first && isHeading(text)) return Status::ok();
        break;
    }
    return error(text, fmt::format("{}{}", std::is_integral_v<Number> ? "an integer" : "a number",
                                   first ? ", or a heading that begins with a letter" : ""));
}

template <class Number>
Result<std::size_t> ColumnParser::parseAs(std::string_view text, bool last, std::span<std::byte> values,
                                          std::size_t& count)
{
    const char* at = text.data();
    const char* const end = at + text.size();
    Number* const to = reinterpret_cast<Number*>(values.data());
    const std::size_t most = values.size() / sizeof(Number);
    while (at < end && count < most)
    {
        // Most lines consist of one number, which ends where the line ends.
        if (separator_ == ' ' && column_ == 1 && begun_)
        {
            const auto [after, code] = std::from_chars(at, end, to[count]);
            if (code == std::errc() && after < end && *after == '\n')
            {
                ++count;
                ++line_;
                at = after + 1;
                continue;
            }
        }
        const void* const found = std::memchr(at, '\n', std::size_t(end - at));
        if (!found && !last) break;
        const char* const lineEnd = found ? static_cast<const char*>(found) : end;
        bool isValue = false;
        if (Status status = parseLine(std::string_view(at, std::size_t(lineEnd - at)), to[count], isValue); !status)
            return status.error();
        count += isValue;
        at = found ? lineEnd + 1 : end;
    }
    return std::size_t(at - text.data());
}

Result<std::size_t> ColumnParser::parse(std::string_view text, bool last, std::span<std::byte> values,
                                        std::size_t& count)
{
    count = 0;
    switch (type_)
    {
    case ValueType::kFloat64:
        return parseAs<double>(text, last, values, count);
    case ValueType::kFloat32:
        return parseAs<float>(text, last, values, count);
    case ValueType::kInt64:
        return parseAs<std::int64_t>(text, last, values, count);
    case ValueType::kFloat16:
        break;
    }
    return Error{ExitCode::kUsage, "type: float16: expected float64, float32 or int64 for text"};
}

}  // namespace orogen::compute

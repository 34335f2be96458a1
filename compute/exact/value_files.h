// Files of numbers, read in pieces: raw, NumPy's .npy, and text with columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/exact/values.h"
#include "core/base/status.h"
#include "core/base/text_file.h"

namespace orogen::compute {

enum class ValueFormat
{
    kRaw,  // values one after another, little-endian
    kNpy,  // versions 1 to 3, little- or big-endian, C or Fortran order
    kCsv,  // a number per line, or columns
};

struct ValueFileOptions
{
    std::optional<ValueType> type = {};      // default: as the .npy file says, else float64
    std::optional<ValueFormat> format = {};  // default: by the suffix (.npy, .csv, .tsv, .txt), else raw
    int column = 1;                          // column of text, counted from 1
};

// A file open for reading.  Errors: kInput with the file, what was found and expected; kUsage for float16 as text;
// kInterrupted after a stop.
class ValueFile
{
public:
    // Opens a file, or standard input for "-", and reads its header.
    static Result<std::unique_ptr<ValueFile>> open(const std::string& path, const ValueFileOptions& options,
                                                   const StopReading& stop);
    virtual ~ValueFile() = default;

    ValueType type() const { return type_; }
    const std::string& name() const { return name_; }
    bool fortranOrder() const { return fortranOrder_; }  // only for .npy with two dimensions or more
    // Returns the size of the values in bytes if the file states it; for text, the size of the text. 0: unknown.
    std::uint64_t bytes() const { return bytes_; }

    // Reads at most `to.size()` / bytesOf(type()) values.  Returns how many; 0 at the end.  Error kInput: a file
    // without a number.
    virtual Result<std::size_t> read(std::span<std::byte> to) = 0;

protected:
    ValueFile(std::string name, InputFile file, ValueType type)
        : name_(std::move(name)), file_(std::move(file)), type_(type), bytes_(file_.size())
    {
    }
    Error error(const std::string& what) const { return {ExitCode::kInput, name_ + what}; }

    std::string name_;
    InputFile file_;
    ValueType type_;
    std::uint64_t bytes_;
    bool fortranOrder_ = false;
};

// ---- numbers in text ----

// Parses a column of lines of text, piece by piece.  Skips a byte order mark, and lines that are blank or begin with
// '#'.  If the field of the first other line begins with a word other than "nan", "inf" and "infinity", that line is a
// heading and skipped, too.  The separator of columns is `,` or `;` or tab, in this order of preference, if it occurs
// in that line outside quotes and comments, else blanks.  Fields may stand in double quotes, unless blanks separate
// them.
class ColumnParser
{
public:
    ColumnParser(std::string name, ValueType type, int column);

    // Parses the whole lines of `text`; with `last` also a line without an end.  Writes values while they fit into
    // `values`, and their number into `count`.  Returns the number of bytes of text that were used.
    Result<std::size_t> parse(std::string_view text, bool last, std::span<std::byte> values, std::size_t& count);

private:
    template <class Number>
    Result<std::size_t> parseAs(std::string_view text, bool last, std::span<std::byte> values, std::size_t& count);
    template <class Number>
    Status parseLine(std::string_view line, Number& value, bool& isValue);
    std::string_view field(std::string_view line) const;
    void findSeparator(std::string_view line);
    Error error(std::string_view found, std::string_view expected) const;

    std::string name_;
    ValueType type_;
    int column_;
    std::uint64_t line_ = 0;
    char separator_ = 0;  // ' ': blanks; 0: unknown
    bool begun_ = false;  // a value or heading was found
};

}  // namespace orogen::compute

// Files come from many programs and manual editing: errors name the line, what was found and what was expected.
#include "compute/linear_algebra/matrix_market.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "core/base/text_file.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kMostTokens = 6;
constexpr std::uint64_t kManyEntries = 1 << 20;  // fewer entries are read without a check of the available memory
// An entry is stored twice while entries are sorted, and once in the sparse matrix.
constexpr std::uint64_t kBytesOfEntry = 2 * sizeof(MatrixEntry) + sizeof(std::uint32_t) + sizeof(double);

std::string lowered(std::string_view word)
{
    std::string text(word);
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

// Quotes a line for a message: at most 40 characters, with '?' for those that are not printable.
std::string shown(std::string_view word)
{
    constexpr std::size_t kMost = 40;
    std::string text = "'";
    for (const char c : word.substr(0, kMost))
        text += c >= 0x20 && c < 0x7f ? c : '?';
    return text + (word.size() > kMost ? "...'" : "'");
}

class MatrixMarketReader
{
public:
    MatrixMarketReader(std::string_view text, const std::string& name) : rest_(text) { file_.name = name; }

    Result<MatrixMarket> read()
    {
        using ReadingStep = Status (MatrixMarketReader::*)();
        for (const ReadingStep step : {&MatrixMarketReader::readBanner, &MatrixMarketReader::readSize,
                                       &MatrixMarketReader::readValues, &MatrixMarketReader::readEnd})
            if (Status status = (this->*step)(); !status) return status.error();
        return std::move(file_);
    }

private:
    struct Words
    {
        std::array<std::string_view, kMostTokens> word;
        std::size_t count = 0;
        std::string_view line;
    };

    Error error(const std::string& found, const std::string& expected) const
    {
        return {ExitCode::kInput, fmt::format("{}:{}: found {}, expected {}", file_.name, line_, found, expected)};
    }
    Error error(const Words& words, const std::string& expected) const
    {
        return error(words.count == 0 ? "the end of the file" : shown(words.line), expected);
    }

    std::string_view nextLine()
    {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        const std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        ++line_;
        return line;
    }

    static Words split(std::string_view line)
    {
        constexpr std::string_view kBlanks = " \t\r\v\f";
        Words words;
        for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;
             at = line.find_first_not_of(kBlanks, at))
        {
            const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
            if (words.count < kMostTokens) words.word[words.count] = line.substr(at, end - at);
            ++words.count;
            at = end;
        }
        words.line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
        return words;
    }

    // Returns the next line that is neither empty nor a comment; no words at the end of the file.
    Words next()
    {
        while (!rest_.empty())
        {
            const std::string_view line = nextLine();
            if (line.starts_with('%')) continue;
            if (Words words = split(line); words.count > 0) return words;
        }
        ++line_;
        return {};
    }

    Status readBanner()
    {
        const Words words = split(nextLine());
        const auto is = [&](std::size_t i, const char* a, const char* b) {
            const std::string word = lowered(words.word[i]);
            return word == a || word == b;
        };
        if (words.count == 5 && is(0, "%%matrixmarket", "") && is(1, "matrix", ""))
        {
            if (is(3, "complex", "")) return error("a complex matrix", "real, integer or pattern");
            if (is(4, "skew-symmetric", "hermitian"))
                return error(fmt::format("a {} matrix", lowered(words.word[4])), "general or symmetric");
        }
        constexpr const char* kExpected = "'%%MatrixMarket matrix coordinate|array real|integer general|symmetric', or "
                                          "'coordinate pattern' in it";
        file_.coordinate = is(2, "coordinate", "");
        pattern_ = file_.coordinate && is(3, "pattern", "");
        if (words.count != 5 || !is(0, "%%matrixmarket", "") || !is(1, "matrix", "") || !is(2, "coordinate", "array") ||
            !(pattern_ || is(3, "real", "integer")) || !is(4, "general", "symmetric"))
            return error(words, kExpected);
        file_.symmetric = lowered(words.word[4]) == "symmetric";
        integer_ = is(3, "integer", "");
        return Status::ok();
    }

    template <class T>
    static bool parse(std::string_view word, T& value)
    {
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        return code == std::errc() && end == word.data() + word.size();
    }

    bool parseValue(std::string_view word, double& value) const { return parseReal(word, value) && mayBe(value); }
    bool mayBe(double value) const { return !integer_ || value == std::trunc(value); }

    static bool parseReal(std::string_view word, double& value)
    {
        if (word.starts_with("+-")) return false;
        if (word.starts_with('+')) word.remove_prefix(1);
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (end != word.data() + word.size()) return false;
        if (code != std::errc::result_out_of_range) return code == std::errc();
        value = std::strtod(std::string(word).c_str(), nullptr);  // overflow: infinite; underflow: 0 or nearly
        return true;
    }

    Status readSize()
    {
        const Words words = next();
        const bool coordinate = file_.coordinate;
        const std::string expected = coordinate ? "rows, columns and entries" : "rows and columns";
        std::uint64_t entries = 0;
        if (words.count != (coordinate ? 3u : 2u) || !parse(words.word[0], file_.rows) ||
            !parse(words.word[1], file_.columns) || (coordinate && !parse(words.word[2], entries)))
            return error(words, expected);
        if (file_.rows == 0 || file_.columns == 0) return error(words, "at least one row and one column");
        if (file_.symmetric && file_.rows != file_.columns) return error(words, "a square, since it is symmetric");
        const std::uint64_t all = std::uint64_t(file_.rows) * file_.columns;
        const std::uint64_t half = file_.symmetric ? (std::uint64_t(file_.rows) * file_.rows + file_.rows) / 2 : all;
        if (coordinate && entries > half) return error(words, fmt::format("at most {} entries", half));
        values_ = coordinate ? entries : half;
        return Status::ok();
    }

    Status readValues() { return file_.coordinate ? readEntries() : readArray(); }

    static std::tuple<std::uint32_t, std::uint32_t> placeOf(const MatrixEntry& entry)
    {
        return {entry.row, entry.column};
    }

    bool holds(const MatrixEntry& entry) const
    {
        return entry.row >= 1 && entry.row <= file_.rows && entry.column >= 1 && entry.column <= file_.columns;
    }

    // Reads a line of "row column value" with single blanks, the form of most lines.  Returns false, without consuming
    // the line, for any other line, and for an entry outside the matrix or, in a symmetric file, above its diagonal.
    bool readPlainEntry(MatrixEntry& entry)
    {
        if (pattern_) return false;
        MatrixEntry found;
        const char *at = rest_.data(), *const end = at + rest_.size();
        const auto take = [&](auto& value, char after) {
            const auto [next, code] = std::from_chars(at, end, value);
            if (code != std::errc() || next == end || *next != after) return false;
            at = next + 1;
            return true;
        };
        if (!take(found.row, ' ') || !take(found.column, ' ') || !take(found.value, '\n')) return false;
        if (!mayBe(found.value) || !holds(found) || (file_.symmetric && found.row < found.column)) return false;
        entry = found;
        rest_.remove_prefix(std::size_t(at - rest_.data()));
        ++line_;
        return true;
    }

    Status readEntry(MatrixEntry& entry, std::uint64_t number)
    {
        const Words words = next();
        if (words.count != (pattern_ ? 2u : 3u) || !parse(words.word[0], entry.row) ||
            !parse(words.word[1], entry.column) || (!pattern_ && !parseValue(words.word[2], entry.value)))
            return error(words, fmt::format("row{} of entry {} of {}",
                                            pattern_   ? " and column"
                                            : integer_ ? ", column and integer"
                                                       : ", column and value",
                                            number + 1, values_));
        if (!holds(entry))
            return error(words, fmt::format("a row from 1 to {} and a column from 1 to {}", file_.rows, file_.columns));
        if (file_.symmetric && entry.row < entry.column)
            return error(words, "an entry on the diagonal or below, since it is symmetric");
        return Status::ok();
    }

    // Sorts the entries by row and column, unless they are in order.  Distributes them to their rows, then sorts rows
    // whose columns are not in order.  With fewer entries than rows, a plain sort needs less memory.
    void sortByPlace()
    {
        std::vector<MatrixEntry>& entries = file_.entries;
        if (file_.rows > entries.size()) return std::ranges::sort(entries, {}, placeOf), void();
        if (std::ranges::is_sorted(entries, {}, placeOf)) return;
        std::vector<std::size_t> next(file_.rows + 1);
        for (const MatrixEntry& entry : entries)
            ++next[entry.row + 1];
        for (std::size_t row = 1; row < next.size(); ++row)
            next[row] += next[row - 1];
        std::vector<MatrixEntry> sorted;
        reserveLarge(sorted, entries.size());
        sorted.resize(entries.size());
        for (const MatrixEntry& entry : entries)
            sorted[next[entry.row]++] = entry;
        std::size_t begin = 0;
        for (std::size_t row = 0; row < file_.rows; begin = next[row++])
        {
            const auto columns = std::span(sorted).subspan(begin, next[row] - begin);
            if (!std::ranges::is_sorted(columns, {}, &MatrixEntry::column))
                std::ranges::sort(columns, {}, &MatrixEntry::column);
        }
        entries = std::move(sorted);
    }

    Status readEntries()
    {
        // An entry's line takes at least four characters, six with a value, which limits the entries reserved.
        const std::uint64_t held = std::min<std::uint64_t>(values_, rest_.size() / (pattern_ ? 4 : 6) + 1);
        const std::uint64_t entries = held * (file_.symmetric ? 2 : 1);
        if (entries > kManyEntries)
            if (Status status = checkMemory(file_.name, entries * kBytesOfEntry); !status) return status;
        reserveLarge(file_.entries, std::size_t(entries));
        for (std::uint64_t i = 0; i < values_; ++i)
        {
            MatrixEntry entry{.value = 1};  // entries of a pattern have no value
            if (!readPlainEntry(entry))
                if (Status status = readEntry(entry, i); !status) return status;
            --entry.row, --entry.column;
            file_.entries.push_back(entry);
            if (file_.symmetric && entry.row != entry.column)
                file_.entries.push_back({entry.column, entry.row, entry.value});
        }
        sortByPlace();
        const auto twice = std::ranges::adjacent_find(file_.entries, {}, placeOf);
        if (twice == file_.entries.end()) return Status::ok();
        return Error{ExitCode::kInput, fmt::format("{}: found entry ({}, {}) twice, expected each once", file_.name,
                                                   twice->row + 1, twice->column + 1)};
    }

    Status readArray()
    {
        // A value's line takes at least two characters.  A file that is too short is rejected before allocation.
        if (rest_.size() / 2 + 1 < values_)
            return error(counted(rest_.size(), "byte"), counted(values_, "value") + ", one a line");
        Result<Matrix> dense = Matrix::allocate(file_.rows, file_.columns);
        if (!dense) return Error{dense.error().code, file_.name + ": " + dense.error().message};
        file_.dense = std::move(*dense);
        for (std::size_t j = 0; j < file_.columns; ++j)
            for (std::size_t i = file_.symmetric ? j : 0; i < file_.rows; ++i)
            {
                const Words words = next();
                double value = 0;
                if (words.count != 1 || !parseValue(words.word[0], value))
                    return error(words, fmt::format("the {} of row {}, column {}", integer_ ? "integer" : "value",
                                                    i + 1, j + 1));
                file_.dense(i, j) = value;
                if (file_.symmetric) file_.dense(j, i) = value;
            }
        return Status::ok();
    }

    Status readEnd()
    {
        const Words words = next();
        if (words.count == 0) return Status::ok();
        return error(words, "the end of the file after " + counted(values_, "value"));
    }

    std::string_view rest_;
    std::uint64_t line_ = 0, values_ = 0;
    bool pattern_ = false, integer_ = false;
    MatrixMarket file_;
};

bool isPair(double a, double b, double tolerance)
{
    return a == b || std::abs(a - b) <= tolerance || (std::isnan(a) && std::isnan(b));
}

Error notSymmetric(const MatrixMarket& file, std::size_t i, std::size_t j, double a, double b)
{
    return {ExitCode::kInput, fmt::format("{}: found {} at ({}, {}) and {} at ({}, {}), expected a symmetric matrix",
                                          file.name, a, i + 1, j + 1, b, j + 1, i + 1)};
}

// Returns an error for the first entry (i, j) that differs from (j, i).  Entries are sorted by row, so those of column
// j come with ascending i, the order of row j.  One walk through each row therefore finds all mirrored entries.
Status checkEntriesSymmetric(const MatrixMarket& file, double tolerance)
{
    const std::vector<MatrixEntry>& entries = file.entries;
    if (entries.empty()) return Status::ok();
    std::vector<std::size_t> starts(file.rows + 1);
    for (const MatrixEntry& entry : entries)
        ++starts[entry.row + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::size_t> at(starts.begin(), starts.end() - 1);
    for (const MatrixEntry& entry : entries)
    {
        std::size_t& mirrored = at[entry.column];
        const std::size_t end = starts[entry.column + 1];
        while (mirrored < end && entries[mirrored].column < entry.row)
            ++mirrored;
        const double other = mirrored < end && entries[mirrored].column == entry.row ? entries[mirrored].value : 0.0;
        if (!isPair(entry.value, other, tolerance))
            return notSymmetric(file, entry.row, entry.column, entry.value, other);
    }
    return Status::ok();
}

Result<std::string> readPackedFile(const std::string& path, const StopReading& stop)
{
    const std::uint64_t most = availableMemory() / 8;  // bytes, for the file and again for its text
    const Result<std::string> packed = readTextFile(path, most, stop);
    if (!packed) return packed.error();
    return unpackGzip(*packed, path, most, stop);
}

}  // namespace

Result<MatrixMarket> parseMatrixMarket(std::string_view text, const std::string& name)
{
    return MatrixMarketReader(text, name).read();
}

Result<MatrixMarket> readMatrixMarket(const std::string& path, const std::stop_token& stop)
{
    const StopReading stopped = [&stop] { return stop.stop_requested(); };
    const Result<std::string> text =
        path.ends_with(".gz") ? readPackedFile(path, stopped) : readOperandFile(path, stopped);
    if (!text) return text.error();
    return parseMatrixMarket(*text, path);
}

std::string matrixMarketText(const Matrix& matrix)
{
    std::string text = "%%MatrixMarket matrix array real general\n";
    text += fmt::format("{} {}\n", matrix.rows(), matrix.columns());
    for (std::size_t j = 0; j < matrix.columns(); ++j)
        for (std::size_t i = 0; i < matrix.rows(); ++i)
            fmt::format_to(std::back_inserter(text), "{}\n", matrix(i, j));
    return text;
}

Status writeMatrixMarket(const Matrix& matrix, const std::string& path)
{
    return writeFileAtomically(path, matrixMarketText(matrix));
}

Status checkSquare(const MatrixMarket& file)
{
    if (file.rows == file.columns) return Status::ok();
    return Error{ExitCode::kInput,
                 fmt::format("{}: found {} x {}, expected a square matrix", file.name, file.rows, file.columns)};
}

Status checkSymmetric(const MatrixMarket& file)
{
    if (Status status = checkSquare(file); !status || file.symmetric) return status;
    double most = 0;
    for (const MatrixEntry& entry : file.entries)
        if (std::isfinite(entry.value)) most = std::max(most, std::abs(entry.value));
    for (const double value : file.dense.values())
        if (std::isfinite(value)) most = std::max(most, std::abs(value));
    const double tolerance = 1e-12 * most;
    if (Status status = checkEntriesSymmetric(file, tolerance); !status) return status;
    for (std::size_t i = 0; i < file.dense.rows(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (!isPair(file.dense(i, j), file.dense(j, i), tolerance))
                return notSymmetric(file, i, j, file.dense(i, j), file.dense(j, i));
    return Status::ok();
}

SparseMatrix sparseOf(const MatrixMarket& file)
{
    SparseMatrix sparse{.size = file.rows};
    sparse.starts.assign(sparse.size + 1, 0);
    reserveLarge(sparse.columns, file.entries.size());
    reserveLarge(sparse.values, file.entries.size());
    for (const MatrixEntry& entry : file.entries)
    {
        ++sparse.starts[entry.row + 1];
        sparse.columns.push_back(entry.column);
        sparse.values.push_back(entry.value);
    }
    for (std::size_t i = 0; i < sparse.size; ++i)
        sparse.starts[i + 1] += sparse.starts[i];
    return sparse;
}

Result<std::vector<double>> vectorOf(const MatrixMarket& file, std::size_t size)
{
    if (file.columns != 1 || file.rows != size)
        return Error{ExitCode::kInput,
                     fmt::format("{}: found {} x {}, expected {} x 1", file.name, file.rows, file.columns, size)};
    std::vector<double> values(file.dense.values().begin(), file.dense.values().end());
    values.resize(size);
    for (const MatrixEntry& entry : file.entries)
        values[entry.row] = entry.value;
    return values;
}

}  // namespace orogen::compute

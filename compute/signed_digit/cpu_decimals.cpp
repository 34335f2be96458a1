// Slices of rows go to threads that add to one total: integers, so that their order makes no difference.
#include <algorithm>
#include <limits>

#include "compute/signed_digit/decimal_method.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {
namespace {

constexpr std::string_view kSumNames[] = {"digit-loop", "first",   "second", "regrouped",
                                          "columns",    "base1e9", "gmp",    "paper-threads"};
constexpr std::string_view kDotNames[] = {"digit-loop", "paper", "product", "gmp", "paper-threads"};

// Between two looks at the stop, a thread adds so many digits: 20 ms of the slowest method.
constexpr std::size_t kDigitsPerSlice = std::size_t(4) << 20;
constexpr std::size_t kRowMultiple = 256;  // of a long slice: what the vectors add together
static_assert(kRowMultiple % kRowsInGroup == 0);

CpuDecimalOptions complete(CpuDecimalOptions options)
{
    if (!options.kernels) options.kernels = &bestDigitKernels();
    return options;
}

}  // namespace

std::string_view nameOf(SumAlgorithm algorithm) { return kSumNames[int(algorithm)]; }
std::string_view nameOf(DotAlgorithm algorithm) { return kDotNames[int(algorithm)]; }

std::optional<SumAlgorithm> sumAlgorithm(std::string_view name)
{
    const auto found = std::ranges::find(kSumNames, name);
    if (found == std::end(kSumNames)) return std::nullopt;
    return SumAlgorithm(found - kSumNames);
}

std::optional<DotAlgorithm> dotAlgorithm(std::string_view name)
{
    const auto found = std::ranges::find(kDotNames, name);
    if (found == std::end(kDotNames)) return std::nullopt;
    return DotAlgorithm(found - kDotNames);
}

CpuDecimals::CpuDecimals(SumAlgorithm algorithm, std::span<const DigitRows> rows, const CpuDecimalOptions& options,
                         const std::stop_token& stop)
    : options_(complete(options)), end_(algorithm == SumAlgorithm::kSecond      ? End::kRowPerColumn
                                        : algorithm == SumAlgorithm::kRegrouped ? End::kRowPerDigit
                                                                                : End::kCarries),
      method_(makeSumMethod(algorithm, rows, options_, stop)), atOnce_(algorithm == SumAlgorithm::kFirst)
{
    const bool slow = algorithm == SumAlgorithm::kDigitLoop || algorithm == SumAlgorithm::kFirst;
    arrange(slow ? kDigitsPerSlice : 16 * kDigitsPerSlice);
}

CpuDecimals::CpuDecimals(DotAlgorithm algorithm, std::span<const FactorRows> rows, const CpuDecimalOptions& options,
                         const std::stop_token& stop)
    : options_(complete(options)), end_(algorithm == DotAlgorithm::kPaper ? End::kRowPerColumn : End::kCarries),
      method_(makeDotMethod(algorithm, rows, options_, stop))
{
    const bool fast = algorithm == DotAlgorithm::kProduct || algorithm == DotAlgorithm::kGmp;
    arrange(fast ? 16 * kDigitsPerSlice : kDigitsPerSlice);
}

CpuDecimals::~CpuDecimals() = default;

// Slices that keep all threads busy and the stop in sight.
void CpuDecimals::arrange(std::size_t digitsPerSlice)
{
    const std::vector<DecimalMethod::Band> bands = method_->bands();
    std::size_t digits = 0;
    for (const DecimalMethod::Band& band : bands)
        digits += band.rows * band.work;
    const std::size_t useful = std::max<std::size_t>(1, digits / options_.digitsPerThread);
    const std::size_t threads = std::min<std::size_t>(std::size_t(options_.threads), useful);
    const std::size_t most = std::min(digitsPerSlice, std::max<std::size_t>(1, (digits + threads - 1) / threads));
    for (std::size_t band = 0; band < bands.size(); ++band)
    {
        std::size_t rows = std::max<std::size_t>(1, (most + bands[band].work - 1) / bands[band].work);
        const std::size_t multiple = rows > kRowMultiple ? kRowMultiple : bands[band].multiple;
        rows = (rows + multiple - 1) / multiple * multiple;
        for (std::size_t begin = 0; begin < bands[band].rows; begin += rows)
            slices_.push_back({band, begin, std::min(bands[band].rows, begin + rows)});
    }
    if (threads > 1 && slices_.size() > 1) pool_ = std::make_unique<ThreadPool>(int(threads));
}

Decimal CpuDecimals::run(const std::stop_token& stop)
{
    std::int64_t low = 0, high = 0;
    const std::vector<DecimalMethod::Band> bands = method_->bands();
    for (std::size_t i = 0; i < bands.size(); ++i)
    {
        low = i == 0 ? bands[i].low : std::min(low, bands[i].low);
        high = i == 0 ? bands[i].high : std::max(high, bands[i].high);
    }
    SharedTotal total(low, high, stop);
    const auto addSlice = [&](std::size_t i) {
        if (!stop.stop_requested()) method_->addSlice(slices_[i].band, slices_[i].begin, slices_[i].end, total, stop);
    };
    if (pool_)
        pool_->forEach(slices_.size(), addSlice);
    else
        for (std::size_t i = 0; i < slices_.size(); ++i)
            addSlice(i);
    const std::uint64_t additions = total.addends() - (total.addends() > 0);
    operations_ = {additions, atOnce_ ? additions : 0};
    return stop.stop_requested() ? Decimal() : finish(total.total(), stop);
}

Decimal CpuDecimals::finish(const ColumnTotal& total, const std::stop_token& stop)
{
    if (end_ == End::kCarries) return total.number(stop);
    ColumnNumber number = end_ == End::kRowPerDigit ? numberByDigits(total.columns(), options_.set)
                                                    : numberByColumns(total.columns(), options_.set, total.reached());
    operations_ = {number.additions, number.additions};
    return decimal({options_.set, std::move(number.digits), total.exponent()});
}

}  // namespace orogen::compute

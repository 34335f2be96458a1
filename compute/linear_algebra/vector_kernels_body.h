// Definitions of the functions of VectorKernels.  vector_kernels.cpp includes this file once for each instruction set,
// after the set's "core/base/target_NAME.h", if it has one.  The file includes no headers: the linker may share their
// inline functions with code for any processor.  Its parameters are macros:
//
//   OROGEN_KERNELS        namespace of the functions and their table
//   OROGEN_KERNELS_NAME   name of the instruction set
//   OROGEN_KERNELS_ROWS   number of rows whose sums stay in registers.  The file cannot test __AVX512F__ instead:
//                         GCC 12 does not define it after the pragma that selects the instruction set.

namespace orogen::compute {
namespace {
namespace OROGEN_KERNELS {

constexpr std::size_t kRowsAtOnce = OROGEN_KERNELS_ROWS;

// Vectors of 64 bytes.  The types named Loose need only the alignment of an element.
typedef double Doubles __attribute__((vector_size(64)));
typedef double LooseDoubles __attribute__((vector_size(64), aligned(8), may_alias));
typedef float Floats __attribute__((vector_size(64)));
typedef float LooseFloats __attribute__((vector_size(64), aligned(4), may_alias));
typedef float LooseEightFloats __attribute__((vector_size(32), aligned(4), may_alias));

template <class Real>
struct Kind;
template <>
struct Kind<double>
{
    using Lanes = Doubles;
    using Loose = LooseDoubles;
};
template <>
struct Kind<float>
{
    using Lanes = Floats;
    using Loose = LooseFloats;
};
template <class Real>
using LanesOf = typename Kind<Real>::Lanes;
template <class Real>
using LooseOf = typename Kind<Real>::Loose;
template <class Real>
constexpr std::size_t kLanesOf = 64 / sizeof(Real);

// Number of rows that stripProducts() multiplies at once in matrices larger than the L2 cache.
template <class Real>
constexpr std::size_t kRowsAtOnceFar = kRowsAtOnce < 8 ? kRowsAtOnce : kStripRowsOf<Real>;

#define OROGEN_LOAD(from) (*reinterpret_cast<const LooseOf<Real>*>(from))
#define OROGEN_STORE(to, lanes) (*reinterpret_cast<LooseOf<Real>*>(to) = (lanes))

inline double total(const Doubles& s) { return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7])); }
inline float total(const Floats& s)
{
    float sums[8];
    for (int k = 0; k < 8; ++k)
        sums[k] = s[k] + s[k + 8];
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

template <class Real>
Real dot(const Real* a, const Real* b, std::size_t count)
{
    using Lanes = LanesOf<Real>;
    constexpr std::size_t kLanes = kLanesOf<Real>;
    Lanes s = {}, t = {};
    std::size_t i = 0;
    for (; i + 2 * kLanes <= count; i += 2 * kLanes)
    {
        s += OROGEN_LOAD(a + i) * OROGEN_LOAD(b + i);
        t += OROGEN_LOAD(a + i + kLanes) * OROGEN_LOAD(b + i + kLanes);
    }
    s += t;
    Real sum = total(s);
    for (; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

double sum(const double* a, std::size_t count)
{
    using Real = double;
    constexpr std::size_t kLanes = kLanesOf<Real>;
    Doubles s[8] = {};
    std::size_t i = 0;
    for (; i + 8 * kLanes <= count; i += 8 * kLanes)
        for (std::size_t k = 0; k < 8; ++k)
            s[k] += OROGEN_LOAD(a + i + k * kLanes);
    double sum = total(((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
    for (; i < count; ++i)
        sum += a[i];
    return sum;
}

// Multiplies kRows rows by x.  Contains no prefetch: the processor's own prefetching is faster, from memory and from
// its caches (EPYC 9004).
template <std::size_t kRows, class Real>
void someRows(const Real* a, std::size_t stride, std::size_t columns, const Real* x, Real* y)
{
    using Lanes = LanesOf<Real>;
    constexpr std::size_t kLanes = kLanesOf<Real>;
    Lanes sums[kRows] = {};
    std::size_t j = 0;
    for (; j + kLanes <= columns; j += kLanes)
    {
        const Lanes w = OROGEN_LOAD(x + j);
        for (std::size_t q = 0; q < kRows; ++q)
            sums[q] += OROGEN_LOAD(a + q * stride + j) * w;
    }
    for (std::size_t q = 0; q < kRows; ++q)
        y[q] = total(sums[q]);
    for (; j < columns; ++j)
        for (std::size_t q = 0; q < kRows; ++q)
            y[q] += a[q * stride + j] * x[j];
}

template <class Real>
void rowProducts(const Real* a, std::size_t stride, std::size_t columns, const Real* x, Real* y, std::size_t first,
                 std::size_t last)
{
    std::size_t i = first;
    for (; i + kRowsAtOnce <= last; i += kRowsAtOnce)
        someRows<kRowsAtOnce>(a + i * stride, stride, columns, x, y + i);
    for (; i < last; ++i)
        someRows<1>(a + i * stride, stride, columns, x, y + i);
}

// Multiplies kRows rows of a strip (a multiple of four), and their mirror images, left of the diagonal block.  `own`
// holds the elements of x at these rows.  Writes the rows' sums to `totals` and adds the mirror images' products to y.
// Prefetches kAhead elements ahead; 0: not at all.
template <std::size_t kRows, std::size_t kAhead, class Real>
void stripRows(const Real* a, std::size_t width, std::size_t columns, const Real* own, const Real* x, Real* y,
               Real* totals)
{
    using Lanes = LanesOf<Real>;
    constexpr std::size_t kLanes = kLanesOf<Real>;
    Lanes sums[kRows] = {};
    for (std::size_t j = 0; j < columns; j += kLanes)
    {
        const Lanes w = OROGEN_LOAD(x + j);
        Lanes mirrored = OROGEN_LOAD(y + j);
        for (std::size_t q = 0; q < kRows; q += 4)
        {
            const Real* const at = a + q * width + j;
            if (kAhead > 0)
                for (std::size_t k = 0; k < 4; ++k)
                    __builtin_prefetch(at + k * width + kAhead);
            const Lanes e = OROGEN_LOAD(at), f = OROGEN_LOAD(at + width), g = OROGEN_LOAD(at + 2 * width),
                        h = OROGEN_LOAD(at + 3 * width);
            sums[q] += e * w;
            sums[q + 1] += f * w;
            sums[q + 2] += g * w;
            sums[q + 3] += h * w;
            mirrored += (e * own[q] + f * own[q + 1]) + (g * own[q + 2] + h * own[q + 3]);
        }
        OROGEN_STORE(y + j, mirrored);
    }
    for (std::size_t q = 0; q < kRows; ++q)
        totals[q] = total(sums[q]);
}

template <class Real>
void stripProducts(const Real* strip, std::size_t width, std::size_t i, std::size_t rows, const Real* x, Real* y)
{
    constexpr std::size_t kStripRows = kStripRowsOf<Real>;
    // From rows of about kLong elements on, half a matrix does not fit in L2 caches.  A product with prefetching is
    // then 1.1 times as fast (in single precision with all rows of a strip at once).  For shorter rows it is 0.9 times
    // as fast (EPYC 9004 and 9005).  kFar is the prefetch distance in elements.
    constexpr std::size_t kLong = 8192 / sizeof(Real), kFar = 512 / sizeof(Real);
    Real own[kStripRows] = {}, sums[kStripRows];
    for (std::size_t q = 0; q < rows; ++q)
        own[q] = x[i + q];
    const auto multiply = [&](auto some, std::size_t atOnce) {
        for (std::size_t q = 0; q < kStripRows; q += atOnce)
            some(strip + q * width, width, i, own + q, x, y, sums + q);
    };
    if (i < kLong)
        multiply(stripRows<kRowsAtOnce, 0, Real>, kRowsAtOnce);
    else
        multiply(stripRows<kRowsAtOnceFar<Real>, kFar, Real>, kRowsAtOnceFar<Real>);
    for (std::size_t q = 0; q < rows; ++q)
    {
        const Real* const row = strip + q * width;
        for (std::size_t j = i; j < i + q; ++j)
        {
            sums[q] += row[j] * x[j];
            y[j] += row[j] * own[q];
        }
        sums[q] += row[i + q] * own[q];
    }
    for (std::size_t q = 0; q < rows; ++q)
        y[i + q] += sums[q];
}

void subtractTile(double* c, std::size_t strideC, const double* l, std::size_t strideL, const double* p,
                  std::size_t strideP, std::size_t depth)
{
    using Real = double;
    constexpr std::size_t kLanes = kLanesOf<Real>;
    Doubles sums[4][2] = {};
    for (std::size_t k = 0; k < depth; ++k)
    {
        const Doubles left = OROGEN_LOAD(p + k * strideP), right = OROGEN_LOAD(p + k * strideP + kLanes);
        for (std::size_t q = 0; q < 4; ++q)
        {
            const double factor = l[q * strideL + k];
            sums[q][0] += left * factor;
            sums[q][1] += right * factor;
        }
    }
    for (std::size_t q = 0; q < 4; ++q)
        for (std::size_t half = 0; half < 2; ++half)
        {
            double* const to = c + q * strideC + half * kLanes;
            OROGEN_STORE(to, OROGEN_LOAD(to) - sums[q][half]);
        }
}

void toSingle(const double* from, double scale, float* to, std::size_t count)
{
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8)
        *reinterpret_cast<LooseEightFloats*>(to + i) =
            __builtin_convertvector(*reinterpret_cast<const LooseDoubles*>(from + i) * scale, LooseEightFloats);
    for (; i < count; ++i)
        to[i] = float(from[i] * scale);
}

const VectorKernels kTable = {OROGEN_KERNELS_NAME,   dot<double>,  sum,        rowProducts<double>,
                              stripProducts<double>, subtractTile, dot<float>, rowProducts<float>,
                              stripProducts<float>,  toSingle};

}  // namespace OROGEN_KERNELS
}  // namespace
}  // namespace orogen::compute

#undef OROGEN_LOAD
#undef OROGEN_STORE
#undef OROGEN_KERNELS
#undef OROGEN_KERNELS_NAME
#undef OROGEN_KERNELS_ROWS

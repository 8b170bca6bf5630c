// Included by kernels.cpp once for every instruction set, with FSPLAN_LANES, FSPLAN_TARGET and FSPLAN_ISA defined. Each
// function has the target attribute itself and calls nothing from the library, so that shared code never contains
// instructions of a richer instruction set.

namespace FSPLAN_ISA {

typedef float Vector __attribute__((vector_size(FSPLAN_LANES * sizeof(float))));
typedef std::int32_t Integers __attribute__((vector_size(FSPLAN_LANES * sizeof(float)), may_alias));
typedef std::int16_t Shorts __attribute__((vector_size(FSPLAN_LANES * sizeof(float)), may_alias));

// Computes one tile, `Width` vectors of outputs. With few vectors the latency of additions would dominate, so the
// inputs are distributed over `Chains` independent sums.
template <std::size_t Width, std::size_t Chains, bool Weighted>
FSPLAN_TARGET void tile(const float* rows, std::size_t stride, const float* bias, const std::uint32_t* index,
                        const float* factor, std::size_t count, float* out) {
    Vector sum[Chains][Width];
    for (std::size_t j = 0; j < Width; ++j) {
        sum[0][j] = reinterpret_cast<const Vector*>(bias)[j];
        for (std::size_t c = 1; c < Chains; ++c) sum[c][j] = Vector{};
    }
    std::size_t k = 0;
    for (; k + Chains <= count; k += Chains) {
        for (std::size_t c = 0; c < Chains; ++c) {
            const Vector* row = reinterpret_cast<const Vector*>(rows + index[k + c] * stride);
            for (std::size_t j = 0; j < Width; ++j) {
                if constexpr (Weighted) sum[c][j] += row[j] * factor[k + c];
                else sum[c][j] += row[j];
            }
        }
    }
    for (; k < count; ++k) {
        const Vector* row = reinterpret_cast<const Vector*>(rows + index[k] * stride);
        for (std::size_t j = 0; j < Width; ++j) {
            if constexpr (Weighted) sum[0][j] += row[j] * factor[k];
            else sum[0][j] += row[j];
        }
    }
    for (std::size_t j = 0; j < Width; ++j) {
        for (std::size_t c = 1; c < Chains; ++c) sum[0][j] += sum[c][j];
        reinterpret_cast<Vector*>(out)[j] = sum[0][j];
    }
}

template <bool Weighted>
FSPLAN_TARGET void rows_times(const float* rows, std::size_t stride, const float* bias, const std::uint32_t* index,
                              const float* factor, std::size_t count, float* out) {
    std::size_t vectors = stride / FSPLAN_LANES;
    while (vectors > 0) {
        const std::size_t width = vectors >= 10 ? 10 : vectors >= 5 ? 5 : vectors >= 2 ? 2 : 1;
        switch (width) {
            case 10: tile<10, 1, Weighted>(rows, stride, bias, index, factor, count, out); break;
            case 5: tile<5, 2, Weighted>(rows, stride, bias, index, factor, count, out); break;
            case 2: tile<2, 4, Weighted>(rows, stride, bias, index, factor, count, out); break;
            default: tile<1, 4, Weighted>(rows, stride, bias, index, factor, count, out);
        }
        const std::size_t step = width * FSPLAN_LANES;
        rows += step;
        bias += step;
        out += step;
        vectors -= width;
    }
}

FSPLAN_TARGET void sum_rows(const float* rows, std::size_t stride, const float* bias, const std::uint32_t* index,
                            std::size_t count, float* out) {
    rows_times<false>(rows, stride, bias, index, nullptr, count, out);
}

FSPLAN_TARGET void weigh_rows(const float* rows, std::size_t stride, const float* bias, const std::uint32_t* index,
                              const float* factor, std::size_t count, float* out) {
    rows_times<true>(rows, stride, bias, index, factor, count, out);
}

FSPLAN_TARGET std::size_t keep_positive(const float* x, std::size_t size, std::uint32_t* index, float* value) {
    std::size_t kept = 0;
#if FSPLAN_LANES == 16
    __m512i position = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const std::size_t padded = (size + kLane - 1) / kLane * kLane;
    for (std::size_t i = 0; i < padded; i += kLane) {
        const __m512 part = _mm512_load_ps(x + i);
        const __mmask16 positive = _mm512_cmp_ps_mask(part, _mm512_setzero_ps(), _CMP_GT_OQ);
        _mm512_storeu_ps(value + kept, _mm512_maskz_compress_ps(positive, part));
        _mm512_storeu_si512(index + kept, _mm512_maskz_compress_epi32(positive, position));
        kept += static_cast<std::size_t>(__builtin_popcount(positive));
        position = _mm512_add_epi32(position, _mm512_set1_epi32(kLane));
    }
#else
    for (std::size_t i = 0; i < size; ++i) {
        index[kept] = static_cast<std::uint32_t>(i);
        value[kept] = x[i];
        kept += x[i] > 0.0F ? 1 : 0;
    }
#endif
    return kept;
}

FSPLAN_TARGET float dot(const float* a, const float* b, std::size_t size) {
    constexpr std::size_t kChains = kLane / FSPLAN_LANES;
    Vector sum[kChains] = {};
    for (std::size_t i = 0; i < size; i += kLane) {
        for (std::size_t c = 0; c < kChains; ++c) {
            sum[c] += reinterpret_cast<const Vector*>(a + i)[c] * reinterpret_cast<const Vector*>(b + i)[c];
        }
    }
    for (std::size_t c = 1; c < kChains; ++c) sum[0] += sum[c];
    float total = 0;
    for (std::size_t j = 0; j < FSPLAN_LANES; ++j) total += sum[0][j];
    return total;
}

template <std::size_t Width>
FSPLAN_TARGET void short_tile(const std::int16_t* rows, std::size_t stride, const std::int16_t* bias,
                              const std::uint32_t* index, std::size_t count, std::int16_t* out) {
    Shorts sum[Width];
    for (std::size_t j = 0; j < Width; ++j) sum[j] = reinterpret_cast<const Shorts*>(bias)[j];
    for (std::size_t k = 0; k < count; ++k) {
        const Shorts* row = reinterpret_cast<const Shorts*>(rows + index[k] * stride);
        for (std::size_t j = 0; j < Width; ++j) sum[j] += row[j];
    }
    for (std::size_t j = 0; j < Width; ++j) reinterpret_cast<Shorts*>(out)[j] = sum[j] > 0 ? sum[j] : Shorts{};
}

FSPLAN_TARGET void sum_short_rows(const std::int16_t* rows, std::size_t stride, const std::int16_t* bias,
                                  const std::uint32_t* index, std::size_t count, std::int16_t* out) {
    constexpr std::size_t kStep = 2 * FSPLAN_LANES;
    std::size_t at = 0;
    for (; at + 5 * kStep <= stride; at += 5 * kStep)
        short_tile<5>(rows + at, stride, bias + at, index, count, out + at);
    for (; at < stride; at += kStep) short_tile<1>(rows + at, stride, bias + at, index, count, out + at);
}

// Lane j of the result is a[2j] · b[2j] + a[2j + 1] · b[2j + 1].
FSPLAN_TARGET inline Integers multiply_pairs(Shorts a, Shorts b) {
#if FSPLAN_LANES == 16
    return (Integers)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif FSPLAN_LANES == 8
    return (Integers)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(FSPLAN_X86)
    return (Integers)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    Integers sums;
    for (std::size_t j = 0; j < FSPLAN_LANES; ++j) sums[j] = a[2 * j] * b[2 * j] + a[2 * j + 1] * b[2 * j + 1];
    return sums;
#endif
}

FSPLAN_TARGET inline std::int32_t pair_at(const std::int16_t* x, std::size_t p) {
    std::int32_t pair;
    __builtin_memcpy(&pair, x + 2 * p, sizeof pair);
    return pair;
}

FSPLAN_TARGET std::size_t keep_pairs(const std::int16_t* x, std::size_t pairs, std::uint32_t* index) {
    std::size_t kept = 0;
#if FSPLAN_LANES == 16
    __m512i position = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (std::size_t p = 0; p < pairs; p += kLane) {
        const __m512i part = _mm512_load_si512(x + 2 * p);
        const __mmask16 some = _mm512_test_epi32_mask(part, part);
        _mm512_storeu_si512(index + kept, _mm512_maskz_compress_epi32(some, position));
        kept += static_cast<std::size_t>(__builtin_popcount(some));
        position = _mm512_add_epi32(position, _mm512_set1_epi32(kLane));
    }
#else
    for (std::size_t p = 0; p < pairs; ++p) {
        index[kept] = static_cast<std::uint32_t>(p);
        kept += pair_at(x, p) != 0 ? 1 : 0;
    }
#endif
    return kept;
}

template <std::size_t Width>
FSPLAN_TARGET void pairs_tile(const std::int16_t* rows, std::size_t stride, const std::int32_t* bias,
                              const std::int16_t* x, const std::uint32_t* index, std::size_t count, float scale,
                              float* out) {
    Integers sum[Width];
    for (std::size_t j = 0; j < Width; ++j) sum[j] = reinterpret_cast<const Integers*>(bias)[j];
    for (std::size_t k = 0; k < count; ++k) {
        const Shorts both = (Shorts)(Integers{} + pair_at(x, index[k]));
        const Shorts* row = reinterpret_cast<const Shorts*>(rows + index[k] * stride);
        for (std::size_t j = 0; j < Width; ++j) sum[j] += multiply_pairs(both, row[j]);
    }
    for (std::size_t j = 0; j < Width; ++j)
        reinterpret_cast<Vector*>(out)[j] = __builtin_convertvector(sum[j], Vector) * scale;
}

FSPLAN_TARGET void weigh_pairs(const std::int16_t* rows, std::size_t stride, const std::int32_t* bias,
                               const std::int16_t* x, const std::uint32_t* index, std::size_t count, float scale,
                               float* out) {
    constexpr std::size_t kStep = FSPLAN_LANES;
    const std::size_t outputs = stride / 2;
    std::size_t at = 0;
    for (; at + 5 * kStep <= outputs; at += 5 * kStep)
        pairs_tile<5>(rows + 2 * at, stride, bias + at, x, index, count, scale, out + at);
    for (; at < outputs; at += kStep) pairs_tile<1>(rows + 2 * at, stride, bias + at, x, index, count, scale, out + at);
}

inline constexpr Kernels kAll{FSPLAN_NAME, sum_rows,       weigh_rows, keep_positive,
                              dot,         sum_short_rows, keep_pairs, weigh_pairs};

}  // namespace FSPLAN_ISA

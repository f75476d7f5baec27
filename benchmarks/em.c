/* The limits for condprob.methods.em: an iteration of AD-LR written by hand, with the rank M known
 * when compiled and its vectors written out; and a triad, which moves the bytes of a pass in order.
 *
 * The same algorithm and the same passes over memory, rows stored by cache lines, no objective.
 */
#include <stdint.h>

#define S ((M + 7) / 8 * 8) /* floats from one row to the next: whole cache lines */
#if M > 4
#define L 8 /* floats of a vector */
#elif M > 2
#define L 4
#else
#define L M
#endif
#define N ((M + L - 1) / L) /* vectors of a row */
#define AHEAD 4             /* pairs between the fetch of a row of H and its use */
#define NEAR (1 << 15)      /* floats of H that need no fetching */

typedef double vector __attribute__((vector_size(8 * L), aligned(8), may_alias));

static inline double sum(vector x)
{
    double total = 0;
    for (int l = 0; l < L; l++) total += x[l];
    return total;
}

static void pass(int64_t rows, int64_t columns, const int64_t *indptr, const uint32_t *outcomes,
                 const double *values, const double *row_sums, double constant, double *W,
                 const double *H, double *soft_H)
{
    int64_t last = indptr[rows] - 1;
    int far = columns * S > NEAR;
    for (int64_t i = 0; i < rows; i++) {
        vector w[N], soft_w[N];
#pragma GCC unroll 16
        for (int n = 0; n < N; n++) {
            w[n] = ((const vector *)(W + i * S))[n];
            soft_w[n] = (vector){0};
        }
        for (int64_t p = indptr[i]; p < indptr[i + 1]; p++) {
            if (far) {
                int64_t ahead = (int64_t)outcomes[p + AHEAD < last ? p + AHEAD : last] * S;
                for (int l = 0; l < S; l += 8) {
                    __builtin_prefetch(H + ahead + l, 0);
                    __builtin_prefetch(soft_H + ahead + l, 1);
                }
            }
            const vector *h = (const vector *)(H + (int64_t)outcomes[p] * S);
            vector *soft_h = (vector *)(soft_H + (int64_t)outcomes[p] * S);
            vector products = w[0] * h[0];
#pragma GCC unroll 16
            for (int n = 1; n < N; n++) products += w[n] * h[n];
            double ratio = values[p] / sum(products);
#pragma GCC unroll 16
            for (int n = 0; n < N; n++) {
                soft_w[n] += ratio * h[n];
                soft_h[n] += ratio * w[n];
            }
        }
        double scale = 1 / (row_sums[i] + M * constant);
#pragma GCC unroll 16
        for (int n = 0; n < N; n++)
            ((vector *)(W + i * S))[n] = (w[n] * soft_w[n] + constant) * scale;
    }
}

static void smooth_H(int64_t outcomes, double k, double discount, double *H, double *soft_H)
{
    double total[S], seen[S], unseen[S], a[S], b[S], scale[S];
    for (int l = 0; l < S; l++) { total[l] = seen[l] = 0; unseen[l] = k - outcomes; }
    for (int64_t j = 0; j < outcomes; j++)
        for (int l = 0; l < S; l++) {
            double x = H[j * S + l] * soft_H[j * S + l], clipped = x < 1 ? x : 1;
            soft_H[j * S + l] = x;
            total[l] += x;
            seen[l] += clipped;
            unseen[l] += 1 - clipped;
        }
    for (int l = 0; l < S; l++) {
        int full = unseen[l] < 1e-9;
        a[l] = full ? 0 : discount * seen[l] / unseen[l];
        b[l] = full ? 0 : -discount;
        scale[l] = total[l] > 0 ? 1 / total[l] : 0; /* no class loses every count here */
    }
    for (int64_t j = 0; j < outcomes; j++)
        for (int l = 0; l < S; l++) {
            double x = soft_H[j * S + l], clipped = x < 1 ? x : 1;
            H[j * S + l] = (x + b[l] * clipped + a[l] * (1 - clipped)) * scale[l];
            soft_H[j * S + l] = 0;
        }
}

/* W is (rows, S) and H (outcomes, S), zero in H beyond column M, anything in W; soft_H is the same
 * as H, all zero. */
void iterate(int64_t iterations, int64_t rows, int64_t outcomes, int64_t k, const int64_t *indptr,
             const uint32_t *columns, const double *values, const double *row_sums,
             double constant, double discount, double *W, double *H, double *soft_H)
{
    for (int64_t t = 0; t < iterations; t++) {
        pass(rows, outcomes, indptr, columns, values, row_sums, constant, W, H, soft_H);
        smooth_H(outcomes, k, discount, H, soft_H);
    }
}

/* x = y + scale z, all of the given size, so many times over. */
void triad(int64_t times, int64_t size, double scale, double *x, const double *y, const double *z)
{
    for (int64_t t = 0; t < times; t++) {
        for (int64_t i = 0; i < size; i++) x[i] = y[i] + scale * z[i];
        __asm__ volatile("" ::: "memory"); /* each time anew */
    }
}

/* The limit for em.py: an iteration of AD-LR written by hand, with the rank M known when compiled.
 *
 * The same algorithm, the same passes over memory, rows stored by cache lines, and the objective.
 */
#include <math.h>
#include <stdint.h>

#define S ((M + 7) / 8 * 8) /* floats from one row to the next: whole cache lines */
#define AHEAD 4             /* pairs between the fetch of a row of H and its use */
#define LEAST 1e-140        /* a running product below it is logged and starts anew */

static double pass(int64_t rows, const int64_t *indptr, const uint32_t *outcomes,
                   const double *values, const double *row_sums, double constant, double *W,
                   const double *H, double *soft_H)
{
    double log_likelihood = 0, product = 1;
    int64_t last = indptr[rows] - 1;
    for (int64_t i = 0; i < rows; i++) {
        double w[S], soft_w[S];
        for (int l = 0; l < S; l++) { w[l] = W[i * S + l]; soft_w[l] = 0; }
        for (int64_t p = indptr[i]; p < indptr[i + 1]; p++) {
            int64_t ahead = (int64_t)outcomes[p + AHEAD < last ? p + AHEAD : last] * S;
            for (int l = 0; l < S; l += 8) {
                __builtin_prefetch(H + ahead + l, 0);
                __builtin_prefetch(soft_H + ahead + l, 1);
            }
            const double *h = H + (int64_t)outcomes[p] * S;
            double *soft_h = soft_H + (int64_t)outcomes[p] * S;
            double q = 0;
            for (int l = 0; l < S; l++) q += w[l] * h[l];
            double ratio = values[p] / q;
            for (int l = 0; l < S; l++) { soft_w[l] += ratio * h[l]; soft_h[l] += ratio * w[l]; }
            if (values[p] == 1) {
                product *= q;
                if (product < LEAST) { log_likelihood += log(product); product = 1; }
            } else {
                log_likelihood += values[p] * log(q);
            }
        }
        double scale = 1 / (row_sums[i] + M * constant);
        for (int l = 0; l < M; l++) W[i * S + l] = (w[l] * soft_w[l] + constant) * scale;
    }
    return log_likelihood + log(product);
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

/* W is (rows, S) and H (outcomes, S), zero beyond column M; soft_H the same, all zero. Returns the
 * log-likelihood before the last iteration. */
double iterate(int64_t iterations, int64_t rows, int64_t outcomes, int64_t k, const int64_t *indptr,
               const uint32_t *columns, const double *values, const double *row_sums,
               double constant, double discount, double *W, double *H, double *soft_H)
{
    double log_likelihood = 0;
    for (int64_t t = 0; t < iterations; t++) {
        log_likelihood = pass(rows, indptr, columns, values, row_sums, constant, W, H, soft_H);
        smooth_H(outcomes, k, discount, H, soft_H);
    }
    return log_likelihood;
}

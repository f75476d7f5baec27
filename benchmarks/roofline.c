/* What one core can do at best: bytes a second of a triad, additions and products a second. */
#include <stdint.h>

/* a = b + x c, `repetitions` times over `size` floats: 24 bytes each. */
double triad(int64_t size, int64_t repetitions, double x, double *a, const double *b,
             const double *c)
{
    for (int64_t r = 0; r < repetitions; r++) {
        for (int64_t i = 0; i < size; i++) a[i] = b[i] + x * c[i];
        __asm__ volatile("" ::"r"(a) : "memory"); /* each repetition is to be done */
    }
    return a[0];
}

/* 128 independent chains of y = y x + x: two operations each. */
double multiply_add(int64_t repetitions, double x)
{
    double y[128], total = 0;
    for (int l = 0; l < 128; l++) y[l] = l;
    for (int64_t r = 0; r < repetitions; r++)
        for (int l = 0; l < 128; l++) y[l] = y[l] * x + x;
    for (int l = 0; l < 128; l++) total += y[l];
    return total;
}

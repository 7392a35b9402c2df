/* A machine whose clock is wrong: preloaded into a program, it adds WRONG_CLOCK milliseconds to the time of day. The
 * monotonic clock, which nobody sets, stays as it is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long wrong(void) {
    const char *given = getenv("WRONG_CLOCK");
    return given ? atol(given) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *told) {
    int failed = REAL(clock_gettime)(clock, told);
    if (!failed && clock == CLOCK_REALTIME) {
        long long shown = told->tv_sec * 1000000000LL + told->tv_nsec + wrong() * 1000000LL;
        told->tv_sec = shown / 1000000000LL;
        told->tv_nsec = shown % 1000000000LL;
    }
    return failed;
}

int gettimeofday(struct timeval *restrict told, void *restrict zone) {
    int failed = REAL(gettimeofday)(told, zone);
    if (!failed) told->tv_sec += wrong() / 1000;
    return failed;
}

time_t time(time_t *told) {
    time_t shown = REAL(time)(NULL) + wrong() / 1000;
    if (told) *told = shown;
    return shown;
}

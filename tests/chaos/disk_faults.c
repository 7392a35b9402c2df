/* A disk that refuses: preloaded into a program, every change of a file below DISK_FAULTS fails while the file
 * DISK_FAULTS.errno exists; its content is the errno, as a number. Reading goes on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The errno with which a change of this file fails now, or 0. */
static int fault(int fd) {
    char path[4096], *root = getenv("DISK_FAULTS");
    struct stat file;
    if (!root || fstat(fd, &file) || !S_ISREG(file.st_mode)) return 0;
    snprintf(path, sizeof path, "%s.errno", root);
    int control = open(path, O_RDONLY | O_CLOEXEC), number = 0;
    if (control < 0) return 0;
    char digits[16] = {0};
    if (read(control, digits, sizeof digits - 1) > 0) number = atoi(digits);
    close(control);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    char name[4096];
    ssize_t length = readlink(path, name, sizeof name - 1);
    if (length < 0 || strncmp(name, root, strlen(root)) || name[strlen(root)] != '/') return 0;
    return number;
}

#define OR_FAIL(fd, call) \
    int kept = errno, number = fault(fd); if (number) { errno = number; return -1; } errno = kept; return call

ssize_t write(int fd, const void *words, size_t count) { OR_FAIL(fd, REAL(write)(fd, words, count)); }
ssize_t writev(int fd, const struct iovec *parts, int count) { OR_FAIL(fd, REAL(writev)(fd, parts, count)); }
ssize_t pwrite(int fd, const void *words, size_t count, off_t at) { OR_FAIL(fd, REAL(pwrite)(fd, words, count, at)); }
ssize_t pwrite64(int fd, const void *words, size_t count, off64_t at) { OR_FAIL(fd, REAL(pwrite64)(fd, words, count, at)); }
int ftruncate(int fd, off_t to) { OR_FAIL(fd, REAL(ftruncate)(fd, to)); }
int ftruncate64(int fd, off64_t to) { OR_FAIL(fd, REAL(ftruncate64)(fd, to)); }
int fsync(int fd) { OR_FAIL(fd, REAL(fsync)(fd)); }
int fdatasync(int fd) { OR_FAIL(fd, REAL(fdatasync)(fd)); }

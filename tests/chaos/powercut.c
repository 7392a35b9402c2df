/* A disk that forgets what was not synced: preloaded into a program, it notes, before each write to a file below
 * POWERCUT, what the write overwrites, in POWERCUT.undo/INODE; a sync empties these notes. After kill -9, undoing
 * what is still noted, newest first, leaves the files as a power cut would have left them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside;
static void unlocked(void) { pthread_mutex_init(&lock, NULL); } /* in a child, whose parent's threads are not there */
__attribute__((constructor)) static void begin(void) { pthread_atfork(NULL, NULL, unlocked); }
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The notes of a file, or -1 if it is none of ours. */
static int notes_of(int fd, struct stat *file, int flags) {
    char link[64], path[4096], *root = getenv("POWERCUT");
    if (inside || !root || fstat(fd, file) || !S_ISREG(file->st_mode)) return -1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || strncmp(path, root, strlen(root)) || path[strlen(root)] != '/') return -1;
    snprintf(path, sizeof path, "%s.undo/%lu", root, (unsigned long)file->st_ino);
    return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | flags, 0600);
}

/* One note: where, how long the file was, how many bytes stood there, and these bytes. */
static void note(int fd, off_t at, size_t count) {
    struct stat file;
    int notes = notes_of(fd, &file, 0);
    if (notes < 0) return;
    inside = 1;
    if (at < 0) at = fcntl(fd, F_GETFL) & O_APPEND ? file.st_size : lseek(fd, 0, SEEK_CUR);
    size_t kept = at >= file.st_size ? 0 : (size_t)(file.st_size - at) < count ? (size_t)(file.st_size - at) : count;
    long head[3] = {(long)at, (long)file.st_size, (long)kept};
    char *words = malloc(sizeof head + kept + 1), link[64];
    memcpy(words, head, sizeof head);
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    int reader = kept ? open(link, O_RDONLY | O_CLOEXEC) : -1;
    if (reader >= 0) { if (pread(reader, words + sizeof head, kept, at) < 0) abort(); close(reader); }
    if (REAL(write)(notes, words, sizeof head + kept) < 0) abort();
    free(words);
    close(notes);
    inside = 0;
}

static void forget(int fd) {
    struct stat file;
    int notes = notes_of(fd, &file, O_TRUNC);
    if (notes >= 0) close(notes);
}

#define NOTED(call, fd, at, count) \
    pthread_mutex_lock(&lock); note(fd, at, count); __typeof__(call) done = call; pthread_mutex_unlock(&lock); return done
#define SYNCED(call, fd) \
    int done = call; pthread_mutex_lock(&lock); if (!done) forget(fd); pthread_mutex_unlock(&lock); return done

static int is_file(int fd) { struct stat file; return !inside && !fstat(fd, &file) && S_ISREG(file.st_mode); }
static size_t total(const struct iovec *parts, int count) {
    size_t sum = 0;
    for (int part = 0; part < count; part++) sum += parts[part].iov_len;
    return sum;
}

ssize_t write(int fd, const void *words, size_t count) {
    if (!is_file(fd)) return REAL(write)(fd, words, count);
    NOTED(REAL(write)(fd, words, count), fd, -1, count);
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    if (!is_file(fd)) return REAL(writev)(fd, parts, count);
    NOTED(REAL(writev)(fd, parts, count), fd, -1, total(parts, count));
}
ssize_t pwrite(int fd, const void *words, size_t count, off_t at) { NOTED(REAL(pwrite)(fd, words, count, at), fd, at, count); }
ssize_t pwrite64(int fd, const void *words, size_t count, off64_t at) { NOTED(REAL(pwrite64)(fd, words, count, at), fd, at, count); }
int ftruncate(int fd, off_t to) { NOTED(REAL(ftruncate)(fd, to), fd, to, (size_t)-1 >> 1); }
int ftruncate64(int fd, off64_t to) { NOTED(REAL(ftruncate64)(fd, to), fd, to, (size_t)-1 >> 1); }
int fsync(int fd) { SYNCED(REAL(fsync)(fd), fd); }
int fdatasync(int fd) { SYNCED(REAL(fdatasync)(fd), fd); }

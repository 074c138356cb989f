/* Preloaded: writes down every write, truncation, removal and sync of files under $WRITTEN_UNDER, in order, into
   $WRITTEN_LOG. bench_power.py makes of it what a card holds when the power goes. Linux. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int out = -1;
static const char *under;

#define REAL(type, name, ...) static type (*real)(__VA_ARGS__); if (!real) real = dlsym(RTLD_NEXT, name)

static ssize_t plain_write(int fd, const void *data, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    return real(fd, data, size);
}

static void note(char kind, const char *path, uint64_t at, const void *data, uint32_t size) {
    if (!under && !(under = getenv("WRITTEN_UNDER"))) return;
    if (strncmp(path, under, strlen(under))) return;
    pthread_mutex_lock(&lock);
    if (out < 0) out = open(getenv("WRITTEN_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    uint32_t length = strlen(path);
    char head[17];
    head[0] = kind;
    memcpy(head + 1, &length, 4);
    memcpy(head + 5, &at, 8);
    memcpy(head + 13, &size, 4);
    plain_write(out, head, sizeof head);
    plain_write(out, path, length);
    if (size) plain_write(out, data, size);
    pthread_mutex_unlock(&lock);
}

static void note_of(char kind, int fd, uint64_t at, const void *data, uint32_t size) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return;
    path[length] = 0;
    note(kind, path, at, data, size);
}

ssize_t write(int fd, const void *data, size_t size) {
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t done = plain_write(fd, data, size);
    if (done > 0) note_of('W', fd, at < 0 ? 0 : at, data, done);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    ssize_t done = real(fd, data, size, at);
    if (done > 0) note_of('W', fd, at, data, done);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t at) { return pwrite64(fd, data, size, at); }

int ftruncate64(int fd, off64_t size) {
    REAL(int, "ftruncate64", int, off64_t);
    int done = real(fd, size);
    if (!done) note_of('T', fd, size, 0, 0);
    return done;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    int done = real(path);
    if (!done) note('U', path, 0, 0, 0);
    return done;
}

int fsync(int fd) { note_of('S', fd, 0, 0, 0); return 0; }
int fdatasync(int fd) { note_of('S', fd, 0, 0, 0); return 0; }

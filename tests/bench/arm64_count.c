/* A TCG plugin for qemu-user: counts the instructions of a program and of the processes it starts.
 *
 *   cc -O2 -shared -fPIC -o count.so arm64_count.c
 *   qemu-aarch64 -plugin ./count.so,counter=FILE,marks=FILE,blocks=FILE PROGRAM
 *
 * The counter is eight shared bytes: every thread and process that runs with this plugin adds to it. The program leaves
 * a mark by asking for the process group of a process that cannot exist, MARK + label: label and count are added to the
 * file of marks. Label RESET forgets which blocks of code ran, label DUMP writes them: address, instructions, runs.
 *
 * Declared here is the part of QEMU's plugin interface that is used, as QEMU 7.2 (Debian 12) has it; its numbers of
 * versions: 7.2 offers 1, 9.0 and later, which brought scoreboards, ask for 2 or more.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
#define GETPGID 155 /* the number of this system call on arm64 */
#define MARK 0x45470000 /* above every process number: Linux counts to 4,194,304 */
#define RESET 0xfffe
#define DUMP 0xffff

typedef uint64_t plugin_id;
enum registers { NO_REGISTERS };
extern size_t qemu_plugin_tb_n_insns(const void *block);
extern uint64_t qemu_plugin_tb_vaddr(const void *block);
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, void *block));
extern void qemu_plugin_register_vcpu_tb_exec_cb(void *block, void (*)(unsigned cpu, void *data), enum registers, void *data);
extern void qemu_plugin_register_vcpu_syscall_cb(plugin_id, void (*)(plugin_id, unsigned cpu, int64_t number, uint64_t,
    uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
extern void *qemu_plugin_scoreboard_new(size_t) __attribute__((weak));

PUBLIC int qemu_plugin_version = 1;
__attribute__((constructor)) static void choose_version(void) {
    if (qemu_plugin_scoreboard_new) qemu_plugin_version = 2;
}

struct block {
    struct block *next;
    uint64_t address, instructions, runs;
};
static struct block *blocks;
static uint64_t *counter;
static const char *marks_file, *blocks_file;

static void ran(unsigned cpu, void *data) {
    struct block *block = data;
    (void)cpu;
    block->runs++;
    __atomic_fetch_add(counter, block->instructions, __ATOMIC_RELAXED);
}

static void translated(plugin_id id, void *code) {
    struct block *block = calloc(1, sizeof *block);
    (void)id;
    if (!block) abort();
    block->address = qemu_plugin_tb_vaddr(code);
    block->instructions = qemu_plugin_tb_n_insns(code);
    block->next = __atomic_load_n(&blocks, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&blocks, &block->next, block, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    qemu_plugin_register_vcpu_tb_exec_cb(code, ran, NO_REGISTERS, block);
}

static void write_blocks(void) {
    FILE *out = blocks_file ? fopen(blocks_file, "w") : NULL;
    if (!out) return;
    for (struct block *each = blocks; each; each = each->next)
        if (each->runs) fprintf(out, "%" PRIx64 " %" PRIu64 " %" PRIu64 "\n", each->address, each->instructions, each->runs);
    fclose(out);
}

static void called(plugin_id id, unsigned cpu, int64_t number, uint64_t process, uint64_t b, uint64_t c, uint64_t d,
    uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
    (void)id, (void)cpu, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number != GETPGID || process < MARK || process > MARK + DUMP) return;
    unsigned label = process - MARK;
    if (label == DUMP) {
        write_blocks();
    } else if (label == RESET) {
        for (struct block *each = blocks; each; each = each->next) each->runs = 0;
    } else {
        FILE *out = fopen(marks_file, "a");
        if (!out) abort();
        fprintf(out, "%u %" PRIu64 "\n", label, __atomic_load_n(counter, __ATOMIC_RELAXED));
        fclose(out);
    }
}

PUBLIC int qemu_plugin_install(plugin_id id, const void *info, int count, char **words) {
    (void)info;
    for (int i = 0; i < count; i++) {
        char *value = strchr(words[i], '=');
        if (!value) return 1;
        *value++ = 0;
        if (!strcmp(words[i], "counter")) {
            int file = open(value, O_RDWR | O_CREAT, 0666);
            if (file < 0 || ftruncate(file, sizeof *counter)) return 1;
            counter = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
            close(file);
        } else if (!strcmp(words[i], "marks")) {
            marks_file = strdup(value);
        } else if (!strcmp(words[i], "blocks")) {
            blocks_file = strdup(value);
        }
    }
    if (!counter || counter == MAP_FAILED || !marks_file) return 1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}

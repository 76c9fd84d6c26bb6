// A plugin of qemu-user that records what runs between two system calls of the number trace_switch: a line an
// instruction, its bytes in the order of memory, in the form that llvm-mc --disassemble reads. It goes to
// qemu's log: qemu-arm -plugin trace.so -d plugin -D FILE PROGRAM.
//
// Debian ships no header for plugins, so what is called here is declared here.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace_switch.h"

typedef uint64_t plugin_id;
struct qemu_plugin_tb;    // code that qemu translates at once
struct qemu_plugin_insn;  // an instruction of it
typedef void (*on_translation)(plugin_id, struct qemu_plugin_tb*);
typedef void (*on_execution)(unsigned vcpu, void* data);
typedef void (*on_system_call)(plugin_id, unsigned vcpu, int64_t number, uint64_t, uint64_t, uint64_t,
                               uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, on_translation);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn*, on_execution, int registers,
                                            void* data);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id, on_system_call);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t index);
const void* qemu_plugin_insn_data(const struct qemu_plugin_insn*);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn*);
void qemu_plugin_outs(const char* text);

// What qemu asks a plugin for.
__attribute__((visibility("default"))) extern const int qemu_plugin_version;
__attribute__((visibility("default"))) int qemu_plugin_install(plugin_id, const void* info, int, char**);

static bool recording;

static void executed(unsigned vcpu, void* line) {
  (void)vcpu;
  if (recording) qemu_plugin_outs(line);
}

static void translated(plugin_id id, struct qemu_plugin_tb* block) {
  (void)id;
  enum { no_registers = 0, longest = 4, digits = sizeof "0x00 " - 1 };
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
    struct qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(block, i);
    const uint8_t* bytes = qemu_plugin_insn_data(instruction);
    // At the end of a page qemu may add Thumb code that it has looked ahead at.
    const size_t seen = qemu_plugin_insn_size(instruction), size = seen < longest ? seen : longest;
    char* line = malloc(digits * longest + sizeof "\n");  // for as long as the translation lives
    if (line == NULL) abort();
    for (size_t j = 0; j < size; ++j) sprintf(line + digits * j, "0x%02x ", bytes[j]);
    sprintf(line + digits * size, "\n");
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, executed, no_registers, line);
  }
}

static void system_call(plugin_id id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b, uint64_t c,
                        uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h) {
  (void)id, (void)vcpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  if (number == trace_switch) recording = !recording;
}

const int qemu_plugin_version = 1;

int qemu_plugin_install(plugin_id id, const void* info, int argc, char** argv) {
  (void)info, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_vcpu_syscall_cb(id, system_call);
  return 0;
}

#include "watched_call.hpp"

#if defined(__x86_64__)

// rbx, rbp, r12 to r15.
__asm__(R"(
.macro jithash_test_check register, number, mark
  xor %edx, %edx
  cmp $\mark, %\register
  setne %dl
  shl $\number, %edx
  or %rdx, %rax
.endm
.text
.globl jithash_test_call_watched
.type jithash_test_call_watched, @function
jithash_test_call_watched:
  push %rbx
  push %rbp
  push %r12
  push %r13
  push %r14
  push %r15
  sub $8, %rsp
  mov %rdi, %rax
  mov %rsi, %rdi
  mov %rdx, %rsi
  mov %rcx, %rdx
  mov $0x1111, %rbx
  mov $0x2222, %rbp
  mov $0x3333, %r12
  mov $0x4444, %r13
  mov $0x5555, %r14
  mov $0x6666, %r15
  call *%rax
  xor %eax, %eax
  jithash_test_check rbx, 3, 0x1111
  jithash_test_check rbp, 5, 0x2222
  jithash_test_check r12, 12, 0x3333
  jithash_test_check r13, 13, 0x4444
  jithash_test_check r14, 14, 0x5555
  jithash_test_check r15, 15, 0x6666
  add $8, %rsp
  pop %r15
  pop %r14
  pop %r13
  pop %r12
  pop %rbp
  pop %rbx
  ret
.size jithash_test_call_watched, . - jithash_test_call_watched
.section .note.GNU-stack,"",@progbits
.text
)");

#elif defined(__aarch64__)

// x18 to x29, d8 to d15.
__asm__(R"(
.text
.globl jithash_test_call_watched
.type jithash_test_call_watched, %function
jithash_test_call_watched:
  stp x29, x30, [sp, #-160]!
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x16, x0
  mov x0, x1
  mov x1, x2
  mov x2, x3
  .irp i, 8, 9, 10, 11, 12, 13, 14, 15
  mov x9, #0x100 + \i
  fmov d\i, x9
  .endr
  .irp i, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
  mov x\i, #0x200 + \i
  .endr
  blr x16
  mov x0, #0
  .irp i, 8, 9, 10, 11, 12, 13, 14, 15
  fmov x9, d\i
  cmp x9, #0x100 + \i
  cset x9, ne
  orr x0, x0, x9, lsl #32 + \i
  .endr
  .irp i, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
  cmp x\i, #0x200 + \i
  cset x9, ne
  orr x0, x0, x9, lsl #\i
  .endr
  ldp d14, d15, [sp, #144]
  ldp d12, d13, [sp, #128]
  ldp d10, d11, [sp, #112]
  ldp d8, d9, [sp, #96]
  ldp x27, x28, [sp, #80]
  ldp x25, x26, [sp, #64]
  ldp x23, x24, [sp, #48]
  ldp x21, x22, [sp, #32]
  ldp x19, x20, [sp, #16]
  ldp x29, x30, [sp], #160
  ret
.size jithash_test_call_watched, . - jithash_test_call_watched
.section .note.GNU-stack,"",%progbits
.text
)");

#elif defined(__arm__)

#if defined(__ARM_FP)
#define JITHASH_TEST_D(text) text
#else
#define JITHASH_TEST_D(text) ""
#endif

// r4 to r11 and, where there are any, d8 to d15.
__asm__(R"(
.text
.arm
.balign 4
.globl jithash_test_call_watched
.type jithash_test_call_watched, %function
jithash_test_call_watched:
  push {r4-r11, lr}
  sub sp, sp, #4
  mov r12, r0
  mov r0, r1
  mov r1, r2
  mov r2, r3
)" JITHASH_TEST_D(R"(
  vpush {d8-d15}
  .irp i, 8, 9, 10, 11, 12, 13, 14, 15
  mov r3, #0x80 + \i
  vmov d\i, r3, r3
  .endr
)") R"(
  .irp i, 4, 5, 6, 7, 8, 9, 10, 11
  mov r\i, #0xc0 + \i
  .endr
  blx r12
  mov r0, #0
  mov r1, #0
  .irp i, 4, 5, 6, 7, 8, 9, 10, 11
  cmp r\i, #0xc0 + \i
  orrne r0, r0, #1 << \i
  .endr
)" JITHASH_TEST_D(R"(
  .irp i, 8, 9, 10, 11, 12, 13, 14, 15
  vmov r2, r3, d\i
  cmp r2, #0x80 + \i
  cmpeq r3, #0x80 + \i
  orrne r1, r1, #1 << \i
  .endr
  vpop {d8-d15}
)") R"(
  add sp, sp, #4
  pop {r4-r11, pc}
.size jithash_test_call_watched, . - jithash_test_call_watched
.section .note.GNU-stack,"",%progbits
.text
)");

#endif

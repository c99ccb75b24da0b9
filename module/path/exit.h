/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_EXIT_H
#define AFP_PATH_EXIT_H

#include <linux/types.h>

#include "audit_fastpath/names.h"
#include "audit_fastpath/policy.h"
#include "kernel/direct.h"

struct audit_context;

int afp_exit_arm(enum afp_level level, bool check, enum afp_backend backend,
		 bool again, const char **refused);
enum afp_backend afp_exit_backend(void);
void afp_exit_disarm(void);
enum afp_answer afp_exit_answer(const struct audit_context *ctx,
				const struct afp_policy *policy, int success,
				long code, bool moved, u32 *pair);

/* The trampolines in path/exit_x86.S, and what they call. */
void afp_tramp_5_10(void);
void afp_tramp_5_10_check(void);
void afp_tramp_6_1(void);
void afp_tramp_6_1_check(void);
void afp_tramp_6_1_quick(void);
void afp_tramp_7_2(void);
void afp_tramp_7_2_check(void);
void afp_tramp_7_2_quick(void);
void afp_tramp_any(void);
void afp_tramp_any_check(void);
unsigned long afp_by_name afp_direct_5_10(int success, long code);
unsigned long afp_by_name afp_direct_5_10_check(int success, long code);
unsigned long afp_by_name afp_direct_6_1(int success, long code);
unsigned long afp_by_name afp_direct_6_1_check(int success, long code);
unsigned long afp_by_name afp_direct_7_2(int success, long code);
unsigned long afp_by_name afp_direct_7_2_check(int success, long code);
unsigned long afp_by_name afp_direct_any(int success, long code);
unsigned long afp_by_name afp_direct_any_check(int success, long code);

#endif /* AFP_PATH_EXIT_H */

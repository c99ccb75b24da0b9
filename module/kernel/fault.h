/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What goes wrong on demand: for tests, in debug builds. In others nothing of
 * it is there.
 */
#ifndef AFP_KERNEL_FAULT_H
#define AFP_KERNEL_FAULT_H

#include <linux/types.h>

#ifdef AFP_DEBUG
bool afp_fault(const char *what, const char *of);
void afp_fault_ftrace(void);
const void *afp_fault_btf(const void *data, size_t *size);
void afp_fault_btf_end(const void *data);
#else
static inline bool afp_fault(const char *what, const char *of)
{
	return false;
}

static inline void afp_fault_ftrace(void)
{
}

static inline const void *afp_fault_btf(const void *data, size_t *size)
{
	return data;
}

static inline void afp_fault_btf_end(const void *data)
{
}
#endif

#endif /* AFP_KERNEL_FAULT_H */

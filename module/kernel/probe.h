/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_PROBE_H
#define AFP_KERNEL_PROBE_H

#include <linux/types.h>

int afp_kernel_probe(char *reason, size_t size);

#endif /* AFP_KERNEL_PROBE_H */

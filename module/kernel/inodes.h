/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_INODES_H
#define AFP_KERNEL_INODES_H

#include <linux/types.h>

struct audit_context;

bool afp_inodes_watched(const struct audit_context *ctx, u32 nr);

#endif /* AFP_KERNEL_INODES_H */

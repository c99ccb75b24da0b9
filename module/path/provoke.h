/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is rare or must never happen, on demand: for tests, in debug builds.
 */
#ifndef AFP_PATH_PROVOKE_H
#define AFP_PATH_PROVOKE_H

#include <linux/types.h>

#ifdef AFP_DEBUG
bool afp_provoke_blind(u32 nr);
bool afp_provoke_blind_early(u32 nr, u32 *pair);
void afp_provoke_check(u32 nr);
unsigned long afp_provoke_late(void);
#else
/* Is every decision about this number to be wrong? */
static inline bool afp_provoke_blind(u32 nr)
{
	return false;
}

/* Is every early decision about this native number to be wrong? */
static inline bool afp_provoke_blind_early(u32 nr, u32 *pair)
{
	return false;
}

/* A call of this number has been decided, and is about to be filtered. */
static inline void afp_provoke_check(u32 nr)
{
}

/* How long what was kicked is to wait, in jiffies. */
static inline unsigned long afp_provoke_late(void)
{
	return 0;
}
#endif

#endif /* AFP_PATH_PROVOKE_H */

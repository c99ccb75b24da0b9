// SPDX-License-Identifier: GPL-2.0-only
/*
 * /sys/kernel/debug/audit_fastpath/syscalls: the counters of each system call.
 * Described in docs/ABI/debug/syscalls.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/seq_file.h>

#include "kernel/fault.h"
#include "observe/counters.h"
#include "observe/debugfs.h"

static struct dentry *afp_debugfs_dir;

/* One line, for a call that was seen. */
static void afp_show_call(struct seq_file *seq, const char *abi, int nr,
			  u32 pair)
{
	u64 skipped = afp_counted_call(AFP_SKIP, pair);
	u64 walked = 0, count, most = 0;
	int answer, reason = AFP_SKIP;

	for (answer = AFP_SKIP + 1; answer < AFP_ANSWERS; answer++) {
		count = afp_counted_call(answer, pair);
		walked += count;
		if (count > most) {
			most = count;
			reason = answer;
		}
	}
	if (skipped + walked)
		seq_printf(seq, "%s\t%d\t%llu\t%llu\t%llu\t%s\n", abi, nr,
			   skipped + walked, skipped, walked,
			   afp_walk_name(reason));
}

static int afp_syscalls_show(struct seq_file *seq, void *unused)
{
	static const char * const abis[AFP_ABIS] = {
		[AFP_ABI_NATIVE] = "native",
		[AFP_ABI_COMPAT] = "compat",
	};
	u32 pair;

	seq_puts(seq, "abi\tnr\tseen\tskipped\twalked\treason\n");
	for (pair = 0; pair < AFP_PAIRS; pair++)
		afp_show_call(seq, abis[pair / AFP_NR_MAX], pair % AFP_NR_MAX,
			      pair);
	afp_show_call(seq, "other", -1, AFP_PAIR_NONE);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(afp_syscalls);

/**
 * afp_debugfs_init - create /sys/kernel/debug/audit_fastpath
 *
 * Without debugfs, or when it is locked down, there are no files and nothing
 * else is missing.
 *
 * Context: process context, sleeps.
 *
 * Return: 0.
 */
int afp_debugfs_init(void)
{
	afp_debugfs_dir = afp_fault("directory in", "debugfs") ?
			  ERR_PTR(-EIO) :
			  debugfs_create_dir("audit_fastpath", NULL);
	debugfs_create_file("syscalls", 0400, afp_debugfs_dir, NULL,
			    &afp_syscalls_fops);
	return 0;
}

/**
 * afp_debugfs_exit - remove it again
 *
 * Context: process context, sleeps until no file is being read.
 */
void afp_debugfs_exit(void)
{
	debugfs_remove_recursive(afp_debugfs_dir);
}

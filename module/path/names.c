// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names: __audit_inode_child() without a walk over what it passes by.
 *
 * The kernel walks the context's list of names for a parent and for a child,
 * and passes by each entry that has no name. A call that makes thousands of
 * files inside of the kernel adds two such entries for each: that is quadratic.
 * Here they are taken out of the list while the kernel's own function runs, a
 * run of neighbours at a time, and put back where they were. What it adds
 * meanwhile comes last, as it would have.
 *
 * An entry without a name never gets one, entries are only added at the end,
 * and all of them go together when the call ends: a run that was found once
 * stays one. So its first two entries hold where it ends, in their name_len,
 * which means nothing where there is no name: the kernel sets it to 0 or to -1
 * there, and reads it nowhere. No state is kept elsewhere, so none is to be
 * forgotten.
 *
 * Runs at the entry of __audit_inode_child(), in the task whose context it is.
 * Nobody else reads or writes that list. The kernel's function may sleep (it
 * reads an extended attribute), so a frame of ours holds the module.
 */
#include <linux/audit.h>
#include <linux/list.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "kernel/direct.h"
#include "kernel/hook.h"
#include "kernel/layout.h"
#include "observe/counters.h"
#include "observe/holders.h"
#include "path/names.h"

#ifdef AFP_DEBUG
static unsigned int afp_names_few = 64;
module_param_named(names_few, afp_names_few, uint, 0600);
MODULE_PARM_DESC(names_few, "calls of more names go through the frame, with or without names to take out (debug builds)");
#define AFP_NAMES_FEW		READ_ONCE(afp_names_few)
#define AFP_NAMES_ALWAYS	true
#else
#define AFP_NAMES_FEW		64	/* not worth a frame of ours */
#define AFP_NAMES_ALWAYS	false
#endif

/* What follows the last run. */
#define AFP_RUNS_END		((struct list_head *)1L)

/* Half of an address in a name_len: never 0, never negative. */
#define AFP_MARK	0x40000000U
#define AFP_MARK_BITS	30

/* Kernel addresses: the upper bits are all set, the lowest three are not. */
static u64 afp_mark_pack(const struct list_head *node)
{
	return ~(unsigned long)node >> 3;
}

static struct list_head *afp_mark_unpack(u64 packed)
{
	return (struct list_head *)~(unsigned long)(packed << 3 | 7);
}

/* Of a run that begins with @first, and is of at least two: it ends in @last. */
static void afp_run_mark(struct list_head *first, const struct list_head *last)
{
	u64 packed = afp_mark_pack(last);

	if (packed >> (2 * AFP_MARK_BITS))
		return;
	afp_name_len_set(first, AFP_MARK | (packed & (AFP_MARK - 1)));
	afp_name_len_set(first->next, AFP_MARK | packed >> AFP_MARK_BITS);
}

/* Where the run that begins with @first ended when it was marked, or @first. */
static struct list_head *afp_run_marked(struct list_head *first,
					const struct list_head *head)
{
	const struct list_head *second = first->next;
	u32 low, high;

	if (second == head || afp_name_has(second))
		return first;
	/* The kernel may have written -1 over one of them. */
	low = afp_name_len(first);
	high = afp_name_len(second);
	if ((low & ~(AFP_MARK - 1)) != AFP_MARK ||
	    (high & ~(AFP_MARK - 1)) != AFP_MARK)
		return first;
	return afp_mark_unpack((u64)(high & (AFP_MARK - 1)) << AFP_MARK_BITS |
			       (low & (AFP_MARK - 1)));
}

/* The last entry of the run that begins with @first. Marks it. */
static struct list_head *afp_run_end(struct list_head *first,
				     const struct list_head *head)
{
	struct list_head *marked = afp_run_marked(first, head);
	struct list_head *last = marked;

	while (last->next != head && !afp_name_has(last->next))
		last = last->next;
	if (last != marked)
		afp_run_mark(first, last);
	return last;
}

/*
 * Take the runs out. Each keeps in its first entry what was before it, which
 * stays in the list, and in its last one the next run.
 */
static struct list_head *afp_runs_cut(struct list_head *head)
{
	struct list_head *node = head->next, *runs, **link = &runs;

	while (node != head) {
		struct list_head *first = node, *last, *before, *after;

		if (afp_name_has(first)) {
			node = first->next;
			continue;
		}
		last = afp_run_end(first, head);
		before = first->prev;
		after = last->next;
		node = after;
		/* One alone has no room for where it ends. */
		if (last == first || afp_run_marked(first, head) != last)
			continue;
		before->next = after;
		after->prev = before;
		*link = first;
		link = &last->next;
	}
	*link = AFP_RUNS_END;
	return runs;
}

/* Put them back. */
static void afp_runs_join(struct list_head *runs)
{
	while (runs != AFP_RUNS_END) {
		struct list_head *first = runs;
		/* Not at the head: that is what stands in for the list's. */
		struct list_head *last = afp_run_marked(first, NULL);
		struct list_head *before = first->prev;
		struct list_head *after = before->next;

		runs = last->next;
		last->next = after;
		after->prev = last;
		before->next = first;
	}
}

/*
 * Before __audit_inode_child(), called by the trampoline at its entry. Returns
 * NULL, or what afp_names_after() has to be handed. Does not sleep.
 */
struct list_head *afp_by_name afp_names_before(void)
{
	struct audit_context *ctx = current->audit_context;
	struct list_head *runs;

	if (!ctx || likely(afp_context_u32(ctx, afp_layout.name_count) <=
			   AFP_NAMES_FEW))
		return NULL;
	this_cpu_inc(afp_names_seen);
	/* Not while it is being unloaded: the kernel goes alone then. */
	if (!afp_hold())
		return NULL;
	runs = afp_runs_cut((void *)afp_context_list(ctx,
						     afp_layout.names_list));
	if (runs != AFP_RUNS_END) {
		this_cpu_inc(afp_names_spliced);
	} else if (!AFP_NAMES_ALWAYS) {
		afp_release();
		return NULL;
	}
	return runs;
}

/*
 * After it. @runs: what afp_names_before() returned, not NULL.
 *
 * Between the reference that is put here and the return from the trampoline
 * the module's code still runs: afp_names_exit() waits for that.
 */
void afp_by_name afp_names_after(struct list_head *runs)
{
	afp_runs_join(runs);
	afp_release();
}

static struct afp_target afp_names_target = { "__audit_inode_child" };

static struct afp_direct afp_names_direct = {
	.target = &afp_names_target,
};

static bool afp_names_refused;	/* said so already */

/**
 * afp_names_arm - hook __audit_inode_child(), where that can be done
 * @again: if it was refused, try again
 *
 * If not, that is said in the log, once, and all stays with the kernel.
 *
 * Context: process context, sleeps. After the layout was proved.
 */
void afp_names_arm(bool again)
{
	int err = -EOPNOTSUPP;

	if (afp_names_direct.installed || (afp_names_refused && !again))
		return;
#if AFP_DIRECT
	if (afp_names_known()) {
		afp_names_direct.trampoline = (unsigned long)afp_tramp_names;
		err = afp_direct_install(&afp_names_direct);
	}
#endif
	if (err && !afp_names_refused)
		pr_info("audit_fastpath: names: %s is left alone (error %d)%s\n",
			afp_names_target.name, err,
			err == -EBUSY ? ": another has a direct call there" :
			"");
	afp_names_refused = err;
}

/**
 * afp_names_disarm - leave it to the kernel again
 *
 * Tasks that sleep in the kernel's function come back through a frame of ours
 * later; they are not waited for, but named in the log.
 *
 * Context: process context, sleeps.
 */
void afp_names_disarm(void)
{
	if (!afp_names_direct.installed)
		return;
	afp_direct_remove(&afp_names_direct);
	afp_holders_say(afp_names_target.name);
}

/**
 * afp_names_exit - wait until no task is on its way out of a frame of ours
 *
 * Context: process context, sleeps. The module has no reference any more.
 */
void afp_names_exit(void)
{
	afp_direct_drain();
}

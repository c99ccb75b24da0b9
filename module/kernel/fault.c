// SPDX-License-Identifier: GPL-2.0-only
/*
 * What goes wrong on demand: for tests, in debug builds.
 *
 * Whatever may fail asks here first and is a step, by the order in which it
 * comes. A test makes one after the other fail, until it finds that none did:
 * so no step is forgotten, and one that is new is tested from the first day.
 */
#include <uapi/linux/btf.h>
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>

#include "kernel/btf.h"
#include "kernel/fault.h"
#include "kernel/symbols.h"

static int afp_fail_step;
static atomic_t afp_steps_done;
static char afp_failed[80] = "none";

static int afp_fail_step_set(const char *val, const struct kernel_param *kp)
{
	int step, err = kstrtoint(val, 0, &step);

	if (err)
		return err;
	strscpy(afp_failed, "none", sizeof(afp_failed));
	atomic_set(&afp_steps_done, 0);
	/* Who counts a step from here on sees the count begun anew. */
	smp_store_release(&afp_fail_step, step);
	return 0;
}

static int afp_fail_step_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%d\n", afp_fail_step);
}

static const struct kernel_param_ops afp_fail_step_ops = {
	.set = afp_fail_step_set,
	.get = afp_fail_step_get,
};
module_param_cb(fail_step, &afp_fail_step_ops, NULL, 0600);
MODULE_PARM_DESC(fail_step, "make this step from now on fail, 1 is the next (debug builds)");
module_param_string(failed_step, afp_failed, sizeof(afp_failed), 0400);
MODULE_PARM_DESC(failed_step, "which that was, none: there were not as many (debug builds)");

/**
 * afp_fault - is this step to fail?
 * @what: what is about to be done, and may fail
 * @of: to what
 *
 * Context: process context.
 */
bool afp_fault(const char *what, const char *of)
{
	int step = smp_load_acquire(&afp_fail_step);

	if (step <= 0 || atomic_inc_return(&afp_steps_done) != step)
		return false;
	scnprintf(afp_failed, sizeof(afp_failed), "%s %s", what, of);
	return true;
}

/* ftrace_kill(): what the kernel does when it finds a fault in ftrace. */
static void afp_kill_nothing(void)
{
}

DEFINE_STATIC_CALL(afp_ftrace_kill, afp_kill_nothing);
static bool afp_can_kill;
static bool afp_kill;

static int afp_kill_set(const char *val, const struct kernel_param *kp)
{
	int err = param_set_bool(val, kp);

	if (!err && afp_can_kill && afp_kill)
		static_call(afp_ftrace_kill)();
	return err;
}

static const struct kernel_param_ops afp_kill_ops = {
	.set = afp_kill_set,
	.get = param_get_bool,
};
module_param_cb(kill_ftrace, &afp_kill_ops, &afp_kill, 0600);
MODULE_PARM_DESC(kill_ftrace, "shut ftrace down for good, at load time before the first hook (debug builds)");

/**
 * afp_fault_ftrace - kill ftrace, if that is wanted
 *
 * Context: process context, sleeps. After afp_symbols_init().
 */
void afp_fault_ftrace(void)
{
	unsigned long kill = afp_symbol("ftrace_kill");

	if (!kill)
		return;
	static_call_update(afp_ftrace_kill, (typeof(afp_kill_nothing) *)kill);
	afp_can_kill = true;
	if (afp_kill)
		static_call(afp_ftrace_kill)();
}

static char afp_break_btf[16];
module_param_string(break_btf, afp_break_btf, sizeof(afp_break_btf), 0400);
MODULE_PARM_DESC(break_btf, "what is damaged in what is read of the kernel's BTF (debug builds)");

static bool afp_breaks(const char *what)
{
	return !strcmp(afp_break_btf, what);
}

/* What does not take the types. Return: whether it was that. */
static bool afp_break_head(struct afp_btf_header *h, size_t *size)
{
	if (afp_breaks("truncated"))
		*size /= 2;
	else if (afp_breaks("short"))
		*size = sizeof(*h) - 4;
	else if (afp_breaks("empty"))
		*size = 0;
	else if (afp_breaks("magic"))
		h->magic ^= 1;
	else if (afp_breaks("version"))
		h->version++;
	else if (afp_breaks("header"))
		h->hdr_len = ~0U;
	else if (afp_breaks("odd"))
		h->type_off += 2;
	else if (afp_breaks("types"))
		h->type_len -= 4;
	else if (afp_breaks("strings"))
		h->str_len = 0;
	else if (afp_breaks("open"))
		((char *)h)[h->hdr_len + h->str_off + h->str_len - 1] = 'x';
	else
		return false;
	return true;
}

static struct btf_type *afp_break_type(const struct afp_btf *btf, u32 id)
{
	return (void *)(btf->types + btf->at[id]);
}

static bool afp_break_is(const struct afp_btf *btf, u32 name, const char *is)
{
	return !strcmp(btf->strings + name, is);
}

/* Of struct audit_context, or of its member "major". */
static void afp_break_context(const struct afp_btf *btf)
{
	const u32 id = afp_btf_struct(btf, "audit_context");
	struct btf_type *t = afp_break_type(btf, id);
	struct btf_member *m = (void *)(t + 1), *major = m, *other = m;
	const u32 count = t->info & 0xffff;
	u32 i;

	for (i = 0; i < count; i++) {
		if (afp_break_is(btf, m[i].name_off, "major"))
			major = &m[i];
		if (afp_break_is(btf, m[i].name_off, "return_valid"))
			other = &m[i];
	}
	if (afp_breaks("kind"))
		t->info |= 0x1f000000;
	else if (afp_breaks("vlen"))
		t->info |= 0xffff;
	else if (afp_breaks("gone"))
		t->name_off = 0;
	else if (afp_breaks("twice"))
		afp_break_type(btf, afp_btf_struct(btf, "audit_names"))
			->name_off = t->name_off;
	else if (afp_breaks("size"))
		t->size = 8;
	else if (afp_breaks("type"))
		major->type = id;
	else if (afp_breaks("beyond"))
		major->offset = 0xfffff8;
	else if (afp_breaks("bits"))
		major->offset |= 1;
	else if (afp_breaks("pointer"))
		major->type = ~0U;
	else if (afp_breaks("name"))
		major->name_off = ~0U;
	else if (afp_breaks("swapped"))
		swap(major->offset, other->offset);
	else if (afp_breaks("cyclic"))
		/* Unnamed members of its own type, all of them. */
		for (i = 0; i < count; i++) {
			m[i].name_off = 0;
			m[i].type = id;
			m[i].offset &= 0xfffff8;
		}
}

/* Types that consist of themselves. */
static void afp_break_loop(const struct afp_btf *btf)
{
	u32 id;

	for (id = 1; id < btf->count; id++) {
		struct btf_type *t = afp_break_type(btf, id);
		struct btf_array *array = (void *)(t + 1);

		switch ((t->info >> 24) & 0x1f) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_CONST:
		case BTF_KIND_VOLATILE:
			t->type = id;
			break;
		case BTF_KIND_ARRAY:
			array->type = id;
			break;
		}
	}
}

/**
 * afp_fault_btf - the kernel's BTF, or a damaged copy if that is wanted
 * @data: the kernel's
 * @size: its size, changed to that of the copy
 *
 * Context: process context, sleeps.
 *
 * Return: what afp_fault_btf_end() takes; @data too if there is no memory.
 */
const void *afp_fault_btf(const void *data, size_t *size)
{
	struct afp_btf btf;
	void *copy;

	if (!afp_break_btf[0])
		return data;
	copy = vmalloc(*size);
	if (!copy)
		return data;
	memcpy(copy, data, *size);
	if (afp_break_head(copy, size) || afp_btf_open(&btf, copy, *size))
		return copy;
	if (afp_breaks("loop"))
		afp_break_loop(&btf);
	else
		afp_break_context(&btf);
	afp_btf_close(&btf);
	return copy;
}

/**
 * afp_fault_btf_end - free what afp_fault_btf() returned
 * @data: that
 *
 * Context: process context, sleeps.
 */
void afp_fault_btf_end(const void *data)
{
	if (data != afp_symbols.btf)
		vfree(data);
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find what the kernel does not export.
 *
 * kallsyms_lookup_name() itself is found with a kprobe and called through a
 * static call: a direct branch that is patched in. Called by pointer it would
 * die on IBT hardware, where the kernel has sealed its ENDBR (6.12 and newer);
 * for the same reason nothing that is found here is ever called by pointer.
 */
#include <linux/kprobes.h>
#include <linux/static_call.h>

#include "kernel/compat.h"
#include "kernel/fault.h"
#include "kernel/symbols.h"

struct afp_symbols afp_symbols __read_mostly;

static unsigned long afp_lookup_nothing(const char *name)
{
	return 0;
}

DEFINE_STATIC_CALL(afp_lookup, afp_lookup_nothing);

/**
 * afp_symbol - the address of a kernel symbol
 * @name: its name
 *
 * Context: process context, may take a while. After afp_symbols_init().
 *
 * Return: the address, 0 if there is no such symbol. Never call it.
 */
unsigned long afp_symbol(const char *name)
{
	return afp_fault("symbol", name) ? 0 : static_call(afp_lookup)(name);
}

/**
 * afp_symbols_init - find every symbol that afp_symbols names
 * @missing: set to the name of the first that is not there
 *
 * Context: process context, sleeps.
 *
 * Return: 0, -ENOENT if a symbol is missing, or what register_kprobe() says
 * if there is no way to look symbols up.
 */
int __init afp_symbols_init(const char **missing)
{
	/*
	 * Only looked up, never armed: text need not be changed for that, and
	 * disarming can fail for lack of memory. The kernel would go on to use
	 * what was on this stack then.
	 */
	struct kprobe kp = {
		.symbol_name = "kallsyms_lookup_name",
		.flags = KPROBE_FLAG_DISABLED,
	};
	struct {
		const char *name;
		void *where;
	} const wanted[] = {
		{ "audit_filter_list", &afp_symbols.filter_list },
		{ "audit_inode_hash", &afp_symbols.inode_hash },
		{ "audit_filter_mutex", &afp_symbols.filter_mutex },
		{ "audit_n_rules", &afp_symbols.n_rules },
		{ "__start_BTF", &afp_symbols.btf },
	};
	int i, err;

	*missing = kp.symbol_name;
	err = afp_fault("kprobe at", *missing) ? -EIO : register_kprobe(&kp);
	if (err)
		return err;
	/*
	 * With IBT the address is that of the instruction after ENDBR, which
	 * is as good a place to branch to.
	 */
	static_call_update(afp_lookup, (typeof(afp_lookup_nothing) *)kp.addr);
	unregister_kprobe(&kp);

	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		unsigned long addr = afp_symbol(wanted[i].name);

		*missing = wanted[i].name;
		if (!addr)
			return -ENOENT;
		*(unsigned long *)wanted[i].where = addr;
	}
	*missing = "__stop_BTF";
	afp_symbols.btf_size = afp_symbol("__stop_BTF");
	if (afp_symbols.btf_size <= (unsigned long)afp_symbols.btf)
		return -ENOENT;
	afp_symbols.btf_size -= (unsigned long)afp_symbols.btf;

	/* Without it only the other count is repaired. */
	afp_symbols.signals = (void *)afp_symbol("audit_signals");
	/* Without it calls are begun by the kernel's own function. */
	afp_symbols.auditd_conn = (void *)afp_symbol("auditd_conn");
	if (AFP_REDIRECTS)
		afp_symbols.reset_context = afp_symbol("audit_reset_context");
	*missing = NULL;
	return 0;
}

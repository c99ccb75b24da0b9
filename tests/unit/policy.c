// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of the policy engine: each field, operator and boundary against
 * the reference, the limits, and random rule lists.
 *
 * policy [-x] [SECONDS [SEED]]: time for random rule lists, 10 by default,
 * and where to start. 0 SEED runs a single list: one that was reported.
 * -x stops at the first test that fails.
 *
 * Sound means: where the reference records, the engine walks. Exact means
 * also: where it does not, the engine skips.
 */
#include <linux/audit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "classes.h"
#include "generate.h"

#define COUNT(table)	(sizeof(table) / sizeof((table)[0]))
#define GETPID		39

static struct ref_rule rules[AFP_RULES_MAX + 1];
static __u32 rule_count;
static struct afp_classes x86;		/* of the newest kernel */
static struct engine engine;
static double random_seconds = 10;
static __u64 random_seed;

/* Errors of the current test, and calls that it looked at. */
static struct {
	__u32 errors;
	__u32 calls;
	__u32 records;
	__u32 skips;
} now;

static const __u32 edges[] = {
	0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
};

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static int expect(int good, const struct ref_call *call, const char *wrong)
{
	if (good)
		return 1;
	if (now.errors++ < 3) {
		printf("# %s\n", wrong);
		if (call)
			scenario_print(engine.rules, engine.count, call);
	}
	return 0;
}

static __u64 noise;

/* xorshift64* */
static __u32 noisy(void)
{
	noise ^= noise >> 12;
	noise ^= noise << 25;
	noise ^= noise >> 27;
	return noise * 2685821657736338717ULL >> 32;
}

/* --- rules --- */

static void clear(void)
{
	rule_count = 0;
}

/* A rule for every number, without a condition. */
static struct ref_rule *add(void)
{
	struct ref_rule *rule = &rules[rule_count];

	rule->field_count = 0;
	rule->place = AFP_PLACE_EXIT;
	rule->always = 1;
	memset(rule->mask, 0xff, sizeof(rule->mask));
	rule->prio = REF_PRIO - rule_count++;
	rule->bucket = 0;
	rule->tree = 0;
	rule->watch_ino = REF_INO_UNSET;
	rule->watch_dev = 0;
	return rule;
}

static struct ref_rule *where(struct ref_rule *rule, __u32 type, __u32 op,
			      __u32 val)
{
	rule->fields[rule->field_count++] = (struct afp_field){
		.type = type,
		.op = op,
		.val = val,
	};
	return rule;
}

static void only(struct ref_rule *rule, __u32 nr)
{
	memset(rule->mask, 0, sizeof(rule->mask));
	rule->mask[nr / 32] = 1u << nr % 32;
}

static void build_for(const struct afp_classes *classes)
{
	const char *wrong = engine_build(&engine, rules, rule_count, classes);

	expect(!wrong, NULL, wrong);
	if (!engine.policy) {
		printf("Bail out! cannot compile: %s\n", wrong);
		exit(1);
	}
}

static void build(void)
{
	build_for(&x86);
}

static void noisy_mask(struct ref_rule *rule)
{
	for (__u32 i = 0; i < AFP_MASK_WORDS; i++)
		rule->mask[i] = noisy();
}

/* Compile a list of one rule with one condition, for getpid: this is fast. */
static const struct afp_field *build_one(__u32 type, __u32 op, __u32 val)
{
	clear();
	only(where(add(), type, op, val), GETPID);
	build();
	return &rules[0].fields[0];
}

/* --- calls --- */

static struct ref_call base_call(void)
{
	return (struct ref_call){
		.arch = AUDIT_ARCH_X86_64,
		.nr = GETPID,
		.success = 1,
		.pid = 4000,
		.ppid = 3999,
		.uid = 1000, .euid = 1000, .suid = 1000, .fsuid = 1000,
		.gid = 100, .egid = 100, .sgid = 100, .fsgid = 100,
		.auid = 1000,
		.sessionid = 2,
		.exe = 1,
	};
}

static void sound(const struct ref_call *call)
{
	const char *wrong = engine_check(&engine, call);

	now.calls++;
	now.records += engine.record;
	now.skips += engine.answer == AFP_SKIP;
	expect(!wrong, call, wrong);
}

static void exact(const struct ref_call *call)
{
	sound(call);
	expect(engine.record || engine.answer == AFP_SKIP, call,
	       "not exact: walks, and no record is possible");
}

static void exact_if(int condition, const struct ref_call *call)
{
	if (condition)
		exact(call);
	else
		sound(call);
}

static void walks(const struct ref_call *call)
{
	sound(call);
	expect(engine.answer != AFP_SKIP, call, "skips what it cannot know");
}

static void skips(const struct ref_call *call)
{
	sound(call);
	expect(engine.answer == AFP_SKIP, call, "walks");
}

/* --- tests --- */

static const __u32 arches[] = {
	AUDIT_ARCH_X86_64, AUDIT_ARCH_I386, AUDIT_ARCH_AARCH64, 0, ~0u,
};

static void test_numbers_of_kernel(void)
{
	static const struct {
		__u32 ours, kernel;
	} same[] = {
		{ AFP_MASK_WORDS, AUDIT_BITMASK_SIZE },
		{ AFP_FIELDS_MAX, AUDIT_MAX_FIELDS },
		{ AFP_OPS, Audit_bad },
		{ AFP_OP_EQ, Audit_equal },
		{ AFP_OP_NE, Audit_not_equal },
		{ AFP_OP_MASK, Audit_bitmask },
		{ AFP_OP_TEST, Audit_bittest },
		{ AFP_OP_LT, Audit_lt },
		{ AFP_OP_GT, Audit_gt },
		{ AFP_OP_LE, Audit_le },
		{ AFP_OP_GE, Audit_ge },
		{ AFP_PERM_EXEC, AUDIT_PERM_EXEC },
		{ AFP_PERM_WRITE, AUDIT_PERM_WRITE },
		{ AFP_PERM_READ, AUDIT_PERM_READ },
		{ AFP_PERM_ATTR, AUDIT_PERM_ATTR },
		{ AFP_F_LOGINUID, AUDIT_LOGINUID },
		{ AFP_F_SADDR_FAM, AUDIT_SADDR_FAM },
		{ AFP_F_FILTERKEY, AUDIT_FILTERKEY },
	};

	for (__u32 i = 0; i < COUNT(same); i++)
		expect(same[i].ours == same[i].kernel, NULL,
		       "a number in policy.h is not the kernel's");
}

static void test_no_rules(void)
{
	struct ref_call call = base_call();

	clear();
	build();
	expect(!engine.policy->limited, NULL, "limited");
	for (__u32 i = 0; i < COUNT(arches); i++)
		for (call.nr = -2; call.nr < AFP_NR_MAX + 40; call.nr++) {
			call.arch = arches[i];
			exact_if(i < AFP_ABIS && (__u32)call.nr < AFP_NR_MAX,
				 &call);
		}
}

static void test_no_fields(void)
{
	struct ref_call call = base_call();

	clear();
	add();
	build();
	for (__u32 abi = 0; abi < AFP_ABIS; abi++)
		for (call.nr = 0; call.nr < AFP_NR_MAX; call.nr++) {
			call.arch = arches[abi];
			walks(&call);
		}
}

static void test_mask(void)
{
	struct ref_call call = base_call();

	for (__u32 nr = 0; nr < AFP_NR_MAX; nr++) {
		const __s32 tries[] = {
			nr, nr + 1, nr - 1, nr ^ 32, nr ^ 1024,
			nr | 0x40000000, nr + 2048, nr - 2048, nr | 0x80000000,
			nr + 65536,
		};

		clear();
		only(add(), nr);
		build();
		for (__u32 i = 0; i < COUNT(tries); i++)
			for (__u32 abi = 0; abi < AFP_ABIS; abi++) {
				call.arch = arches[abi];
				call.nr = tries[i];
				exact_if((__u32)call.nr < AFP_NR_MAX, &call);
			}
	}
}

static void try_value(__u32 type, __u32 op, __u32 val)
{
	const struct afp_field *f = build_one(type, op, val);
	struct ref_call call;

	for (__u32 i = 0; i < COUNT(edges); i++)
		for (int more = -1; more <= 1; more++) {
			call = base_call();
			call_set(&call, type, edges[i] + more);
			exact_if(ref_loadable(f), &call);
		}
}

static void test_values(void)
{
	static const __u32 types[] = {
		AUDIT_PID, AUDIT_UID, AUDIT_EUID, AUDIT_SUID, AUDIT_FSUID,
		AUDIT_GID, AUDIT_EGID, AUDIT_SGID, AUDIT_FSGID,
		AUDIT_LOGINUID, AUDIT_LOGINUID_SET, AUDIT_SESSIONID,
		AUDIT_PERS, AUDIT_EXIT, AUDIT_SUCCESS, AUDIT_ARG0, AUDIT_ARG1,
		AUDIT_ARG2, AUDIT_ARG3,
	};

	for (__u32 t = 0; t < COUNT(types); t++)
		for (__u32 op = 0; op < AFP_OPS; op++)
			for (__u32 v = 0; v < COUNT(edges); v++)
				try_value(types[t], op, edges[v]);
}

/* The audit user id, and whether there is one: two conditions in a rule. */
static void test_auid(void)
{
	static const struct afp_field fields[] = {
		{ AUDIT_LOGINUID, AFP_OP_EQ, 1000 },
		{ AUDIT_LOGINUID, AFP_OP_NE, 1000 },
		{ AUDIT_LOGINUID, AFP_OP_GE, 1000 },
		{ AUDIT_LOGINUID, AFP_OP_LT, 1000 },
		{ AUDIT_LOGINUID, AFP_OP_GT, 0xfffffffe },
		{ AUDIT_LOGINUID, AFP_OP_LE, 0xfffffffe },
		{ AUDIT_LOGINUID_SET, AFP_OP_EQ, 0 },
		{ AUDIT_LOGINUID_SET, AFP_OP_EQ, 1 },
		{ AUDIT_LOGINUID_SET, AFP_OP_NE, 0 },
		{ AUDIT_LOGINUID_SET, AFP_OP_NE, 1 },
		{ AUDIT_FIELD_COMPARE, AFP_OP_EQ, AUDIT_COMPARE_UID_TO_AUID },
	};
	static const __u32 auids[] = { 0, 999, 1000, 1001, 0xfffffffe, ~0u };
	struct ref_call call = base_call();

	for (__u32 i = 0; i < COUNT(fields) * COUNT(fields); i++) {
		clear();
		add();
		rules[0].fields[0] = fields[i % COUNT(fields)];
		rules[0].fields[1] = fields[i / COUNT(fields)];
		rules[0].field_count = 2;
		build();
		for (__u32 j = 0; j < COUNT(auids); j++) {
			call.auid = auids[j];
			call.uid = 1000;
			exact(&call);
			call.uid = ~0u;
			exact(&call);
		}
	}
}

/* Arguments are compared by their lower half, and so is the result. */
static void test_upper_halves(void)
{
	for (__u32 op = 0; op < AFP_OPS; op++) {
		struct ref_call call = base_call();
		const struct afp_field *f = build_one(AUDIT_EXIT, op, 5);

		for (call.code = 4; call.code <= 6; call.code++)
			exact_if(ref_loadable(f), &call);
		for (call.code = 1L << 32 | 4; call.code <= (1L << 32 | 6);
		     call.code++)
			exact_if(ref_loadable(f), &call);
		for (__u32 i = 0; i < 4; i++) {
			build_one(AUDIT_ARG0 + i, op, 5);
			call = base_call();
			for (__u64 arg = 4; arg <= 6; arg++) {
				call.arg[i] = arg | 0xffff800000000000ULL;
				exact(&call);
			}
		}
	}
}

static void try_code(__u32 op, long code)
{
	const struct afp_field *f = build_one(AUDIT_EXIT, op, code);
	struct ref_call call = base_call();

	for (call.code = -520; call.code <= -509; call.code++)
		exact_if(ref_loadable(f), &call);
	for (call.code = -6; call.code <= 1; call.code++)
		exact_if(ref_loadable(f), &call);
}

static void try_success(__u32 op, __u32 val)
{
	const struct afp_field *f = build_one(AUDIT_SUCCESS, op, val);
	struct ref_call call = base_call();

	for (call.success = 0; call.success < 2; call.success++)
		exact_if(ref_loadable(f), &call);
}

static void test_result(void)
{
	for (long code = -600; code <= 0; code++)
		expect(afp_return_fixup(code) ==
		       (code == -512 || code == -513 || code == -514 ||
			code == -516 ? -4 : code), NULL, "afp_return_fixup()");
	for (__u32 op = 0; op < AFP_OPS; op++) {
		for (long code = -520; code <= -509; code++)
			try_code(op, code);
		try_code(op, -4);
		for (__u32 val = 0; val < 4; val++)
			try_success(op, val);
	}
}

/*
 * Of @n supplementary groups the one at @at is @gid, or none if @at is @n;
 * the others are side by side with it.
 */
static void try_groups(__u32 type, __u32 gid, __u32 n, __u32 at)
{
	struct ref_call call = base_call();
	int loadable = ref_loadable(&rules[0].fields[0]);

	if (gid < at || ~0u - gid < n - at)
		return;
	call.group_count = n;
	for (__u32 i = 0; i < n; i++)
		call.groups[i] = gid - at + i;
	call_set(&call, type, gid);
	exact_if(loadable, &call);
	call_set(&call, type, gid + 1);
	exact_if(loadable, &call);
}

static void test_groups(void)
{
	static const __u32 types[] = {
		AUDIT_GID, AUDIT_EGID, AUDIT_SGID, AUDIT_FSGID,
	};
	static const __u32 counts[] = { 0, 1, 2, 3, 4, 31, REF_GROUPS };
	__u32 t, op, v, n, at;

	for (t = 0; t < COUNT(types) * AFP_OPS * COUNT(edges); t++) {
		v = edges[t % COUNT(edges)];
		op = t / COUNT(edges) % AFP_OPS;
		build_one(types[t / COUNT(edges) / AFP_OPS], op, v);
		for (n = 0; n < COUNT(counts); n++)
			for (at = 0; at <= counts[n]; at++)
				try_groups(rules[0].fields[0].type, v,
					   counts[n], at);
	}
}

/* A kernel with one ABI, and one with two. */
static void try_arch(const struct afp_classes *classes, __u32 abis)
{
	struct ref_call call = base_call();

	build_for(classes);
	for (__u32 i = 0; i < COUNT(arches); i++) {
		call.arch = arches[i];
		exact_if(i < abis && ref_loadable(&rules[0].fields[0]), &call);
	}
}

static void test_arch(void)
{
	struct afp_classes lone = x86;
	__u32 op, a, b;

	lone.arch[AFP_ABI_COMPAT] = 0;
	for (op = 0; op < AFP_OPS; op++)
		for (a = 0; a < COUNT(arches); a++)
			for (b = 0; b <= COUNT(arches) * 2; b++) {
				clear();
				where(add(), AUDIT_ARCH, op, arches[a]);
				/* A second field: none, = or !=. */
				if (b)
					where(&rules[0], AUDIT_ARCH, b % 2,
					      arches[(b - 1) / 2]);
				try_arch(&x86, 2);
				try_arch(&lone, 1);
			}
}

/* Arguments that open, openat and socketcall are judged by. */
static void perm_args(struct ref_call *call, int certain)
{
	static const __u64 args[] = {
		0, 1, 2, 3, 4, 0x241, 0x80002, 0xfffffffc, 0x100000002,
		0x200000001, 0xffffffff00000003,
	};
	__u32 abi = call->arch != AUDIT_ARCH_X86_64;
	__u32 kind = engine.classes->kind[abi][call->nr];
	__u32 i;

	certain = certain && perm_exact(engine.classes, abi, call->nr);
	memset(call->arg, 0, sizeof(call->arg));
	switch (kind) {
	case AFP_KIND_OPEN:
	case AFP_KIND_OPENAT:
	case AFP_KIND_SOCKETCALL:
		for (i = 0; i < COUNT(args); i++) {
			/* The two others would be wrong to look at. */
			call->arg[0] = args[(i + 1) % COUNT(args)];
			call->arg[1] = args[(i + 2) % COUNT(args)];
			call->arg[2] = args[(i + 3) % COUNT(args)];
			exact_if(certain, call);
		}
		break;
	case AFP_KIND_NUMBER:
	case AFP_KIND_EXEC:
		exact_if(certain, call);
		break;
	default:
		for (call->openat2 = 0; call->openat2 < 4; call->openat2++)
			sound(call);
		call->oracle = ~0;
		sound(call);
		call->oracle = 0;
		sound(call);
	}
}

static void perm_numbers(int certain)
{
	struct ref_call call = base_call();

	for (__u32 abi = 0; abi < AFP_ABIS; abi++)
		for (call.nr = 0; call.nr < 480; call.nr++) {
			call.arch = arches[abi];
			perm_args(&call, certain);
		}
}

static void test_perm(void)
{
	static const __u32 odd[] = { 16, 31, 32, 0xff, 0xfffffff0, ~0u };
	static struct afp_classes older[CLASSES_KERNELS - 1];
	struct afp_classes all = x86;
	const struct afp_field *f;
	__u32 op, val;

	/* Each kind with each class, on numbers side by side. */
	for (__u32 nr = 0; nr < AFP_NR_MAX; nr++)
		for (__u32 abi = 0; abi < AFP_ABIS; abi++) {
			all.kind[abi][nr] = (nr + abi) % (AFP_KINDS + 2);
			all.perm[abi][nr] = nr / 8 % 8 << 1;
		}
	for (__u32 kernel = 0; kernel < COUNT(older); kernel++)
		classes_fill(kernel, &older[kernel]);
	for (op = 0; op < AFP_OPS; op++)
		for (val = 0; val < 16 + COUNT(odd); val++) {
			clear();
			f = where(add(), AUDIT_PERM, op,
				  val < 16 ? val : odd[val - 16])->fields;
			build();
			perm_numbers(ref_loadable(f));
			build_for(&all);
			perm_numbers(ref_loadable(f));
			if (!ref_loadable(f))
				continue;
			for (__u32 i = 0; i < COUNT(older); i++) {
				build_for(&older[i]);
				perm_numbers(1);
			}
		}
}

static void test_perm_twice(void)
{
	static const __u32 vals[] = { 0, 1, 2, 4, 8, 6, 15 };
	__u32 a, b;

	for (a = 0; a < COUNT(vals) * 2; a++)
		for (b = 0; b < COUNT(vals) * 2; b++) {
			clear();
			where(add(), AUDIT_PERM, a % 2, vals[a / 2]);
			where(&rules[0], AUDIT_UID, AFP_OP_EQ, 1000);
			where(&rules[0], AUDIT_PERM, b % 2, vals[b / 2]);
			build();
			perm_numbers(1);
		}
}

/* The nth way in which rules with equal masks can differ, and a uid. */
static void vary_rule(__u32 n)
{
	struct ref_rule *rule = add();
	__u32 arch = n % 3, auid = n / 3 % 3, perm = n / 18;

	where(rule, AUDIT_UID, AFP_OP_EQ, n);
	if (arch)
		where(rule, AUDIT_ARCH, AFP_OP_EQ, arches[arch - 1]);
	if (auid)
		where(rule, AUDIT_LOGINUID_SET, AFP_OP_EQ, auid - 1);
	rule->place = n / 9 % 2;
	rule->bucket = 5;
	if (perm)
		where(rule, AUDIT_PERM, perm % 2, perm / 2);
}

/* Pairs of rules with a mask in common, the first with one limit more. */
static void try_pairs(__u32 limit)
{
	struct ref_call call = base_call();
	struct ref_rule *rule;
	__u32 n;

	clear();
	for (n = 0; n < 32; n++) {
		rule = where(add(), AUDIT_UID, AFP_OP_EQ, n);
		rule->bucket = 5;
		noisy_mask(rule);
		memset(rule->mask + 4, 0, sizeof(rule->mask) - 16);
		if (n % 2)
			memcpy(rule->mask, rule[-1].mask, sizeof(rule->mask));
		if (n % 2 == 0 && limit == 0)
			rule->place = AFP_PLACE_INODE;
		if (n % 2 == 0 && limit == 1)
			where(rule, AUDIT_LOGINUID_SET, AFP_OP_EQ, 1);
		if (n % 2 == 0 && limit == 2)
			where(rule, AUDIT_ARCH, AFP_OP_EQ, AUDIT_ARCH_X86_64);
		if (n % 2 == 0 && limit == 4)
			where(rule, AUDIT_PERM, AFP_OP_EQ, AUDIT_PERM_WRITE);
		/* Both about names, one of them about those in a bucket. */
		if (n % 2 == 0 && limit == 3)
			rule->place = AFP_PLACE_INODE;
		if (limit == 3)
			where(rule, AUDIT_OBJ_UID, AFP_OP_GE, 0);
	}
	build();
	call.name_count = limit == 3;
	call.names[0].ino = 6;
	for (n = 0; n < 32 * 2 * 2 * 8; n++) {
		call.uid = n % 32;
		call.auid = n / 32 % 2 ? 1000 : ~0u;
		call.arch = arches[n / 64 % 2];
		call.nr = n / 128 * 16;
		exact(&call);
	}
}

static void test_equal_but(void)
{
	static const __u16 numbers[] = { 2, 5, 11, 15, 39, 59, 82, 89, 102 };
	struct ref_call call = base_call();

	clear();
	for (__u32 n = 0; n < 18 * 32; n++)
		vary_rule(n);
	for (__u32 i = 0; i < 64; i++) {
		/* Other masks, so that these are not alone in their table. */
		where(add(), AUDIT_UID, AFP_OP_EQ, 10000);
		rules[rule_count - 1].mask[i] = 1;
	}
	build();
	for (__u32 i = 0; i < 18 * 32 * 8; i++) {
		call.uid = i / 8;
		call.arch = arches[i % 2];
		call.auid = i / 2 % 2 ? 1000 : ~0u;
		call.name_count = i / 4 % 2;
		call.names[0].ino = 5;
		call.nr = numbers[i / 8 % COUNT(numbers)];
		call.arg[1] = i / 8 % 3;
		exact_if(perm_exact(&x86, i % 2, call.nr), &call);
	}
	/* Such a pair is compared by chance: where their hashes are close. */
	noise = 1;
	for (__u32 i = 0; i < 5 * 40; i++)
		try_pairs(i % 5);
}

/* A rule for two numbers: two rules of different groups meet at one. */
static void only_two(struct ref_rule *rule, __u32 a, __u32 b)
{
	only(rule, a);
	rule->mask[b / 32] |= 1u << b % 32;
}

/* Groups that begin with the same rule, or consist of it, and go on or not. */
static void test_groups_alike(void)
{
	struct ref_call call = base_call();

	for (__u32 more = 0; more < 4; more++) {
		clear();
		for (__u32 i = 0; i < 2; i++)
			only_two(where(add(), AUDIT_UID, AFP_OP_EQ, 77), GETPID,
				 400 + i);
		for (__u32 i = 0; i < 2; i++)
			if (more >> i & 1)
				only_two(where(add(), AUDIT_GID, AFP_OP_EQ,
					       88 + i), GETPID, 400 + i);
		build();
		for (__u32 i = 0; i < 8; i++) {
			call.uid = i & 1 ? 77 : 78;
			call.gid = 87 + i / 2;
			exact(&call);
		}
	}
}

static void test_openat2_is_unsure(void)
{
	struct ref_call call = base_call();
	struct afp_classes oldest;

	call.nr = 437;
	for (__u32 op = 0; op < 2; op++)
		for (__u32 val = 1; val < 16; val++) {
			clear();
			where(add(), AUDIT_PERM, op, val);
			build();
			walks(&call);
			/* There it is in no class. */
			classes_fill(CLASSES_5_10, &oldest);
			build_for(&oldest);
			exact(&call);
		}
}

/* Contents of names: what the engine is not told. */
static void all_names(struct ref_call *call)
{
	static const struct ref_name names[] = {
		{ .ino = 5, .dev = 8 << 20 | 1, .mode = S_IFREG | 0644 },
		{ .ino = 37, .dev = 8 << 20 | 2, .mode = S_IFDIR | 0755,
		  .uid = 1000, .gid = 100 },
		{ .ino = 5ull << 32 | 69, .rdev = 8 << 20 | 1,
		  .mode = S_IFCHR | 0666, .uid = ~0u, .gid = ~0u },
		{ .ino = REF_INO_UNSET },
	};

	for (__u32 i = 0; i < COUNT(names); i++) {
		call->name_count = 1;
		call->names[0] = names[i];
		sound(call);
		call->name_count = 2;
		call->names[1] = names[(i + 1) % COUNT(names)];
		sound(call);
	}
}

static const struct name_field {
	__u32 type, val;
	__u32 certain;	/* operators that are false without names: a bit each */
} name_fields[] = {
	{ AUDIT_DEVMAJOR, 8, ~0u }, { AUDIT_DEVMINOR, 1, ~0u },
	{ AUDIT_INODE, 5, ~0u }, { AUDIT_OBJ_UID, 0, ~0u },
	{ AUDIT_OBJ_GID, 100, ~0u }, { AUDIT_WATCH, 0, 0 },
	{ AUDIT_FILETYPE, S_IFREG, 1u << AFP_OP_EQ },
	{ AUDIT_OBJ_USER, 0, ~0u }, { AUDIT_OBJ_ROLE, 0, ~0u },
	{ AUDIT_OBJ_TYPE, 0, ~0u }, { AUDIT_OBJ_LEV_LOW, 0, ~0u },
	{ AUDIT_OBJ_LEV_HIGH, 0, ~0u }, { AUDIT_FILTERKEY, 0, 0 },
	{ AUDIT_FIELD_COMPARE, AUDIT_COMPARE_UID_TO_OBJ_UID, ~0u },
	{ AUDIT_FIELD_COMPARE, AUDIT_COMPARE_FSGID_TO_OBJ_GID, ~0u },
};

static void try_names(const struct name_field *name, __u32 op, __u32 place)
{
	struct ref_call call = base_call();
	__u32 records;
	int loadable;

	clear();
	where(add(), name->type, op, name->val);
	rules[0].place = place;
	rules[0].bucket = 5;
	rules[0].watch_ino = 5;
	rules[0].watch_dev = 8 << 20 | 1;
	loadable = ref_loadable(&rules[0].fields[0]);
	build();

	call.oracle = ~0;
	exact_if(loadable && (place == AFP_PLACE_INODE ||
			      name->certain >> op & 1),
		 &call);
	records = now.records;
	all_names(&call);
	/* A watch that is not in the inode hash matches nothing. */
	if (loadable && op <= AFP_OP_NE &&
	    (name->type != AUDIT_WATCH || place == AFP_PLACE_INODE))
		expect(now.records > records, &call,
		       "the test's own names never match");
	/* Names in other buckets do not concern the inode hash. */
	if (place == AFP_PLACE_INODE) {
		call.name_count = 1;
		call.names[0].ino = 6;
		skips(&call);
	}
}

static void test_names(void)
{
	for (__u32 i = 0; i < COUNT(name_fields); i++)
		for (__u32 op = 0; op < AFP_OPS; op++) {
			try_names(&name_fields[i], op, AFP_PLACE_EXIT);
			try_names(&name_fields[i], op, AFP_PLACE_INODE);
		}
}

static void try_tree(__u32 op, __u32 place, __u32 tree)
{
	struct ref_call call = base_call();

	clear();
	where(add(), AUDIT_DIR, op, 0);
	rules[0].place = place;
	rules[0].tree = tree;
	build();
	call.name_count = 1;
	for (call.trees = 1; call.trees < 8; call.trees += 2)
		sound(&call);
	call.trees = 0;
	exact_if(op == AFP_OP_EQ, &call);
	call.name_count = 0;
	exact_if(op == AFP_OP_EQ, &call);
}

static void test_trees(void)
{
	for (__u32 op = 0; op < AFP_OPS; op++)
		for (__u32 tree = 0; tree < 3; tree++) {
			try_tree(op, AFP_PLACE_EXIT, tree);
			try_tree(op, AFP_PLACE_INODE, tree);
		}
}

/* Places and buckets of more than one rule on the same numbers. */
static void test_buckets(void)
{
	struct ref_call call = base_call();

	clear();
	where(add(), AUDIT_UID, AFP_OP_EQ, 0);
	where(add(), AUDIT_UID, AFP_OP_EQ, 1000)->place = AFP_PLACE_INODE;
	rules[1].bucket = 5;
	where(add(), AUDIT_UID, AFP_OP_EQ, 2000)->place = AFP_PLACE_INODE;
	rules[2].bucket = 6;
	only(&rules[2], GETPID);
	build();
	for (__u32 i = 0; i < 2 * 3 * 4; i++) {
		call.nr = GETPID - i % 2;
		call.uid = i / 2 % 3 * 1000;
		call.names[0].ino = 4 + i / 6;
		call.name_count = 0;
		exact(&call);
		call.name_count = 1;
		/* The engine is told one bit for all buckets. */
		exact_if(i / 6 % 3 == 0, &call);
	}
}

static const __u32 all_ids[] = {
	AUDIT_UID, AUDIT_EUID, AUDIT_SUID, AUDIT_FSUID, AUDIT_GID,
	AUDIT_EGID, AUDIT_SGID, AUDIT_FSGID, AUDIT_LOGINUID,
};

/* All ids are @id but for one, which is @more. */
static void try_ids(__u32 id, __u32 other, __u32 more)
{
	const struct afp_field *f = &rules[0].fields[0];
	struct ref_call call = base_call();

	for (__u32 i = 0; i < COUNT(all_ids); i++)
		call_set(&call, all_ids[i], id);
	call_set(&call, all_ids[other], more);
	exact_if(ref_loadable(f), &call);
	if (f->val > AUDIT_COMPARE_FSGID_TO_OBJ_GID)
		return;
	call.name_count = 1;
	for (int i = -1; i <= 1; i++) {
		call.names[0].uid = id + i;
		call.names[0].gid = id + i;
		sound(&call);
	}
}

static void try_compare(__u32 op, __u32 code)
{
	build_one(AUDIT_FIELD_COMPARE, op, code);
	for (__u32 v = 0; v < COUNT(edges); v++)
		for (__u32 other = 0; other < COUNT(all_ids); other++)
			for (int more = -1; more <= 1; more++)
				try_ids(edges[v], other, edges[v] + more);
}

static void test_compares(void)
{
	static const __u32 unknown[] = { 0, 26, 27, 255, 256, 266, ~0u };
	struct ref_call call = base_call();

	for (__u32 code = 1; code <= AUDIT_MAX_FIELD_COMPARE; code++)
		for (__u32 op = 0; op < AFP_OPS; op++)
			try_compare(op, code);
	call.oracle = ~0;
	for (__u32 i = 0; i < COUNT(unknown); i++)
		for (__u32 op = 0; op < 2; op++) {
			build_one(AUDIT_FIELD_COMPARE, op, unknown[i]);
			call.name_count = 0;
			walks(&call);
			call.name_count = 1;
			walks(&call);
		}
}

static int known_type(__u32 type)
{
	return type <= AUDIT_FSTYPE ||
	       (type >= AUDIT_DEVMAJOR && type <= AUDIT_SADDR_FAM) ||
	       (type >= AUDIT_ARG0 && type <= AUDIT_ARG3) ||
	       type == AUDIT_FILTERKEY;
}

/* Fields and operators of kernels to come. Beware of eight bits. */
static void test_unknown(void)
{
	static const __u32 types[] = {
		300, 511, 512, 0xffff, 0x10001, 0x80000001, ~0u,
	};
	static const __u32 ops[] = {
		8, 9, 0xff, 0x100, 0x101, 0x10000, 0x80000001, ~0u,
	};
	struct ref_call call = base_call();
	__u32 t, i, type;

	call.oracle = ~0;
	call.uid = 7;
	for (t = 0; t < 300 + COUNT(types); t++) {
		type = t < 300 ? t : types[t - 300];
		for (i = 0; known_type(type) && i < COUNT(ops); i++) {
			build_one(type, ops[i], 5);
			walks(&call);
		}
		if (known_type(type))
			continue;
		build_one(type, t % AFP_OPS, 5);
		walks(&call);
		build_one(type, AFP_OPS, 5);
		where(&rules[0], AUDIT_UID, AFP_OP_EQ, 7);
		build();
		walks(&call);
	}
}

static int is_object(__u32 type)
{
	return type >= AUDIT_OBJ_USER && type <= AUDIT_OBJ_LEV_HIGH;
}

static void try_hidden(__u32 type, __u32 op, __u32 val)
{
	const struct afp_field *f = build_one(type, op, val);
	__u32 records = now.records;

	for (__u32 i = 0; i < 128; i++) {
		struct ref_call call = base_call();

		call.exe = i % 4;
		call.ppid = i % 4;
		call.family = i % 4;
		call.has_sockaddr = i / 4 % 2;
		call.ipc = i / 8 % 2;
		call.name_count = i / 16 % 2;
		call.oracle = i / 32 % 2 ? ~0u : 0;
		call.trees = i / 64;
		/* An object needs one. */
		if (ref_loadable(f) &&
		    (!is_object(type) || call.name_count || call.ipc))
			walks(&call);
		else
			sound(&call);
	}
	expect(now.records > records || !ref_loadable(f), NULL,
	       "the test's own calls never match");
}

/* What the engine is not told may always match. */
static void test_hidden(void)
{
	static const __u32 types[] = {
		AUDIT_EXE, AUDIT_PPID, AUDIT_SUBJ_USER, AUDIT_SUBJ_ROLE,
		AUDIT_SUBJ_TYPE, AUDIT_SUBJ_SEN, AUDIT_SUBJ_CLR,
		AUDIT_OBJ_USER, AUDIT_OBJ_ROLE, AUDIT_OBJ_TYPE,
		AUDIT_OBJ_LEV_LOW, AUDIT_OBJ_LEV_HIGH, AUDIT_SADDR_FAM,
	};

	for (__u32 t = 0; t < COUNT(types); t++)
		for (__u32 op = 0; op < AFP_OPS; op++)
			for (__u32 val = 1; val < 3; val++)
				try_hidden(types[t], op, val);
}

/* One condition, in one place, against calls on both sides of its boundary. */
static void try_matrix(__u32 type, __u32 op, __u32 val, __u32 place)
{
	const __u32 sides[] = { 0, 1, val - 1, val, val + 1, ~0u };
	struct ref_call call = base_call();
	__u32 i, j;

	clear();
	only(where(add(), type, op, val), GETPID);
	rules[0].place = place;
	rules[0].bucket = 5;
	rules[0].watch_ino = 5;
	rules[0].tree = 1;
	build();
	for (i = 0; i < COUNT(sides) * 8; i++) {
		call = base_call();
		call_set(&call, type, sides[i / 8]);
		call.oracle = i % 2 ? ~0u : 0;
		call.name_count = i / 2 % 2;
		call.trees = i / 4 % 2 << 1;
		for (j = 0; j < call.name_count; j++)
			if (type != AUDIT_INODE)
				call.names[j].ino = 5;
		sound(&call);
	}
}

/* Every field with every operator: nothing is lost, whatever it is. */
static void test_matrix(void)
{
	static const __u32 values[] = {
		0, 1, 5, 1000, 0x7fffffff, 0x80000000, 0xfffffffe, ~0u,
		S_IFREG, AUDIT_ARCH_X86_64,
	};
	__u32 type, op, v, place;

	for (type = 0; type < 256; type++)
		for (op = 0; op <= AFP_OPS; op++)
			for (v = 0; v < COUNT(values); v++)
				for (place = 0; place < 2; place++)
					if (known_type(type) || v == 2)
						try_matrix(type, op, values[v],
							   place);
}

/* Two rules, of which one or both are "never", in each place and order. */
static void try_never(const struct ref_call *call, __u32 always, __u32 places)
{
	clear();
	add()->always = always == 1;
	add()->always = always == 2;
	rules[0].place = places % 2;
	rules[1].place = places / 2;
	build();
	exact_if(!always, call);
	where(&rules[0], AUDIT_UID, AFP_OP_EQ, 0);
	build();
	exact_if(!always, call);
	where(&rules[1], AUDIT_UID, AFP_OP_EQ, 1);
	build();
	exact_if(!always, call);
	rules[1].prio = REF_PRIO + 1;
	build();
	sound(call);
}

static void test_never(void)
{
	struct ref_call call = base_call();

	for (__u32 i = 0; i < 2 * 2 * 3 * 4; i++) {
		call.uid = i % 2;
		call.name_count = i / 2 % 2;
		try_never(&call, i / 4 % 3, i / 12);
	}
	/* "always" is any byte that is not zero. */
	clear();
	add()->always = 0x80;
	build();
	walks(&call);
}

static void test_and_or(void)
{
	static const struct afp_field fields[] = {
		{ AUDIT_UID, AFP_OP_EQ, 0 },
		{ AUDIT_ARG0, AFP_OP_MASK, 2 },
		{ AUDIT_SUCCESS, AFP_OP_EQ, 0 },
		{ AUDIT_LOGINUID_SET, AFP_OP_EQ, 1 },
	};
	struct ref_call call = base_call();
	__u32 split, set, i, n;

	/* Four conditions, spread over one to four rules. */
	for (split = 0; split < 8; split++) {
		clear();
		add();
		for (i = 0; i < 4; i++) {
			where(&rules[rule_count - 1], fields[i].type,
			      fields[i].op, fields[i].val);
			if (i < 3 && split >> i & 1)
				add();
		}
		build();
		for (set = 0; set < 16; set++) {
			call.uid = set & 1 ? 0 : 1;
			call.arg[0] = set & 2 ? 3 : 5;
			call.success = set & 4 ? 0 : 1;
			call.auid = set & 8 ? 1000 : ~0u;
			exact(&call);
		}
	}
	/* As many conditions as there can be, of which one is false. */
	call = base_call();
	for (n = 0; n <= AFP_FIELDS_MAX; n += n < 3 ? 1 : 61)
		for (set = 0; set <= n; set++) {
			clear();
			add();
			for (i = 0; i < n; i++)
				where(&rules[0], AUDIT_UID, i == set, 1000);
			build();
			exact(&call);
		}
}

/* Conditions that no call can meet together: no reason to walk. */
static void test_conflicts(void)
{
	static const struct afp_field pairs[][2] = {
		{ { AUDIT_UID, AFP_OP_EQ, 1000 }, { AUDIT_UID, AFP_OP_EQ, 1 } },
		{ { AUDIT_UID, AFP_OP_EQ, 1000 },
		  { AUDIT_UID, AFP_OP_NE, 1000 } },
		{ { AUDIT_SUCCESS, AFP_OP_EQ, 1 },
		  { AUDIT_SUCCESS, AFP_OP_EQ, 0 } },
		{ { AUDIT_ARG0, AFP_OP_LT, 5 }, { AUDIT_ARG0, AFP_OP_GT, 5 } },
		{ { AUDIT_LOGINUID, AFP_OP_GE, 1000 },
		  { AUDIT_LOGINUID_SET, AFP_OP_EQ, 0 } },
		{ { AUDIT_ARCH, AFP_OP_EQ, AUDIT_ARCH_X86_64 },
		  { AUDIT_ARCH, AFP_OP_EQ, AUDIT_ARCH_I386 } },
		{ { AUDIT_PERM, AFP_OP_EQ, 2 }, { AUDIT_PERM, AFP_OP_NE, 2 } },
	};
	for (__u32 i = 0; i < COUNT(pairs) * 2; i++) {
		clear();
		add();
		rules[0].fields[0] = pairs[i / 2][i % 2];
		rules[0].fields[1] = pairs[i / 2][!(i % 2)];
		rules[0].field_count = 2;
		build();
		perm_numbers(1);
	}
}

/* Compile what was added, tell what it took, and try some calls. */
static void try_many(const char *what, int may_be_limited)
{
	struct ref_call call = base_call();
	__u32 calls, skipped, limited = 0, i;
	double begin = seconds();

	build();
	printf("# %s: %u rules, %.0f ms to compile, %u of %u bytes%s\n", what,
	       rule_count, (seconds() - begin) * 500, engine.policy->size,
	       afp_policy_size(rule_count),
	       engine.policy->limited ? ", limited" : "");
	if (!may_be_limited)
		expect(!engine.policy->limited, NULL, "limited");
	calls = now.calls;
	skipped = now.skips;
	for (i = 0; i < 400; i++) {
		call.arch = arches[noisy() % AFP_ABIS];
		call.nr = noisy() % (i % 2 ? 470 : AFP_NR_MAX);
		call.uid = noisy() % (i % 4 ? 6000 : 40000);
		call.arg[1] = noisy();
		exact_if(!may_be_limited, &call);
		limited += engine.answer == AFP_WALK_LIMIT;
	}
	if (may_be_limited)
		printf("#   of %u calls %u skipped, %u over the limit\n",
		       now.calls - calls, now.skips - skipped, limited);
}

static void test_equal_masks(void)
{
	__u32 i;

	noise = 1;
	clear();
	for (i = 0; i < 5000; i++)
		where(add(), AUDIT_UID, AFP_OP_EQ, i);
	try_many("5000 equal masks", 0);
	for (; i < AFP_RULES_MAX; i++)
		where(add(), AUDIT_UID, AFP_OP_EQ, i);
	try_many("as many rules as allowed, equal masks", 0);

	/* More tests than there is room for. */
	for (i = 0; i < AFP_RULES_MAX; i++)
		while (rules[i].field_count < AFP_FIELDS_MAX)
			where(&rules[i], AUDIT_UID, AFP_OP_LE,
			      i + rules[i].field_count);
	try_many("as many rules and fields as allowed", 1);
}

static void test_lone_numbers(void)
{
	__u32 i;

	noise = 1;
	clear();
	for (i = 0; i < 470 * 2; i++) {
		only(where(add(), AUDIT_UID, AFP_OP_LT, i), i / 2);
		where(&rules[i], AUDIT_ARCH, AFP_OP_EQ, arches[i % 2]);
	}
	try_many("a rule for each call of each ABI", 0);
	clear();
	for (i = 0; i < AFP_NR_MAX; i++)
		only(where(add(), AUDIT_UID, AFP_OP_LT, i), i);
	try_many("a rule for each number", 1);
}

static void test_many_masks(void)
{
	__u32 i, j;

	noise = 1;
	clear();
	for (i = 0; i < 256; i++)
		only(where(add(), AUDIT_UID, AFP_OP_LT, i), i);
	try_many("256 unrelated numbers", 0);

	clear();
	for (i = 0; i < 256; i++)
		noisy_mask(where(add(), AUDIT_UID, AFP_OP_EQ, i));
	try_many("256 random masks", 1);

	/* Each number of each ABI in other rules than all the others. */
	clear();
	for (i = 0; i < 11; i++) {
		memset(where(add(), AUDIT_UID, AFP_OP_EQ, i)->mask, 0,
		       sizeof(rules[0].mask));
		for (j = 0; j < AFP_NR_MAX; j++)
			if (j >> i & 1)
				rules[i].mask[j / 32] |= 1u << j % 32;
	}
	where(where(add(), AUDIT_UID, AFP_OP_EQ, 11), AUDIT_ARCH, AFP_OP_EQ,
	      AUDIT_ARCH_I386);
	try_many("all numbers different", 1);

	clear();
	for (i = 0; i < 5000; i++)
		noisy_mask(where(add(), AUDIT_UID, AFP_OP_EQ, i));
	try_many("5000 random masks", 1);
	for (; i < AFP_RULES_MAX; i++)
		noisy_mask(where(add(), AUDIT_UID, AFP_OP_EQ, i));
	try_many("as many random masks as allowed", 1);
}

static void test_too_many_rules(void)
{
	static struct afp_rule one[1];
	void *policy = malloc(sizeof(struct afp_policy));

	/* Refused before anything is read or written. */
	expect(afp_compile(one, AFP_RULES_MAX + 1, &x86, policy, policy) == -1,
	       NULL, "more rules than allowed are compiled");
	expect(afp_compile(one, ~0u, &x86, policy, policy) == -1, NULL,
	       "more rules than allowed are compiled");
	free(policy);
}

static const struct afp_task daemon_task = { 998, -1, -1 }, user_task = { 1000, 1000, 1 };

static void expect_skippable(__u32 skippable, const char *wrong)
{
	__u32 daemon = 0, user = 0;

	build();
	expect(engine.policy->syscalls_skippable == skippable, NULL, wrong);
	/* The counts are those of what is told of each number. */
	for (__u32 nr = 0; nr < AFP_NR_MAX; nr++) {
		if (!x86.exists[nr])
			continue;
		daemon += afp_policy_outlook(engine.policy, nr, &daemon_task) ==
			  AFP_OUTLOOK_SKIPS;
		user += afp_policy_outlook(engine.policy, nr, &user_task) ==
			AFP_OUTLOOK_SKIPS;
	}
	expect(engine.policy->syscalls_skippable == daemon, NULL, wrong);
	expect(engine.policy->syscalls_skippable_user == user, NULL, wrong);
}

static void expect_outlook(enum afp_outlook daemon, enum afp_outlook user, const char *wrong)
{
	build();
	expect(afp_policy_outlook(engine.policy, GETPID, &daemon_task) == daemon, NULL, wrong);
	expect(afp_policy_outlook(engine.policy, GETPID, &user_task) == user, NULL, wrong);
}

/* What is told of a number when nothing is known but whose calls they are. */
static void test_outlook(void)
{
	const enum afp_outlook skips = AFP_OUTLOOK_SKIPS, walks = AFP_OUTLOOK_WALKS,
			       decides = AFP_OUTLOOK_DECIDES;

	clear();
	expect_outlook(skips, skips, "outlook: no rules");
	only(add(), GETPID + 1);
	expect_outlook(skips, skips, "outlook: another number");
	only(add(), GETPID);
	expect_outlook(walks, walks, "outlook: a rule without fields");
	where(&rules[1], AUDIT_LOGINUID, AFP_OP_GE, 1000);
	where(&rules[1], AUDIT_LOGINUID_SET, AFP_OP_EQ, 1);
	expect_outlook(skips, walks, "outlook: those who have logged in");
	where(&rules[1], AUDIT_EXIT, AFP_OP_EQ, -13);
	expect_outlook(skips, decides, "outlook: the result decides");
	/* In the same group: what holds in one rule is not held against another. */
	only(add(), GETPID);
	where(&rules[2], AUDIT_EXIT, AFP_OP_EQ, -1);
	where(&rules[2], AUDIT_UID, AFP_OP_EQ, 1000);
	where(&rules[2], AUDIT_GID, AFP_OP_NE, 5);
	expect_outlook(skips, decides, "outlook: both by their result");
	only(add(), GETPID);
	where(&rules[3], AUDIT_UID, AFP_OP_EQ, 998);
	where(&rules[3], AUDIT_GID, AFP_OP_NE, 5);
	where(&rules[3], AUDIT_EUID, AFP_OP_NE, 5);
	where(&rules[3], AUDIT_EGID, AFP_OP_NE, 5);
	where(&rules[3], AUDIT_SUID, AFP_OP_NE, 5);
	expect_outlook(walks, decides, "outlook: a longer rule behind shorter ones");

	/* Of the hash: only with a name, whatever else holds, in each rule. */
	clear();
	only(add(), GETPID);
	rules[rule_count - 1].place = AFP_PLACE_INODE;
	where(&rules[0], AUDIT_UID, AFP_OP_EQ, 998);
	only(add(), GETPID);
	rules[rule_count - 1].place = AFP_PLACE_INODE;
	where(&rules[1], AUDIT_UID, AFP_OP_EQ, 1000);
	expect_outlook(decides, decides, "outlook: a rule about a file");

	/* Only some modes of opening, and only some classes. */
	clear();
	add();
	where(&rules[0], AUDIT_PERM, AFP_OP_EQ, AUDIT_PERM_WRITE);
	build();
	expect(afp_policy_outlook(engine.policy, 2 /* open */, &user_task) == decides, NULL,
	       "outlook: open for writing");
	expect_outlook(skips, skips, "outlook: no call that writes");
	rules[0].always = 0;
	rules[0].field_count = 0;
	expect_outlook(skips, skips, "outlook: never");
}

/* What sysfs shows: of native numbers, for a daemon without a login. */
static void test_counts(void)
{
	__u32 total = 0;

	for (__u32 nr = 0; nr < AFP_NR_MAX; nr++)
		total += !!x86.exists[nr];
	clear();
	expect_skippable(total, "no rules, and not all is skippable");
	expect(engine.policy->syscalls_total == total, NULL,
	       "policy->syscalls_total");
	only(add(), GETPID);
	expect_skippable(total - 1, "one number");
	where(&rules[0], AUDIT_ARCH, AFP_OP_EQ, AUDIT_ARCH_I386);
	expect_skippable(total, "the other ABI");
	clear();
	only(add(), 400);
	expect_skippable(total, "a number that is no call");
	clear();
	add();
	expect_skippable(0, "all numbers");
	where(&rules[0], AUDIT_LOGINUID, AFP_OP_GE, 1000);
	where(&rules[0], AUDIT_LOGINUID_SET, AFP_OP_EQ, 1);
	expect_skippable(total, "those who have logged in");
	rules[0].always = 0;
	rules[0].field_count = 0;
	expect_skippable(total, "never");
}

/* How a call is decided that begins, with @alters for its number. */
static enum afp_answer early(__u32 alters, const struct ref_call *call)
{
	struct afp_classes classes = x86;

	classes.alters[AFP_ABI_NATIVE][GETPID] = alters;
	build_for(&classes);
	sound(call);
	return engine.early;
}

static void expect_early(__u32 alters, int skips, const struct ref_call *call)
{
	expect((early(alters, call) == AFP_SKIP) == skips, call,
	       skips ? "not decided early" : "decided early");
}

/*
 * What is known when a call begins: its number, its arguments, its task, unless
 * the call may change that. Nothing else.
 */
static void test_early(void)
{
	static const struct {
		__u32 type, val;
	} task[] = {
		{ AUDIT_UID, 77 }, { AUDIT_EUID, 77 }, { AUDIT_SUID, 77 },
		{ AUDIT_FSUID, 77 }, { AUDIT_GID, 77 }, { AUDIT_EGID, 77 },
		{ AUDIT_SGID, 77 }, { AUDIT_FSGID, 77 }, { AUDIT_LOGINUID, 77 },
		{ AUDIT_SESSIONID, 77 }, { AUDIT_PERS, 77 },
		{ AUDIT_FIELD_COMPARE, AUDIT_COMPARE_UID_TO_EUID },
		{ AUDIT_FIELD_COMPARE, AUDIT_COMPARE_UID_TO_AUID },
	};
	static const struct {
		__u32 type, val;
	} later[] = {
		{ AUDIT_EXIT, 77 }, { AUDIT_SUCCESS, 0 }, { AUDIT_INODE, 77 },
		{ AUDIT_DEVMAJOR, 77 }, { AUDIT_OBJ_UID, 77 },
		{ AUDIT_DIR, 0 }, { AUDIT_FILETYPE, S_IFREG },
		{ AUDIT_PPID, 77 }, { AUDIT_EXE, 77 },
		{ AUDIT_FIELD_COMPARE, AUDIT_COMPARE_UID_TO_OBJ_UID },
	};
	struct ref_call call = base_call();
	__u32 i;

	call.nr = GETPID;
	call.uid = 1;
	call.euid = 2;
	call.auid = 3;
	clear();
	expect_early(0, 1, &call);
	expect_early(AFP_ALTERS_TASK, 1, &call);
	expect_early(AFP_ALTERS_CONTEXT, 0, &call);
	only(add(), GETPID + 1);
	expect_early(AFP_ALTERS_TASK, 1, &call);
	only(add(), GETPID);
	expect_early(0, 0, &call);
	for (i = 0; i < COUNT(task); i++) {
		clear();
		where(add(), task[i].type, AFP_OP_EQ, task[i].val);
		expect_early(0, 1, &call);
		expect_early(AFP_ALTERS_TASK, 0, &call);
		/* Rules about an inode are looked at in the middle, too. */
		rules[0].place = AFP_PLACE_INODE;
		expect_early(0, 0, &call);
	}
	for (i = 0; i < COUNT(later); i++) {
		clear();
		where(add(), later[i].type, AFP_OP_EQ, later[i].val);
		expect_early(0, 0, &call);
		/* Not with what is known besides. */
		where(&rules[0], AUDIT_UID, AFP_OP_EQ, 77);
		expect_early(0, 1, &call);
	}
	for (i = 0; i < 4; i++) {
		clear();
		where(add(), AUDIT_ARG0 + i, AFP_OP_EQ, 77);
		expect_early(AFP_ALTERS_TASK, 1, &call);
	}
	clear();
	where(add(), AUDIT_PID, AFP_OP_EQ, call.pid + 1);
	expect_early(AFP_ALTERS_TASK, 1, &call);
}

static void test_same_bytes(void)
{
	struct ref_rule *rule;

	clear();
	build();
	expect(!engine.differs, NULL, "no rules, and bytes left unwritten");
	rule = where(add(), AUDIT_UID, AFP_OP_EQ, 0);
	where(add(), AUDIT_GID, AFP_OP_EQ, 0)->always = 0;
	only(add(), GETPID);
	build();
	expect(!engine.differs, NULL, "three rules, and bytes left unwritten");
	rule->always = 0;
	build();
	expect(!engine.differs, NULL, "never first, and bytes left unwritten");
}

/* The order of the rules makes no difference to what is skipped. */
static void test_order(void)
{
	static struct scenario s;
	__u8 bytes[2048], answers[64];
	__u32 list, i;

	noise = 1;
	for (list = 0; list < 200; list++) {
		static struct ref_call calls[64];
		struct input in = { bytes, bytes + sizeof(bytes) };

		for (i = 0; i < sizeof(bytes); i++)
			bytes[i] = noisy();
		generate_rules(&in, &s);
		for (i = 0; i < COUNT(calls); i++)
			generate_call(&in, &s, &calls[i]);
		engine_build(&engine, s.rules, s.count, &s.classes);
		for (i = 0; i < COUNT(calls); i++) {
			sound(&calls[i]);
			answers[i] = engine.answer;
		}
		for (i = 0; i < s.count; i++) {
			struct ref_rule *other = &s.rules[noisy() % s.count];
			struct ref_rule rule = s.rules[i];

			s.rules[i] = *other;
			*other = rule;
		}
		engine_build(&engine, s.rules, s.count, &s.classes);
		for (i = 0; i < COUNT(calls); i++) {
			engine_check(&engine, &calls[i]);
			expect(answers[i] == engine.answer, &calls[i],
			       "another order of rules, another answer");
		}
	}
	engine_free(&engine);
}

/* --- random rule lists --- */

static struct {
	__u64 lists, calls, records;
	__u64 quiet[2], skipped[2];	/* by scenario_exact() */
	__u64 silent[2], decided[2];	/* by whether a kernel loads it */
} random_stats;

/* Calls that differ in nothing that the engine is told. */
#define TRIES	8

static void random_call(struct scenario *s, const struct ref_call *call,
			__u64 seed)
{
	const char *wrong = scenario_check(&engine, s, call);
	int told = scenario_exact(s, call);

	random_stats.calls++;
	random_stats.records += engine.record;
	random_stats.quiet[told] += !engine.record;
	random_stats.skipped[told] += engine.answer == AFP_SKIP;
	if (!wrong || now.errors++)
		return;
	printf("# %s\n# again with: policy 0 %llu; smallest case:\n", wrong,
	       seed);
	scenario_report(s, call);
}

static void random_list(__u64 seed)
{
	static struct scenario s;
	static __u8 bytes[8192];
	struct input in = { bytes, bytes + sizeof(bytes) };
	struct ref_call call;
	const char *wrong;

	noise = seed * 2862933555777941757ULL + 3037000493ULL;
	for (__u32 i = 0; i < sizeof(bytes); i++)
		bytes[i] = noisy();
	generate_rules(&in, &s);
	wrong = engine_build(&engine, s.rules, s.count, &s.classes);
	expect(!wrong, NULL, wrong);
	random_stats.lists++;
	while (in.at < in.end && !now.errors) {
		__u32 records = 0;

		generate_call(&in, &s, &call);
		for (__u32 i = 0; i < TRIES && !now.errors; i++) {
			random_call(&s, &call, seed);
			records += engine.record;
			generate_hidden(&in, &call);
		}
		/* What is recorded in none of them could have been skipped. */
		random_stats.silent[s.loadable] += !records;
		random_stats.decided[s.loadable] +=
			!records && engine.answer == AFP_SKIP;
	}
}

static void test_random(void)
{
	double end = seconds() + random_seconds;
	__u64 seed = random_seed;

	printf("# seed %llu\n", seed);
	do
		random_list(seed++);
	while (seconds() < end && !now.errors);
	printf("# %llu lists, %llu calls, %llu with a record\n",
	       random_stats.lists, random_stats.calls, random_stats.records);
	for (int told = 0; told < 2; told++)
		printf("# skipped of %llu without, %s: %.2f %%\n",
		       random_stats.quiet[told],
		       told ? "engine told everything" : "others",
		       100. * random_stats.skipped[told] /
		       (random_stats.quiet[told] + 1e-9));
	for (int loads = 1; loads >= 0; loads--)
		printf("# completeness: of %llu calls under rules that %s, and of which no hidden fact made a record in %u tries, %.2f %% are skipped\n",
		       random_stats.silent[loads],
		       loads ? "kernels load" : "none loads", TRIES,
		       100. * random_stats.decided[loads] /
		       (random_stats.silent[loads] + 1e-9));
	now.calls = random_stats.calls;
	now.records = random_stats.records;
	engine_free(&engine);
}

static const struct {
	const char *text;
	void (*run)(void);
} tests[] = {
	{ "numbers of the interface are the kernel's",
	  test_numbers_of_kernel },
	{ "no rules: skip all but unknown ABIs and numbers", test_no_rules },
	{ "a rule without fields: never skip", test_no_fields },
	{ "values: field, operator, boundary", test_values },
	{ "auid: two conditions in a rule", test_auid },
	{ "values: upper halves do not count", test_upper_halves },
	{ "exit and success, restart codes", test_result },
	{ "gid and egid: supplementary groups", test_groups },
	{ "arch: =, !=, unknown, twice, no second ABI", test_arch },
	{ "perm: each permission, operator, kind, number", test_perm },
	{ "perm: two in a rule", test_perm_twice },
	{ "rules that share a mask and nothing else", test_equal_but },
	{ "groups that begin alike", test_groups_alike },
	{ "perm: openat2 may always match", test_openat2_is_unsure },
	{ "fields about names, in both places", test_names },
	{ "dir", test_trees },
	{ "inode hash buckets", test_buckets },
	{ "field compares: each code, operator, order", test_compares },
	{ "unknown fields and operators may match", test_unknown },
	{ "fields about what is hidden may match", test_hidden },
	{ "every field, operator, boundary, place", test_matrix },
	{ "never neither records nor hides", test_never },
	{ "and within a rule, or between rules", test_and_or },
	{ "conditions that exclude each other", test_conflicts },
	{ "calls that begin", test_early },
	{ "counts for sysfs", test_counts },
	{ "outlook for people", test_outlook },
	{ "every byte of a policy is written", test_same_bytes },
	{ "order of rules", test_order },
	{ "one rule more than allowed", test_too_many_rules },
	{ "random rule lists", test_random },
	{ "mask: each number of both ABIs, and those beside it", test_mask },
	{ "thousands of rules with equal masks", test_equal_masks },
	{ "a rule for each number", test_lone_numbers },
	{ "thousands of rules with different masks", test_many_masks },
};

int main(int argc, char **argv)
{
	__u32 i, failed = 0;
	int stop = argc > 1 && !strcmp(argv[1], "-x");

	argc -= stop;
	argv += stop;
	random_seed = argc > 2 ? strtoull(argv[2], NULL, 0) :
				 (__u64)time(NULL) * 1000003;
	if (argc > 1)
		random_seconds = atof(argv[1]);
	setvbuf(stdout, NULL, _IOLBF, 0);
	classes_fill(CLASSES_KERNELS - 1, &x86);
	printf("TAP version 13\n1..%zu\n", COUNT(tests));
	for (i = 0; i < COUNT(tests) && !(stop && failed); i++) {
		double begin = seconds();

		memset(&now, 0, sizeof(now));
		tests[i].run();
		engine_free(&engine);
		failed += !!now.errors;
		if (now.errors)
			printf("# %u errors\n", now.errors);
		printf("# %u calls, %u records, %.1f s\n", now.calls,
		       now.records, seconds() - begin);
		printf("%s %u - %s\n", now.errors ? "not ok" : "ok", i + 1,
		       tests[i].text);
	}
	return failed != 0;
}

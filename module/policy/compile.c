// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compile audit rules into a policy.
 *
 * Rules with the same mask, arch, perm, class and place form a group. A group
 * names a set of cells; cells that are in the same groups share a row. A row
 * lists its groups, a group its rules, a rule its tests. So a call that no
 * rule names costs one look-up, and rules that do not name it cost nothing,
 * however many there are.
 *
 * Whatever is not understood becomes "may match": a field that is left out
 * of a conjunction can only make it true more often.
 */
#include "tables.h"

#define AFP_ROWS_MAX	1024
#define AFP_ELEMENTS	(AFP_CLASSES * AFP_CELLS)	/* cells of all classes */
#define AFP_UID_UNSET	0xffffffffu
#define AFP_SHORT	5	/* tests of a short rule, with "it matches" */
#define AFP_SHORTS	8	/* of a group, that others are compared with */

/* Who syscalls_skippable is computed for. */
enum {
	AFP_TASK_DAEMON,	/* unprivileged, auid unset */
	AFP_TASK_USER,		/* unprivileged, logged in */
	AFP_TASKS
};

static const struct afp_task afp_tasks[AFP_TASKS] = {
	[AFP_TASK_DAEMON] = { 998, AFP_UID_UNSET, AFP_UID_UNSET },
	[AFP_TASK_USER] = { 1000, 1000, 1 },
};

static inline __u32 afp_bit(const __u32 *mask, __u32 nr)
{
	return mask[nr / 32] >> (nr % 32) & 1;
}

/* Working memory: the tables that are gone when the policy is done. */
struct afp_scratch {
	const struct afp_rule *rules;
	const struct afp_classes *classes;
	const struct afp_policy *policy;
	__u32 count;
	__u32 groups;
	__u32 rows;
	__u16 *group_of;	/* rule -> group, or AFP_NO_GROUP */
	__u16 *order;		/* rules, those of a group side by side */
	__u16 *repr;		/* group -> a rule of it */
	__u32 *members;		/* group -> number of rules */
	__u32 *needs;		/* group -> AFP_NEEDS() of its tests */
	__u16 *hash;		/* open addressing, group + 1 */
	__u32 hash_mask;
	__u32 row_count[AFP_ROWS_MAX];	/* pairs in the row */
	__u32 row_hit[AFP_ROWS_MAX];	/* of these, in the current group */
	__u16 row_to[AFP_ROWS_MAX];	/* where these move */
	__u16 row_repr[AFP_ROWS_MAX];	/* element that stands for it */
	__u8 row_skips[AFP_ROWS_MAX];	/* AFP_OUTLOOK_SKIPS, a bit a task */
	__u16 pair_of_open[AFP_OPENS];
	__u32 opens;
	__u32 elements;			/* of the current group */
	__u16 element[AFP_ELEMENTS];
};

#define AFP_NO_GROUP	0xffff
#define AFP_NO_RULE	0xffff

static __u32 afp_hash_size(__u32 count)
{
	__u32 size = 64;

	while (size < 2 * count)
		size *= 2;
	return size;
}

__u32 afp_scratch_size(__u32 count)
{
	return sizeof(struct afp_scratch) + 2 * 4 * count + 3 * 2 * count +
	       2 * afp_hash_size(count) + 64;
}

static void afp_scratch_init(struct afp_scratch *s, __u32 count)
{
	char *at = (char *)(s + 1);
	__u32 size = afp_hash_size(count);

	__builtin_memset(s, 0, afp_scratch_size(count));
	s->members = (__u32 *)at;
	at += 4 * count;
	s->needs = (__u32 *)at;
	at += 4 * count;
	s->group_of = (__u16 *)at;
	at += 2 * count;
	s->order = (__u16 *)at;
	at += 2 * count;
	s->repr = (__u16 *)at;
	at += 2 * count;
	s->hash = (__u16 *)at;
	s->hash_mask = size - 1;
}

/* Which ABIs the arch fields of a rule allow: a bit each. */
static __u32 afp_rule_abis(const struct afp_rule *rule,
			   const struct afp_classes *classes)
{
	__u32 abi, i, abis = 0;

	for (abi = 0; abi < AFP_ABIS; abi++) {
		if (!classes->arch[abi])
			continue;
		for (i = 0; i < rule->field_count; i++) {
			const struct afp_field *f = &rule->fields[i];

			if (f->type == AFP_F_ARCH &&
			    !afp_compare(classes->arch[abi], f->op, f->val))
				break;
		}
		if (i == rule->field_count)
			abis |= 1u << abi;
	}
	return abis;
}

static void afp_test_value(struct afp_test *t, __u32 a, __u32 op, __u32 val)
{
	t->kind = AFP_T_RANGE;
	t->a = a;
	t->lo = val;
	switch (op) {
	case AFP_OP_EQ:
		t->span = 0;
		break;
	case AFP_OP_NE:
		/* All but one, which begin after it. */
		t->lo = val + 1;
		t->span = 0xfffffffe;
		break;
	case AFP_OP_LT:
		t->lo = 0;
		t->span = val - 1;
		if (!val)
			t->kind = AFP_T_NONE;
		break;
	case AFP_OP_GT:
		t->lo = val + 1;
		t->span = 0xffffffff - t->lo;
		if (!t->lo)
			t->kind = AFP_T_NONE;
		break;
	case AFP_OP_LE:
		t->lo = 0;
		t->span = val;
		break;
	case AFP_OP_GE:
		t->span = 0xffffffff - val;
		break;
	case AFP_OP_MASK:
		t->kind = AFP_T_MASK;
		break;
	default:
		t->kind = AFP_T_BITS;
	}
}

/* gid and egid look at the supplementary groups too, for = and != alone. */
static void afp_test_group(struct afp_test *t, __u32 a, __u32 op, __u32 val)
{
	afp_test_value(t, a, op, val);
	if (op != AFP_OP_EQ && op != AFP_OP_NE)
		return;
	t->kind = op == AFP_OP_EQ ? AFP_T_GROUP_EQ : AFP_T_GROUP_NE;
	t->lo = val;
}

/* Field compares between two credentials, by AUDIT_COMPARE_* code. */
static int afp_test_compare(struct afp_test *t, __u32 op, __u32 code)
{
	static const struct {
		__u8 code, a, b;
	} pairs[] = {
		{ 10, AFP_V_UID, AFP_V_AUID },
		{ 11, AFP_V_UID, AFP_V_EUID },
		{ 12, AFP_V_UID, AFP_V_FSUID },
		{ 13, AFP_V_UID, AFP_V_SUID },
		{ 14, AFP_V_AUID, AFP_V_FSUID },
		{ 15, AFP_V_AUID, AFP_V_SUID },
		{ 16, AFP_V_AUID, AFP_V_EUID },
		{ 17, AFP_V_EUID, AFP_V_SUID },
		{ 18, AFP_V_EUID, AFP_V_FSUID },
		{ 19, AFP_V_SUID, AFP_V_FSUID },
		{ 20, AFP_V_GID, AFP_V_EGID },
		{ 21, AFP_V_GID, AFP_V_FSGID },
		{ 22, AFP_V_GID, AFP_V_SGID },
		{ 23, AFP_V_EGID, AFP_V_FSGID },
		{ 24, AFP_V_EGID, AFP_V_SGID },
		{ 25, AFP_V_SGID, AFP_V_FSGID },
	};
	__u32 i;

	/* 1 to 9 compare with the owner of an object: of a name. */
	if (code >= 1 && code <= 9) {
		afp_test_value(t, AFP_V_NAMES, AFP_OP_NE, 0);
		return 1;
	}
	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (pairs[i].code != code)
			continue;
		t->kind = AFP_T_VALUES;
		t->a = pairs[i].a;
		t->lo = pairs[i].b;
		t->span = op;
		return 1;
	}
	return 0;
}

/*
 * Translate one field into a test. Semantics: audit_filter_rules().
 *
 * Return: 1 if @t has to hold for the rule to match, 0 if the field says
 * nothing that can be tested cheaply: "may match".
 */
static int afp_field_test(const struct afp_field *f, struct afp_test *t)
{
	__builtin_memset(t, 0, sizeof(*t));
	if (f->op >= AFP_OPS)
		return 0;
	switch (f->type) {
	case AFP_F_UID:
	case AFP_F_EUID:
	case AFP_F_SUID:
	case AFP_F_FSUID:
	case AFP_F_SGID:
	case AFP_F_FSGID:
	case AFP_F_LOGINUID:
	case AFP_F_GID:
	case AFP_F_EGID:
	case AFP_F_FIELD_COMPARE:
		/* Not operators of ids: the kernel refuses such a rule. */
		if (f->op == AFP_OP_MASK || f->op == AFP_OP_TEST)
			return 0;
		break;
	default:
		break;
	}

	switch (f->type) {
	case AFP_F_PID:
		afp_test_value(t, AFP_V_PID, f->op, f->val);
		return 1;
	case AFP_F_UID:
		afp_test_value(t, AFP_V_UID, f->op, f->val);
		return 1;
	case AFP_F_EUID:
		afp_test_value(t, AFP_V_EUID, f->op, f->val);
		return 1;
	case AFP_F_SUID:
		afp_test_value(t, AFP_V_SUID, f->op, f->val);
		return 1;
	case AFP_F_FSUID:
		afp_test_value(t, AFP_V_FSUID, f->op, f->val);
		return 1;
	case AFP_F_SGID:
		afp_test_value(t, AFP_V_SGID, f->op, f->val);
		return 1;
	case AFP_F_FSGID:
		afp_test_value(t, AFP_V_FSGID, f->op, f->val);
		return 1;
	case AFP_F_GID:
		afp_test_group(t, AFP_V_GID, f->op, f->val);
		return 1;
	case AFP_F_EGID:
		afp_test_group(t, AFP_V_EGID, f->op, f->val);
		return 1;
	case AFP_F_LOGINUID:
		afp_test_value(t, AFP_V_AUID, f->op, f->val);
		return 1;
	case AFP_F_LOGINUID_SET:
		afp_test_value(t, AFP_V_AUID_SET, f->op, f->val);
		return 1;
	case AFP_F_SESSIONID:
		afp_test_value(t, AFP_V_SESSIONID, f->op, f->val);
		return 1;
	case AFP_F_PERS:
		afp_test_value(t, AFP_V_PERS, f->op, f->val);
		return 1;
	case AFP_F_EXIT:
		afp_test_value(t, AFP_V_EXIT, f->op, f->val);
		return 1;
	case AFP_F_SUCCESS:
		afp_test_value(t, AFP_V_SUCCESS, f->op,
			       f->val ? AFP_RETURN_SUCCESS :
					AFP_RETURN_FAILURE);
		return 1;
	case AFP_F_ARG0:
	case AFP_F_ARG1:
	case AFP_F_ARG2:
	case AFP_F_ARG3:
		afp_test_value(t, AFP_V_A0 + (f->type - AFP_F_ARG0), f->op,
			       f->val);
		return 1;
	case AFP_F_DEVMAJOR:
	case AFP_F_DEVMINOR:
	case AFP_F_INODE:
	case AFP_F_OBJ_UID:
	case AFP_F_OBJ_GID:
	case AFP_F_WATCH:
		/* False for every operator if there is no name. */
		afp_test_value(t, AFP_V_NAMES, AFP_OP_NE, 0);
		return 1;
	case AFP_F_OBJ_USER:
	case AFP_F_OBJ_ROLE:
	case AFP_F_OBJ_TYPE:
	case AFP_F_OBJ_LEV_LOW:
	case AFP_F_OBJ_LEV_HIGH:
		afp_test_value(t, AFP_V_OBJECTS, AFP_OP_NE, 0);
		return 1;
	case AFP_F_FILETYPE:
		if (f->op != AFP_OP_EQ)
			return 0;
		afp_test_value(t, AFP_V_NAMES, AFP_OP_NE, 0);
		return 1;
	case AFP_F_DIR:
		if (f->op != AFP_OP_EQ)
			return 0;
		afp_test_value(t, AFP_V_TREES, AFP_OP_NE, 0);
		return 1;
	case AFP_F_FIELD_COMPARE:
		return afp_test_compare(t, f->op, f->val);
	default:
		/*
		 * arch and perm have been decided by the group. ppid changes when the
		 * parent dies, exe when the file is replaced, subj and
		 * saddr_fam are not ours to read: may match.
		 */
		return 0;
	}
}

#define AFP_CLASSES_ALL		((1u << AFP_CLASSES) - 1)

/* The classes that have this bit: a bit each. */
static __u32 afp_classes_with(__u32 bit)
{
	__u32 class, classes = 0;

	for (class = 0; class < AFP_CLASSES; class++)
		if (class & bit)
			classes |= 1u << class;
	return classes;
}

/*
 * Which classes of calls a rule allows: a bit each. For a task with an audit
 * user id the id itself is tested later, and so is everything about names.
 */
static __u32 afp_rule_classes(const struct afp_rule *rule)
{
	const __u32 auid = afp_classes_with(AFP_CLASS_AUID);
	const __u32 objects = afp_classes_with(AFP_CLASS_OBJECTS);
	__u32 i, classes = AFP_CLASSES_ALL;
	struct afp_test t;

	if (rule->place == AFP_PLACE_INODE)
		classes &= objects;
	for (i = 0; i < rule->field_count; i++) {
		if (!afp_field_test(&rule->fields[i], &t))
			continue;
		switch (t.a) {
		case AFP_V_AUID_SET:
			if (!afp_value_holds(&t, 1))
				classes &= ~auid;
			if (!afp_value_holds(&t, 0))
				classes &= auid;
			break;
		case AFP_V_AUID:
			if (!afp_value_holds(&t, AFP_UID_UNSET))
				classes &= auid;
			break;
		case AFP_V_NAMES:
		case AFP_V_TREES:
			classes &= objects;
			break;
		default:
			break;
		}
	}
	return classes;
}

/* The next perm field of a rule from field *i on, or NULL. */
static const struct afp_field *afp_next_perm(const struct afp_rule *rule,
					     __u32 *i)
{
	while (*i < rule->field_count) {
		const struct afp_field *f = &rule->fields[(*i)++];

		if (f->type == AFP_F_PERM)
			return f;
	}
	return (void *)0;
}

static int afp_same_perm(const struct afp_rule *a, const struct afp_rule *b)
{
	const struct afp_field *fa, *fb;
	__u32 ia = 0, ib = 0;

	do {
		fa = afp_next_perm(a, &ia);
		fb = afp_next_perm(b, &ib);
		if (!fa != !fb)
			return 0;
		if (fa && (fa->op != fb->op || fa->val != fb->val))
			return 0;
	} while (fa);
	return 1;
}

static int afp_same_group(const struct afp_scratch *s,
			  const struct afp_rule *a, const struct afp_rule *b)
{
	return a->place == b->place &&
	       !__builtin_memcmp(a->mask, b->mask, sizeof(a->mask)) &&
	       afp_rule_abis(a, s->classes) == afp_rule_abis(b, s->classes) &&
	       afp_rule_classes(a) == afp_rule_classes(b) &&
	       afp_same_perm(a, b);
}

/* High bits have to reach the low ones, which choose the slot. */
static __u32 afp_mix(__u32 h, __u32 word)
{
	h = (h ^ word) * 16777619u;
	return h ^ h >> 15;
}

static __u32 afp_rule_hash(const struct afp_scratch *s,
			   const struct afp_rule *rule)
{
	__u32 i, h = afp_mix(2166136261u, rule->place);
	const struct afp_field *f;

	for (i = 0; i < AFP_MASK_WORDS; i++)
		h = afp_mix(h, rule->mask[i]);
	h = afp_mix(h, afp_rule_abis(rule, s->classes));
	h = afp_mix(h, afp_rule_classes(rule));
	i = 0;
	while ((f = afp_next_perm(rule, &i)))
		h = afp_mix(afp_mix(h, f->op), f->val);
	return h;
}

/* Put each rule that asks for a record into a group. */
static void afp_group_rules(struct afp_scratch *s)
{
	__u32 i, at, g;

	for (i = 0; i < s->count; i++) {
		const struct afp_rule *rule = &s->rules[i];

		/* With nothing forced, "never" and no match end alike. */
		s->group_of[i] = AFP_NO_GROUP;
		if (!rule->always)
			continue;
		at = afp_rule_hash(s, rule) & s->hash_mask;
		while ((g = s->hash[at]) &&
		       !afp_same_group(s, &s->rules[s->repr[g - 1]], rule))
			at = (at + 1) & s->hash_mask;
		if (!g) {
			s->repr[s->groups] = i;
			g = ++s->groups;
			s->hash[at] = g;
		}
		s->group_of[i] = g - 1;
		s->members[g - 1]++;
	}
}

/* ACC_MODE(): the permission that an open asks for, from its flags. */
static __u32 afp_access_mode(__u32 flags)
{
	static const __u8 mode[AFP_MODES] = {
		AFP_PERM_READ,
		AFP_PERM_WRITE,
		AFP_PERM_READ | AFP_PERM_WRITE,
		AFP_PERM_READ | AFP_PERM_WRITE,
	};

	return mode[flags & (AFP_MODES - 1)];
}

/*
 * Do the perm fields of a rule allow a call? @flags is the access mode of an
 * open. Semantics: audit_match_perm().
 */
static int afp_perm_allows(const struct afp_scratch *s,
			   const struct afp_rule *rule, __u32 pair,
			   __u32 flags)
{
	__u32 abi = pair / AFP_NR_MAX, nr = pair % AFP_NR_MAX, i = 0, has;
	const struct afp_field *f;

	while ((f = afp_next_perm(rule, &i))) {
		if (f->op != AFP_OP_EQ && f->op != AFP_OP_NE)
			continue;
		switch (s->policy->kind[pair] & AFP_KIND_MASK) {
		case AFP_KIND_NUMBER:
			has = s->classes->perm[abi][nr];
			break;
		case AFP_KIND_EXEC:
			has = AFP_PERM_EXEC;
			break;
		case AFP_KIND_OPEN:
		case AFP_KIND_OPENAT:
			has = afp_access_mode(flags);
			break;
		case AFP_KIND_SOCKETCALL:
			/* Or nothing: it depends on a0. */
			if (f->op == AFP_OP_NE)
				continue;
			has = AFP_PERM_WRITE;
			break;
		default:
			continue;
		}
		if (!(has & f->val) == (f->op == AFP_OP_EQ))
			return 0;
	}
	return 1;
}

/* The (abi, number) of a cell, and the access mode of an open. */
static __u32 afp_cell_pair(const struct afp_scratch *s, __u32 cell,
			   __u32 *flags)
{
	*flags = 0;
	if (cell < AFP_PAIRS)
		return cell;
	cell -= AFP_PAIRS;
	*flags = cell % AFP_MODES;
	return s->pair_of_open[cell / AFP_MODES];
}

/* Is this element in the group? For one that a row really uses. */
static int afp_group_names(const struct afp_scratch *s, __u32 group,
			   __u32 element)
{
	const struct afp_rule *rule = &s->rules[s->repr[group]];
	__u32 class = element / AFP_CELLS, flags;
	__u32 pair = afp_cell_pair(s, element % AFP_CELLS, &flags);

	return afp_bit(rule->mask, pair % AFP_NR_MAX) &&
	       (afp_rule_abis(rule, s->classes) >> pair / AFP_NR_MAX & 1) &&
	       (afp_rule_classes(rule) >> class & 1) &&
	       afp_perm_allows(s, rule, pair, flags);
}

static void afp_add_cell(struct afp_scratch *s, __u32 classes, __u32 cell)
{
	__u32 class;

	for (class = 0; class < AFP_CLASSES; class++)
		if (classes >> class & 1)
			s->element[s->elements++] = class * AFP_CELLS + cell;
}

/* List the elements of a group in s->element. */
static void afp_list_elements(struct afp_scratch *s, __u32 group)
{
	const struct afp_rule *rule = &s->rules[s->repr[group]];
	__u32 abis = afp_rule_abis(rule, s->classes);
	__u32 classes = afp_rule_classes(rule);
	__u32 pair, open, cell, flags;

	s->elements = 0;
	for (pair = 0; pair < AFP_PAIRS; pair++) {
		__u32 nr = pair % AFP_NR_MAX;

		if (!(nr % 32) && !rule->mask[nr / 32]) {
			pair += 31;
			continue;
		}
		if (!afp_bit(rule->mask, nr) ||
		    !(abis >> pair / AFP_NR_MAX & 1))
			continue;
		open = s->policy->kind[pair] >> AFP_KIND_BITS;
		if (!open) {
			if (afp_perm_allows(s, rule, pair, 0))
				afp_add_cell(s, classes, pair);
			continue;
		}
		for (flags = 0; flags < AFP_MODES; flags++) {
			cell = AFP_PAIRS + (open - 1) * AFP_MODES + flags;
			if (afp_perm_allows(s, rule, pair, flags))
				afp_add_cell(s, classes, cell);
		}
	}
}

/* Split the rows so that each is wholly inside or outside of the group. */
static void afp_split_rows(struct afp_scratch *s, struct afp_policy *policy,
			   __u32 group)
{
	__u16 *row = &policy->row[0][0];
	__u32 i, r, to;

	afp_list_elements(s, group);
	__builtin_memset(s->row_hit, 0, s->rows * sizeof(s->row_hit[0]));
	__builtin_memset(s->row_to, 0, s->rows * sizeof(s->row_to[0]));
	for (i = 0; i < s->elements; i++)
		s->row_hit[row[s->element[i]]]++;
	for (i = 0; i < s->elements; i++) {
		r = row[s->element[i]];
		if (r == AFP_ROW_LIMIT)
			continue;
		if (r != AFP_ROW_NONE && s->row_hit[r] == s->row_count[r])
			continue;	/* the whole row is in the group */
		to = s->row_to[r];
		if (!to) {
			to = AFP_ROW_LIMIT;
			if (s->rows < AFP_ROWS_MAX) {
				to = s->rows++;
				s->row_count[to] = 0;
				s->row_hit[to] = 0;
				s->row_to[to] = 0;
			}
			s->row_to[r] = to;
		}
		row[s->element[i]] = to;
		s->row_count[to]++;
	}
	/* Only now: the comparison above needs the counts of before. */
	for (r = AFP_ROW_FIRST; r < s->rows; r++)
		if (s->row_to[r])
			s->row_count[r] -= s->row_hit[r];
}

/* Kinds, with the system calls that open numbered from 1. */
static void afp_write_kinds(struct afp_scratch *s, struct afp_policy *policy)
{
	const __u8 *kind = &s->classes->kind[0][0];
	__u32 pair;

	for (pair = 0; pair < AFP_PAIRS; pair++) {
		policy->kind[pair] = AFP_KIND_UNSURE;
		if (kind[pair] >= AFP_KINDS)
			continue;
		if (kind[pair] != AFP_KIND_OPEN &&
		    kind[pair] != AFP_KIND_OPENAT) {
			policy->kind[pair] = kind[pair];
		} else if (s->opens < AFP_OPENS) {
			/* No kernel has more; what is more is unsure. */
			s->pair_of_open[s->opens++] = pair;
			policy->kind[pair] = kind[pair] |
					     s->opens << AFP_KIND_BITS;
		}
	}
}

/* Is a test among these, wherever they lead to? */
static int afp_has_test(const struct afp_test *tests, __u32 count,
			const struct afp_test *t)
{
	__u32 i;

	for (i = 0; i < count; i++)
		if (tests[i].kind == t->kind && tests[i].a == t->a &&
		    tests[i].lo == t->lo && tests[i].span == t->span)
			return 1;
	return 0;
}

/*
 * Write the tests of a rule, each once, at most @room, or none of them if they
 * do not fit, and then that it matches.
 *
 * Return: how many were written.
 */
static __u32 afp_rule_tests(const struct afp_rule *rule,
			    struct afp_test *tests, __u32 room)
{
	__u32 i, count = 0;
	struct afp_test t;

	for (i = 0; i < rule->field_count; i++) {
		if (!afp_field_test(&rule->fields[i], &t) ||
		    afp_has_test(tests, count, &t))
			continue;
		if (count + 1 == room) {
			count = 0;
			break;
		}
		tests[count++] = t;
	}
	__builtin_memset(&tests[count], 0, sizeof(tests[count]));
	tests[count].kind = AFP_T_MATCH;
	return count + 1;
}

/*
 * Does one of the first short rules of the group match whenever this one
 * does? Rules about different directories, say, are the same to us. @tests and
 * @own were written by afp_rule_tests(), without &afp_test.next.
 */
static int afp_is_implied(const struct afp_test *const *shorts, __u32 count,
			  const struct afp_test *own, __u32 own_count)
{
	const struct afp_test *t;
	__u32 i;

	for (i = 0; i < count; i++) {
		t = shorts[i];
		while (t->kind != AFP_T_MATCH &&
		       afp_has_test(own, own_count, t))
			t++;
		if (t->kind == AFP_T_MATCH)
			return 1;
	}
	return 0;
}

/* Can no rule of a group match a call without an inode or a tree of a rule? */
static int afp_tests_need_file(const struct afp_test *tests, __u32 count)
{
	__u32 i;
	int needs = 0;

	/* All rules of a group that begins with this fail with it. */
	if (tests->kind != AFP_T_MATCH && tests->a == AFP_V_INODES)
		return 1;
	for (i = 0; i < count; i++) {
		if (tests[i].kind == AFP_T_MATCH) {
			if (!needs)
				return 0;
			needs = 0;
		} else if (tests[i].a == AFP_V_TREES &&
			   tests[i].kind == AFP_T_RANGE &&
			   0 - tests[i].lo > tests[i].span) {
			needs = 1;
		}
	}
	return 1;
}

/* The values that tests read. */
static __u32 afp_tests_need(const struct afp_test *tests, __u32 count)
{
	__u32 i, needs = 0;

	for (i = 0; i < count; i++) {
		if (tests[i].kind == AFP_T_MATCH)
			continue;
		needs |= AFP_NEEDS(tests[i].a);
		if (tests[i].kind == AFP_T_VALUES)
			needs |= AFP_NEEDS(tests[i].lo);
	}
	return needs;
}

/* Where afp_write_tests() is. */
struct afp_writer {
	struct afp_test *tests;
	__u32 first;		/* of what is not written yet */
	__u32 room;
	__u32 left;		/* rules and groups that follow: one test each */
	const struct afp_test *shorts[AFP_SHORTS];	/* of the group */
	__u32 short_count;
	__u32 last, last_count;	/* the last rule of the group */
};

/*
 * Write a rule of a group, unless another is enough for both.
 *
 * Return: 0 if nothing was done, because it has more than @most tests.
 */
static int afp_write_rule(struct afp_writer *w, const struct afp_rule *rule,
			  __u32 most)
{
	struct afp_test *own = &w->tests[w->first];
	__u32 i, count;

	count = afp_rule_tests(rule, own, w->room - w->first - (w->left - 1));
	if (count > most)
		return 0;
	w->left--;
	if (afp_is_implied(w->shorts, w->short_count, own, count))
		return 1;
	for (i = 0; i < w->last_count; i++)
		w->tests[w->last + i].next =
			(w->last_count - i) * sizeof(*own);
	w->last = w->first;
	w->last_count = count;
	w->first += count;
	if (count <= AFP_SHORT && w->short_count < AFP_SHORTS)
		w->shorts[w->short_count++] = own;
	return 1;
}

/* Write the tests of all rules, group by group. Return: how many. */
static __u32 afp_write_tests(struct afp_scratch *s, struct afp_policy *policy,
			     __u32 room)
{
	struct afp_writer w = { .tests = afp_tests(policy), .room = room };
	struct afp_group *groups = afp_groups(policy);
	__u16 *order = s->order;
	__u32 i, g, begin;

	for (g = 0; g < s->groups; g++) {
		groups[g].tests_at = w.left;
		w.left += s->members[g];
	}
	for (i = 0; i < s->count; i++)
		if (s->group_of[i] != AFP_NO_GROUP)
			s->order[groups[s->group_of[i]].tests_at++] = i;

	w.left += s->groups;
	for (g = 0; g < s->groups; g++) {
		begin = w.first;
		groups[g].tests_at = policy->tests_at +
				     begin * sizeof(*w.tests);
		w.left--;
		w.short_count = 0;
		w.last_count = 0;
		if (s->rules[s->repr[g]].place == AFP_PLACE_INODE) {
			__builtin_memset(&w.tests[begin], 0, sizeof(*w.tests));
			afp_test_value(&w.tests[w.first++], AFP_V_INODES,
				       AFP_OP_NE, 0);
		}
		/* Short rules first: they may be enough for the others. */
		for (i = 0; i < s->members[g]; i++)
			if (afp_write_rule(&w, &s->rules[order[i]], AFP_SHORT))
				order[i] = AFP_NO_RULE;
		for (i = 0; i < s->members[g]; i++)
			if (order[i] != AFP_NO_RULE)
				afp_write_rule(&w, &s->rules[order[i]],
					       AFP_FIELDS_MAX + 1);
		order += s->members[g];
		s->needs[g] = afp_tests_need(&w.tests[begin],
					     w.first - begin);
		if (afp_tests_need_file(&w.tests[begin], w.first - begin))
			s->needs[g] |= AFP_NEEDS_FILE;
	}
	return w.first;
}

/* Are both groups of one rule, with the same tests? */
static int afp_same_tests(const struct afp_test *a, const struct afp_test *b)
{
	while (!__builtin_memcmp(a, b, sizeof(*a)) && !a->next) {
		if (a->kind == AFP_T_MATCH)
			return 1;
		a++;
		b++;
	}
	return 0;
}

/*
 * Name groups that come to the same in a row once: rules about inodes, above
 * all, that differ in their perm. Only the first few are compared with.
 */
static void afp_merge_groups(struct afp_policy *policy, struct afp_row *row)
{
	const struct afp_group *groups = afp_groups(policy);
	__u16 *index = afp_index(policy) + row->groups.first;
	__u32 i, k, kept = 0;

	for (i = 0; i < row->groups.count; i++) {
		for (k = 0; k < kept && k < AFP_SHORTS; k++)
			if (afp_same_tests(afp_table(policy,
						     groups[index[k]].tests_at),
					   afp_table(policy,
						     groups[index[i]].tests_at)))
				break;
		if (k == kept || k == AFP_SHORTS)
			index[kept++] = index[i];
	}
	row->groups.count = kept;
}

/* Does a test hold for a task without supplementary groups? Or may it? */
static int afp_task_holds(const struct afp_test *t, const __u32 *v)
{
	switch (t->kind) {
	case AFP_T_VALUES:
		return afp_compare(v[t->a], t->span, v[t->lo]);
	case AFP_T_GROUP_EQ:
		return v[t->a] == t->lo;
	case AFP_T_GROUP_NE:
		return v[t->a] != t->lo;
	default:
		return afp_value_holds(t, v[t->a]);
	}
}

/* What of a row is decided when all that is known of a call is whose it is. */
static enum afp_outlook afp_row_outlook(const struct afp_policy *policy, __u32 row,
					const struct afp_task *task)
{
	static const __u32 known =
		1u << AFP_V_UID | 1u << AFP_V_EUID | 1u << AFP_V_SUID |
		1u << AFP_V_FSUID | 1u << AFP_V_GID | 1u << AFP_V_EGID |
		1u << AFP_V_SGID | 1u << AFP_V_FSGID | 1u << AFP_V_AUID |
		1u << AFP_V_AUID_SET | 1u << AFP_V_SESSIONID;
	const struct afp_row *r = &afp_rows(policy)[row];
	enum afp_outlook outlook = AFP_OUTLOOK_SKIPS;
	const struct afp_group *g;
	const struct afp_test *t;
	__u32 v[AFP_VALUES], i, open, all_open;

	if (row == AFP_ROW_NONE)
		return AFP_OUTLOOK_SKIPS;
	if (row == AFP_ROW_LIMIT)
		return AFP_OUTLOOK_WALKS;
	for (i = 0; i < AFP_VALUES; i++)
		v[i] = task->id;
	v[AFP_V_AUID] = task->auid;
	v[AFP_V_AUID_SET] = task->auid != AFP_UID_UNSET;
	v[AFP_V_SESSIONID] = task->sessionid;

	for (i = 0; i < r->groups.count; i++) {
		g = &afp_groups(policy)[afp_index(policy)[r->groups.first + i]];
		t = afp_table(policy, g->tests_at);
		open = 0;
		all_open = 0;
		for (;;) {
			if (t->kind == AFP_T_MATCH) {
				if (!open && !all_open)
					return AFP_OUTLOOK_WALKS;
				outlook = AFP_OUTLOOK_DECIDES;
			} else if (!(known >> t->a & 1)) {
				/* What has no next stands before all that follows. */
				if (t->next)
					open = 1;
				else
					all_open = 1;
				t++;
				continue;
			} else if (afp_task_holds(t, v)) {
				t++;
				continue;
			}
			if (!t->next)
				break;
			t = (const void *)((const char *)t + t->next);
			open = 0;
		}
	}
	return outlook;
}

enum afp_outlook afp_policy_outlook(const struct afp_policy *policy, __u32 pair,
				    const struct afp_task *task)
{
	const __u32 auid = task->auid != AFP_UID_UNSET ? AFP_CLASS_AUID : 0;
	__u32 class, flags, skips = 0, walks = 0, all = 0;

	for (class = 0; class < AFP_CLASSES; class++) {
		if ((class & AFP_CLASS_AUID) != auid)
			continue;
		for (flags = 0; flags < AFP_MODES; flags++) {
			const __u32 row = afp_policy_row(policy, pair, class, flags, flags);
			const enum afp_outlook outlook = afp_row_outlook(policy, row, task);

			all++;
			skips += outlook == AFP_OUTLOOK_SKIPS;
			walks += outlook == AFP_OUTLOOK_WALKS;
		}
	}
	return skips == all ? AFP_OUTLOOK_SKIPS :
	       walks == all ? AFP_OUTLOOK_WALKS : AFP_OUTLOOK_DECIDES;
}

/*
 * Note the classes in which any cell of a pair has a row at all.
 *
 * Return: the tasks whose calls are skipped, whatever they open or collect:
 * a bit each.
 */
static __u32 afp_look_at(const struct afp_scratch *s,
			 struct afp_policy *policy, __u32 pair)
{
	static const __u32 classes[AFP_TASKS] = {
		[AFP_TASK_DAEMON] = 0,
		[AFP_TASK_USER] = AFP_CLASS_AUID,
	};
	__u32 class, flags, row, task, skips = (1u << AFP_TASKS) - 1;

	for (class = 0; class < AFP_CLASSES; class++) {
		for (flags = 0; flags < AFP_MODES; flags++) {
			row = afp_policy_row(policy, pair, class, flags,
					     flags);
			if (row != AFP_ROW_NONE)
				policy->look[pair] |= 1u << class;
			for (task = 0; task < AFP_TASKS; task++)
				if ((class & AFP_CLASS_AUID) == classes[task])
					skips &= s->row_skips[row] |
						 ~(1u << task);
		}
	}
	return skips;
}

/* The same for a call that begins. After afp_look_at(). */
static void afp_look_early(const struct afp_scratch *s,
			   struct afp_policy *policy, __u32 pair)
{
	const __u32 alters = s->classes->alters[pair / AFP_NR_MAX]
					       [pair % AFP_NR_MAX];
	const __u32 look = policy->look[pair];
	const __u32 auid = afp_classes_with(AFP_CLASS_AUID);
	__u32 early = 0;

	if (alters & AFP_ALTERS_CONTEXT)
		early = AFP_EARLY_NEVER | 3;
	else if (alters)
		early = AFP_EARLY_ALTERS | (look ? 3 : 0);
	else
		early = (look & ~auid ? 1 : 0) | (look & auid ? 2 : 0);
	policy->early[pair] = early;
}

/* Lay the tables out one after another, the rest goes to index and tests. */
static void afp_write_tables(struct afp_scratch *s, struct afp_policy *policy)
{
	__u32 size = afp_policy_size(s->count), at, end, first, i, g, r;
	struct afp_row *rows;
	__u16 *index, *row;

	at = sizeof(*policy);
	policy->rows_at = at;
	at += s->rows * sizeof(struct afp_row);
	policy->groups_at = at;
	at += s->groups * sizeof(struct afp_group);
	policy->index_at = at;

	/* Which element stands for each row. */
	row = &policy->row[0][0];
	for (i = 0; i < AFP_ELEMENTS; i++)
		s->row_repr[row[i]] = i;

	/* Rows: their groups. At most half of what is left. */
	rows = afp_rows(policy);
	index = afp_index(policy);
	end = (size - at) / 2 / sizeof(*index);
	first = 0;
	__builtin_memset(rows, 0, s->rows * sizeof(*rows));
	for (r = AFP_ROW_FIRST; r < s->rows; r++) {
		rows[r].groups.first = first;
		if (!s->row_count[r])
			continue;
		for (g = 0; g < s->groups; g++) {
			if (!afp_group_names(s, g, s->row_repr[r]))
				continue;
			if (first == end)
				break;
			index[first++] = g;
			rows[r].groups.count++;
		}
		if (g == s->groups)
			continue;
		first = rows[r].groups.first;
		rows[r].groups.count = 0;
		policy->limited = 1;
		for (i = 0; i < AFP_ELEMENTS; i++)
			if (row[i] == r)
				row[i] = AFP_ROW_LIMIT;
	}
	/* Up to a multiple of 8, and no byte of it is left as it was. */
	while ((at + first * sizeof(*index)) % 8)
		index[first++] = 0;
	at += first * sizeof(*index);
	policy->tests_at = at;

	first = afp_write_tests(s, policy,
				(size - at) / sizeof(struct afp_test));
	policy->size = at + first * sizeof(struct afp_test);

	for (r = AFP_ROW_FIRST; r < s->rows; r++) {
		__u32 all = ~0u;

		afp_merge_groups(policy, &rows[r]);
		for (i = 0; i < rows[r].groups.count; i++) {
			const __u32 needs =
				s->needs[index[rows[r].groups.first + i]];

			rows[r].needs |= needs;
			all &= needs;
		}
		rows[r].needs &= ~AFP_NEEDS_FILE | all;
	}
}

int afp_compile(const struct afp_rule *rules, __u32 count,
		const struct afp_classes *classes,
		struct afp_policy *policy, void *scratch)
{
	struct afp_scratch *s = scratch;
	__u32 g, pair, row, task;

	if (count > AFP_RULES_MAX)
		return -1;

	afp_scratch_init(s, count);
	s->rules = rules;
	s->classes = classes;
	s->policy = policy;
	s->count = count;

	__builtin_memset(policy, 0, sizeof(*policy));
	policy->rules = count;
	__builtin_memcpy(policy->arch, classes->arch, sizeof(policy->arch));
	afp_write_kinds(s, policy);

	afp_group_rules(s);
	s->rows = AFP_ROW_FIRST;
	for (g = 0; g < s->groups; g++)
		afp_split_rows(s, policy, g);
	policy->limited = s->row_count[AFP_ROW_LIMIT] != 0;
	afp_write_tables(s, policy);

	for (row = 0; row < s->rows; row++)
		for (task = 0; task < AFP_TASKS; task++)
			if (afp_row_outlook(policy, row, &afp_tasks[task]) == AFP_OUTLOOK_SKIPS)
				s->row_skips[row] |= 1u << task;
	for (pair = 0; pair < AFP_PAIRS; pair++) {
		__u32 skips = afp_look_at(s, policy, pair);

		afp_look_early(s, policy, pair);
		if (pair >= AFP_NR_MAX || !classes->exists[pair])
			continue;
		policy->syscalls_total++;
		policy->syscalls_skippable += skips >> AFP_TASK_DAEMON & 1;
		policy->syscalls_skippable_user += skips >> AFP_TASK_USER & 1;
	}
	return 0;
}

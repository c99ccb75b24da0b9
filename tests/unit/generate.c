// SPDX-License-Identifier: GPL-2.0-only
#include <linux/audit.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "classes.h"
#include "generate.h"

static __u32 pick(struct input *in, __u32 below)
{
	__u32 raw = 0;

	if (in->at < in->end)
		raw = *in->at++;
	if (below > 256 && in->at < in->end)
		raw = raw << 8 | *in->at++;
	return raw % below;
}

static __u32 raw32(struct input *in)
{
	return pick(in, 65536) << 16 | pick(in, 65536);
}

#define PICK(in, table) \
	((table)[pick(in, sizeof(table) / sizeof((table)[0]))])

/* Values where comparisons turn, and a few that rules are made of. */
static __u32 value(struct input *in)
{
	static const __u32 edges[] = {
		0, 1, 2, 3, 998, 999, 1000, 1001, 0x7fffffff, 0x80000000,
		0xfffffffe, 0xffffffff, -4, -13, -512, -516,
	};

	return pick(in, 16) ? PICK(in, edges) : raw32(in);
}

static __s32 number(struct input *in)
{
	static const __u16 known[] = {
		2, 257, 437, 59, 322, 5, 295, 11, 358, 102, 49, 90, 39, 0,
		89, 15, 179, 86, 452, 2031, 2032, 2047, 31, 32, 33,
	};

	return pick(in, 4) ? PICK(in, known) : pick(in, AFP_NR_MAX);
}

static __u32 arch(struct input *in)
{
	static const __u32 known[] = {
		AUDIT_ARCH_X86_64, AUDIT_ARCH_I386, AUDIT_ARCH_X86_64,
		AUDIT_ARCH_I386, AUDIT_ARCH_AARCH64, 0,
	};

	return PICK(in, known);
}

/* All that the engine is told of; perm= for most kinds. */
static const __u8 decidable_types[] = {
	AUDIT_PID, AUDIT_UID, AUDIT_EUID, AUDIT_SUID, AUDIT_FSUID, AUDIT_GID,
	AUDIT_EGID, AUDIT_SGID, AUDIT_FSGID, AUDIT_LOGINUID, AUDIT_PERS,
	AUDIT_ARCH, AUDIT_LOGINUID_SET, AUDIT_SESSIONID, AUDIT_EXIT,
	AUDIT_SUCCESS, AUDIT_PERM, AUDIT_ARG0, AUDIT_ARG1, AUDIT_ARG2,
	AUDIT_ARG3, AUDIT_FILTERKEY, AUDIT_FIELD_COMPARE, AUDIT_ARCH,
	AUDIT_PERM,
};

static const __u8 other_types[] = {
	AUDIT_MSGTYPE, AUDIT_SUBJ_USER, AUDIT_SUBJ_ROLE, AUDIT_SUBJ_TYPE,
	AUDIT_SUBJ_SEN, AUDIT_SUBJ_CLR, AUDIT_PPID, AUDIT_OBJ_USER,
	AUDIT_OBJ_ROLE, AUDIT_OBJ_TYPE, AUDIT_OBJ_LEV_LOW, AUDIT_OBJ_LEV_HIGH,
	AUDIT_FSTYPE, AUDIT_DEVMAJOR, AUDIT_DEVMINOR, AUDIT_INODE,
	AUDIT_WATCH, AUDIT_DIR, AUDIT_FILETYPE, AUDIT_OBJ_UID, AUDIT_OBJ_GID,
	AUDIT_EXE, AUDIT_SADDR_FAM, AUDIT_WATCH, AUDIT_DIR, AUDIT_EXE,
	AUDIT_FIELD_COMPARE,
};

static __u32 field_value(struct input *in, __u32 type, int decidable)
{
	static const __u32 types[] = { S_IFREG, S_IFDIR, S_IFIFO, 0 };

	switch (type) {
	case AUDIT_ARCH:
		return arch(in);
	case AUDIT_PERM:
		return pick(in, 16);
	case AUDIT_LOGINUID_SET:
	case AUDIT_SUCCESS:
		return pick(in, 2);
	case AUDIT_FIELD_COMPARE:
		return decidable ? 10 + pick(in, 16) : pick(in, 28);
	case AUDIT_FILETYPE:
		return PICK(in, types);
	case AUDIT_DEVMAJOR:
	case AUDIT_DEVMINOR:
	case AUDIT_INODE:
	case AUDIT_EXE:
	case AUDIT_SADDR_FAM:
		return pick(in, 40);
	}
	return value(in);
}

static void generate_field(struct input *in, struct afp_field *f,
			   int decidable, int loadable)
{
	if (decidable || pick(in, 2))
		f->type = PICK(in, decidable_types);
	else
		f->type = PICK(in, other_types);
	f->op = pick(in, AFP_OPS);
	if (pick(in, 2))
		f->op &= 1;		/* most rules use = and != */
	f->val = field_value(in, f->type, decidable);

	if (!loadable && !pick(in, 8))
		f->op = pick(in, 2) ? AFP_OPS : raw32(in);
	if (!loadable && !pick(in, 8))
		f->type = pick(in, 2) ? pick(in, 256) : raw32(in);
	if (!loadable && !pick(in, 8))
		f->val = raw32(in);
	if (loadable && !ref_loadable(f))
		f->op = Audit_equal;
	if (loadable && !ref_loadable(f))
		f->type = AUDIT_FILTERKEY;
}

static void generate_mask(struct input *in, __u32 *mask)
{
	__u32 i, n = pick(in, 6);

	memset(mask, 0, AFP_MASK_WORDS * sizeof(*mask));
	switch (n) {
	case 0:
		memset(mask, 0xff, AFP_MASK_WORDS * sizeof(*mask));
		break;
	case 1:
		mask[pick(in, AFP_MASK_WORDS)] = raw32(in);
		break;
	default:
		for (i = 1; i < n; i++) {
			__u32 nr = number(in);

			mask[nr / 32] |= 1u << nr % 32;
		}
	}
}

static void generate_rule(struct input *in, const struct scenario *s,
			  struct ref_rule *rule)
{
	__u32 i, n = pick(in, 5);

	memset(rule, 0, sizeof(*rule));
	if (!pick(in, 32))
		n = pick(in, AFP_FIELDS_MAX + 1);
	generate_mask(in, rule->mask);
	rule->always = s->decidable || pick(in, 5);
	rule->place = s->decidable || pick(in, 3) ? AFP_PLACE_EXIT :
						    AFP_PLACE_INODE;
	rule->tree = pick(in, 4);
	rule->watch_ino = pick(in, 5) ? pick(in, 40) : REF_INO_UNSET;
	rule->watch_dev = pick(in, 3);
	rule->bucket = rule->watch_ino % REF_BUCKETS;
	for (i = 0; i < n; i++) {
		struct afp_field *f = &rule->fields[i];

		generate_field(in, f, s->decidable, s->loadable);
		if (f->type == AUDIT_INODE)
			rule->bucket = f->val % REF_BUCKETS;
	}
	rule->field_count = n;
}

static void generate_classes(struct input *in, struct afp_classes *classes)
{
	classes_fill(pick(in, CLASSES_KERNELS), classes);
	if (!pick(in, 16))
		classes->arch[AFP_ABI_COMPAT] = 0;
	if (pick(in, 4))
		return;
	for (__u32 i = 0; i < 40; i++) {
		__u32 abi = pick(in, AFP_ABIS), nr = number(in) % AFP_NR_MAX;

		classes->kind[abi][nr] = pick(in, AFP_KINDS + 1);
		classes->perm[abi][nr] = pick(in, 8) << 1;
		classes->alters[abi][nr] = pick(in, 4);
	}
}

void generate_rules(struct input *in, struct scenario *s)
{
	s->decidable = pick(in, 2);
	s->loadable = s->decidable || pick(in, 4);
	generate_classes(in, &s->classes);
	s->count = pick(in, 4) ? pick(in, 4) + 1 : pick(in, GEN_RULES + 1);
	for (__u32 i = 0; i < s->count; i++) {
		generate_rule(in, s, &s->rules[i]);
		/* A bucket need not be in order: a watch may come back. */
		s->rules[i].prio = REF_PRIO - 2 * i;
		if (s->rules[i].place == AFP_PLACE_INODE)
			s->rules[i].prio += 1 - 2 * (int)pick(in, 8);
	}
}

void call_set(struct ref_call *call, __u32 type, __u32 val)
{
	switch (type) {
	case AUDIT_PID:
		call->pid = val;
		break;
	case AUDIT_PPID:
		call->ppid = val;
		break;
	case AUDIT_UID:
		call->uid = val;
		break;
	case AUDIT_EUID:
		call->euid = val;
		break;
	case AUDIT_SUID:
		call->suid = val;
		break;
	case AUDIT_FSUID:
		call->fsuid = val;
		break;
	case AUDIT_GID:
		call->gid = val;
		break;
	case AUDIT_EGID:
		call->egid = val;
		break;
	case AUDIT_SGID:
		call->sgid = val;
		break;
	case AUDIT_FSGID:
		call->fsgid = val;
		break;
	case AUDIT_LOGINUID:
		call->auid = val;
		break;
	case AUDIT_LOGINUID_SET:
		call->auid = val ? 1000 : ~0u;
		break;
	case AUDIT_SESSIONID:
		call->sessionid = val;
		break;
	case AUDIT_PERS:
		call->personality = val;
		break;
	case AUDIT_ARCH:
		call->arch = val;
		break;
	case AUDIT_EXIT:
		call->code = (__s32)val;
		break;
	case AUDIT_SUCCESS:
		call->success = !!val;
		break;
	case AUDIT_ARG0:
	case AUDIT_ARG1:
	case AUDIT_ARG2:
	case AUDIT_ARG3:
		call->arg[type - AUDIT_ARG0] = val;
		break;
	case AUDIT_EXE:
		call->exe = val;
		break;
	case AUDIT_SADDR_FAM:
		call->has_sockaddr = 1;
		call->family = val;
		break;
	case AUDIT_DEVMAJOR:
		call->names[0].dev = val << 20 | (call->names[0].dev & 0xfffff);
		break;
	case AUDIT_DEVMINOR:
		call->names[0].rdev = val & 0xfffff;
		break;
	case AUDIT_INODE:
		call->names[0].ino = val;
		break;
	case AUDIT_OBJ_UID:
		call->names[0].uid = val;
		break;
	case AUDIT_OBJ_GID:
		call->names[0].gid = val;
		break;
	case AUDIT_FILETYPE:
		call->names[0].mode = val | 0644;
		break;
	}
}

/* Make the call match a field, most of the time; or miss it by one. */
static void model_field(struct input *in, const struct ref_rule *rule,
			const struct afp_field *f, struct ref_call *call)
{
	__u32 val = f->val;

	switch (f->op) {
	case Audit_not_equal:
	case Audit_gt:
		val++;
		break;
	case Audit_lt:
		val--;
		break;
	}
	switch (pick(in, 8)) {
	case 0:
		val++;
		break;
	case 1:
		val--;
		break;
	case 2:
		return;
	}
	switch (f->type) {
	case AUDIT_PERM:
		call->arg[0] = pick(in, 4);
		call->arg[1] = pick(in, 4);
		call->arg[2] = pick(in, 4);
		return;
	case AUDIT_WATCH:
		call->names[0].ino = rule->watch_ino;
		call->names[0].dev = rule->watch_dev;
		return;
	case AUDIT_DIR:
		call->trees |= 1u << rule->tree % 32;
		return;
	case AUDIT_GID:
	case AUDIT_EGID:
		if (call->group_count && pick(in, 2)) {
			/* One group for all is sorted whatever it is. */
			for (__u32 i = 0; i < call->group_count; i++)
				call->groups[i] = val;
			return;
		}
		break;
	}
	call_set(call, f->type, val);
}

static void generate_groups(struct input *in, struct ref_call *call)
{
	call->group_count = pick(in, 3) ? pick(in, 4) :
					  pick(in, REF_GROUPS + 1);
	for (__u32 i = 0; i < call->group_count; i++) {
		__u32 gid = value(in), j = i;

		for (; j && call->groups[j - 1] > gid; j--)
			call->groups[j] = call->groups[j - 1];
		call->groups[j] = gid;
	}
}

void generate_hidden(struct input *in, struct ref_call *call)
{
	/* The engine is told what is watched: keep inodes, change the rest. */
	for (__u32 i = 0; i < call->name_count; i++) {
		struct ref_name *n = &call->names[i];

		if (!pick(in, 2))
			n->dev = pick(in, 4) | pick(in, 4) << 20;
		n->rdev = pick(in, 4) | pick(in, 4) << 20;
		n->mode = pick(in, 2) ? S_IFREG : S_IFDIR;
		n->uid = value(in);
		n->gid = value(in);
	}
	if (call->trees)
		call->trees = 1u << pick(in, 4);
	call->exe = pick(in, 4);
	call->ppid = value(in);
	call->openat2 = pick(in, 4);
	call->has_sockaddr = pick(in, 2);
	call->family = pick(in, 40);
	call->oracle = pick(in, 3) ? -pick(in, 2) : raw32(in);
	/* High halves are not compared by any argument field. */
	for (__u32 i = 0; i < 4; i++)
		call->arg[i] = (__u32)call->arg[i] | (__u64)pick(in, 2) << 32;
}

void generate_call(struct input *in, const struct scenario *s,
		   struct ref_call *call)
{
	__u32 *ids[] = {
		&call->uid, &call->euid, &call->suid, &call->fsuid,
		&call->gid, &call->egid, &call->sgid, &call->fsgid,
		&call->auid, &call->pid, &call->sessionid,
		&call->personality,
	};
	__u32 i, same = value(in);
	const struct ref_rule *rule;

	memset(call, 0, sizeof(*call));
	call->arch = pick(in, 2) ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_I386;
	call->nr = number(in);
	for (i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		*ids[i] = pick(in, 2) ? same : value(in);
	generate_groups(in, call);
	for (i = 0; i < 4; i++)
		call->arg[i] = value(in);
	call->code = (__s32)value(in);
	call->success = pick(in, 2);
	call->name_count = pick(in, 2) ? 0 : pick(in, REF_NAMES + 1);
	for (i = 0; i < call->name_count; i++)
		call->names[i].ino = pick(in, 8) ? pick(in, 40) :
						   REF_INO_UNSET;
	call->trees = pick(in, 3) ? 0 : 1u << pick(in, 4);
	call->ipc = !pick(in, 4);
	generate_hidden(in, call);
	if (!pick(in, 16)) {
		call->nr = pick(in, 2) ? (__s32)raw32(in) :
					 AFP_NR_MAX + (__s32)pick(in, 64);
		call->arch = arch(in);
	}
	if (!s->count || !pick(in, 4))
		return;

	rule = &s->rules[pick(in, s->count)];
	for (i = 0; i < AFP_NR_MAX; i++) {
		__u32 nr = (call->nr + i) % AFP_NR_MAX;

		if (rule->mask[nr / 32] >> nr % 32 & 1) {
			call->nr = nr;
			break;
		}
	}
	if (rule->place == AFP_PLACE_INODE || !pick(in, 2))
		call->name_count += !call->name_count;
	if (rule->place == AFP_PLACE_INODE)
		call->names[0].ino = rule->bucket;
	for (i = 0; i < rule->field_count; i++)
		model_field(in, rule, &rule->fields[i], call);
}

int perm_exact(const struct afp_classes *classes, __u32 abi, __u32 nr)
{
	__u32 i, opens = 0;

	switch (classes->kind[abi][nr]) {
	case AFP_KIND_NUMBER:
	case AFP_KIND_EXEC:
		return 1;
	case AFP_KIND_OPEN:
	case AFP_KIND_OPENAT:
		for (i = 0; i < AFP_PAIRS; i++) {
			__u8 kind = classes->kind[i / AFP_NR_MAX]
						 [i % AFP_NR_MAX];

			opens += kind == AFP_KIND_OPEN ||
				 kind == AFP_KIND_OPENAT;
		}
		return opens <= AFP_OPENS;
	default:
		return 0;
	}
}

int scenario_exact(const struct scenario *s, const struct ref_call *call)
{
	__u32 abi = call->arch != s->classes.arch[AFP_ABI_NATIVE];

	return s->decidable && call->arch &&
	       call->arch == s->classes.arch[abi] &&
	       (__u32)call->nr < AFP_NR_MAX &&
	       perm_exact(&s->classes, abi, call->nr);
}

static void print_rule(__u32 i, const struct ref_rule *rule, __s32 nr)
{
	static const char *const ops[] = {
		"=", "!=", "&", "&=", "<", ">", "<=", ">=",
	};
	__u32 bits = 0, j;

	for (j = 0; j < AFP_NR_MAX; j++)
		bits += rule->mask[j / 32] >> j % 32 & 1;
	printf("#   rule %u: %s,%s, %u numbers%s", i,
	       rule->place == AFP_PLACE_EXIT ? "exit" : "inode",
	       rule->always ? "always" : "never", bits,
	       (__u32)nr < AFP_NR_MAX &&
	       rule->mask[nr / 32] >> nr % 32 & 1 ? " with this" : "");
	if (rule->place != AFP_PLACE_EXIT)
		printf(", bucket %u", rule->bucket);
	for (j = 0; j < rule->field_count; j++) {
		const struct afp_field *f = &rule->fields[j];

		printf(", field %u ", f->type);
		if (f->op < AFP_OPS)
			printf("%s ", ops[f->op]);
		else
			printf("op %u ", f->op);
		printf("%#x", f->val);
	}
	printf("\n");
}

void scenario_print(const struct ref_rule *rules, __u32 count,
		    const struct ref_call *call)
{
	__u32 i;

	for (i = 0; i < count && i < 8; i++)
		print_rule(i, &rules[i], call->nr);
	if (i < count)
		printf("#   and %u more rules\n", count - i);
	printf("#   call: arch %#x nr %d a0 %#llx a1 %#llx a2 %#llx a3 %#llx",
	       call->arch, call->nr, call->arg[0], call->arg[1],
	       call->arg[2], call->arg[3]);
	printf(" success %u code %ld\n", call->success, call->code);
	printf("#   uid %#x %#x %#x %#x gid %#x %#x %#x %#x auid %#x",
	       call->uid, call->euid, call->suid, call->fsuid, call->gid,
	       call->egid, call->sgid, call->fsgid, call->auid);
	printf(" pid %#x ses %#x pers %#x groups %u", call->pid,
	       call->sessionid, call->personality, call->group_count);
	for (i = 0; i < call->group_count; i++)
		printf("%c%#x", i ? ',' : ':', call->groups[i]);
	printf("\n#   trees %#x names %u", call->trees, call->name_count);
	for (i = 0; i < call->name_count; i++)
		printf(" (ino %#llx dev %#x rdev %#x mode %o owner %#x:%#x)",
		       call->names[i].ino, call->names[i].dev,
		       call->names[i].rdev, call->names[i].mode,
		       call->names[i].uid, call->names[i].gid);
	printf("\n#   exe %u ppid %#x openat2 %u sockaddr %u:%u ipc %u",
	       call->exe, call->ppid, call->openat2, call->has_sockaddr,
	       call->family, call->ipc);
	printf(" oracle %#x\n", call->oracle);
}

const char *scenario_check(struct engine *e, const struct scenario *s,
			   const struct ref_call *call)
{
	const char *wrong = engine_check(e, call);

	if (!wrong && scenario_exact(s, call) && !e->record &&
	    e->answer != AFP_SKIP)
		wrong = "not exact: walks, and no record is possible";
	return wrong;
}

/* Take the new list if it is wrong too. */
static int shrink_to(struct scenario *s, const struct scenario *smaller,
		     const struct ref_call *call)
{
	struct engine e = { 0 };
	const char *wrong = engine_build(&e, smaller->rules, smaller->count,
					 &smaller->classes);

	if (!wrong)
		wrong = scenario_check(&e, smaller, call);
	engine_free(&e);
	if (wrong)
		*s = *smaller;
	return !!wrong;
}

static void remove_at(void *table, __u32 *count, size_t size, __u32 i)
{
	char *at = (char *)table + i * size;

	memmove(at, at + size, (--*count - i) * size);
}

static int without_rule(struct scenario *s, const struct ref_call *call,
			__u32 i)
{
	static struct scenario smaller;

	smaller = *s;
	remove_at(smaller.rules, &smaller.count, sizeof(smaller.rules[0]), i);
	return shrink_to(s, &smaller, call);
}

static int without_field(struct scenario *s, const struct ref_call *call,
			 __u32 i, __u32 j)
{
	static struct scenario smaller;
	struct ref_rule *rule = &smaller.rules[i];

	smaller = *s;
	remove_at(rule->fields, &rule->field_count, sizeof(rule->fields[0]),
		  j);
	return shrink_to(s, &smaller, call);
}

void scenario_report(struct scenario *s, const struct ref_call *call)
{
	__u32 i, j;

	for (i = 0; i < s->count;)
		i += !without_rule(s, call, i);
	for (i = 0; i < s->count; i++)
		for (j = 0; j < s->rules[i].field_count;)
			j += !without_field(s, call, i, j);
	scenario_print(s->rules, s->count, call);
}

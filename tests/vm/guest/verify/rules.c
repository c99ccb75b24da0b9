// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random rule sets. Each rule is made after the model of a call that may
 * come, and then often changed in one condition, so that it just misses.
 */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "../native.h"
#include "verify.h"

#ifndef AUDIT_SADDR_FAM
#define AUDIT_SADDR_FAM 113
#endif

static const uint32_t operators[] = {
	AUDIT_EQUAL, AUDIT_NOT_EQUAL, AUDIT_LESS_THAN, AUDIT_GREATER_THAN,
	AUDIT_LESS_THAN_OR_EQUAL, AUDIT_GREATER_THAN_OR_EQUAL, AUDIT_BIT_MASK,
	AUDIT_BIT_TEST,
};

/* How many of these a field takes. */
#define ONLY_EQUAL	1
#define EQUALITY	2
#define ORDER		6
#define ALL		8

/* The temper of a set: in what its rules are alike. */
struct temper {
	unsigned int all;	/* a mask of all numbers: once in so many */
	unsigned int vague;	/* fields that walk: once in so many */
	unsigned int files;	/* fields about files: once in so many */
	int fields;		/* up to so many more than one */
};

static const char *workload_dir;

static void add_mask(struct rule *r, int nr)
{
	unsigned int n = nr;

	if (n < AUDIT_BITMASK_SIZE * 32)
		r->data.mask[AUDIT_WORD(n)] |= AUDIT_BIT(n);
}

static int has_field(const struct rule *r, uint32_t type)
{
	uint32_t i;

	for (i = 0; i < r->data.field_count; i++)
		if (r->data.fields[i] == type)
			return 1;
	return 0;
}

static void add(struct rule *r, uint32_t type, uint32_t op, uint32_t val)
{
	uint32_t n = r->data.field_count;

	if (n == AUDIT_MAX_FIELDS)
		return;
	r->data.fields[n] = type;
	r->data.fieldflags[n] = op;
	r->data.values[n] = val;
	r->data.field_count++;
}

static void add_text(struct rule *r, uint32_t type, uint32_t op,
		     const char *text)
{
	uint32_t len = strlen(text);

	if (r->data.buflen + len > sizeof(r->buf) ||
	    r->data.field_count == AUDIT_MAX_FIELDS)
		return;
	add(r, type, op, len);
	memcpy(r->data.buf + r->data.buflen, text, len);
	r->data.buflen += len;
}

static uint32_t operator_of(struct rng *rng, int taken)
{
	/* Now and then one that the kernel has to refuse. */
	if (rng_one_in(rng, 200))
		taken = ALL;
	if (taken > EQUALITY && rng_one_in(rng, 2))
		taken = EQUALITY;
	return operators[rng_below(rng, taken)];
}

/* The value that is known to occur, most of the time. */
static uint32_t near(struct rng *rng, uint32_t val)
{
	static const uint32_t edges[] = {
		0, 1, 2, 999, 1000, 1001, 65534, 0x7fffffff, 0x80000000,
		0xfffffffe, UNSET,
	};

	switch (rng_below(rng, 12)) {
	case 0:
		return val + 1;
	case 1:
		return val - 1;
	case 2:
		return PICK(rng, edges);
	default:
		return val;
	}
}

static void add_near(struct rng *rng, struct rule *r, uint32_t type, int taken,
		     uint32_t val)
{
	add(r, type, operator_of(rng, taken), near(rng, val));
}

static const char *file_of(struct rng *rng, const struct model *m)
{
	static const char *const others[] = {
		"watched/f1", "watched/new", "tree/f1", "plain/f1", "plain",
		"owned/user", "gone/f", "gonetree", "swap/f", "bin/prog",
	};
	static char text[128];

	if (m->path && rng_below(rng, 3))
		return m->path;
	if (rng_one_in(rng, 2))
		return calls_path(rng);
	snprintf(text, sizeof(text), "%s/%s", workload_dir, PICK(rng, others));
	return text;
}

/* A field that is about the names of a call. */
static void add_file_field(struct rng *rng, struct rule *r,
			   const struct model *m)
{
	static const uint32_t types[] = {
		S_IFREG, S_IFDIR, S_IFCHR, S_IFIFO, S_IFLNK, S_IFSOCK, 0,
	};
	const char *file = file_of(rng, m);
	struct stat st = { 0 };

	if (stat(file, &st))
		st.st_ino = rng_below(rng, 64);
	switch (rng_below(rng, 9)) {
	case 0:
		add_near(rng, r, AUDIT_DEVMAJOR, ORDER, major(st.st_dev));
		break;
	case 1:
		add_near(rng, r, AUDIT_DEVMINOR, ALL, minor(st.st_dev));
		break;
	case 2:
		/* With = it is kept with the watches. */
		if (has_field(r, AUDIT_WATCH) || has_field(r, AUDIT_DIR))
			break;
		add(r, AUDIT_INODE, operator_of(rng, EQUALITY), st.st_ino);
		break;
	case 3:
		add_near(rng, r, AUDIT_OBJ_UID, ORDER, st.st_uid);
		break;
	case 4:
		add_near(rng, r, AUDIT_OBJ_GID, ORDER, st.st_gid);
		break;
	case 5:
		add(r, AUDIT_FILETYPE, operator_of(rng, EQUALITY),
		    rng_one_in(rng, 3) ? PICK(rng, types) : st.st_mode & S_IFMT);
		break;
	case 6:
		add(r, AUDIT_FIELD_COMPARE, operator_of(rng, EQUALITY),
		    AUDIT_COMPARE_UID_TO_OBJ_UID + rng_below(rng, 9));
		break;
	default:
		add(r, AUDIT_PERM, operator_of(rng, EQUALITY),
		    1 + rng_below(rng, 15));
	}
}

/* A field that no engine can know beforehand. */
static void add_vague_field(struct rng *rng, struct rule *r,
			    const struct model *m)
{
	static const char *const programs[] = {
		"/guest/verify", "/guest/workload", "/bin/busybox",
		"/nowhere/at/all", "/tmp/none",
	};
	static const char *const labels[] = {
		"unconfined", "system_u", "init_t", "s0",
	};
	static const uint32_t families[] = { 1, 2, 4, 10, 16 };

	switch (rng_below(rng, 6)) {
	case 0:
		add_near(rng, r, AUDIT_PPID, ORDER, m->caller[0].pid);
		break;
	case 1:
		if (!has_field(r, AUDIT_EXE))
			add_text(r, AUDIT_EXE, operator_of(rng, EQUALITY),
				 PICK(rng, programs));
		break;
	case 2:
	case 3:
		add_near(rng, r, AUDIT_SADDR_FAM, ORDER, PICK(rng, families));
		break;
	case 4:
		add_text(r, AUDIT_SUBJ_USER + rng_below(rng, 5),
			 operator_of(rng, EQUALITY), PICK(rng, labels));
		break;
	default:
		add_text(r, AUDIT_OBJ_USER + rng_below(rng, 5),
			 operator_of(rng, EQUALITY), PICK(rng, labels));
	}
}

static void add_arch(struct rng *rng, struct rule *r, const struct model *m)
{
	static const uint32_t others[] = {
		NATIVE_ARCH, AUDIT_ARCH_I386, AUDIT_ARCH_AARCH64, 0,
	};

	add(r, AUDIT_ARCH, operator_of(rng, EQUALITY),
	    rng_one_in(rng, 12) ? PICK(rng, others) :
	    m->compat ? AUDIT_ARCH_I386 : NATIVE_ARCH);
}

static void add_field(struct rng *rng, struct rule *r, const struct model *m)
{
	static const uint32_t uids[] = {
		AUDIT_UID, AUDIT_EUID, AUDIT_SUID, AUDIT_FSUID,
	};
	static const uint32_t gids[] = {
		AUDIT_GID, AUDIT_EGID, AUDIT_SGID, AUDIT_FSGID,
	};
	uint32_t n = rng_below(rng, 4), id;

	switch (rng_below(rng, 20)) {
	case 0:
	case 1:
	case 2:
		add_near(rng, r, uids[n], ORDER, m->who->uid[n]);
		break;
	case 3:
	case 4:
	case 5:
		/* gid and egid look at the others too, for = and !=. */
		if (m->who->groups && rng_below(rng, 3)) {
			id = m->who->group[rng_below(rng, m->who->groups)];
			add_near(rng, r, gids[n % 2], EQUALITY, id);
			break;
		}
		add_near(rng, r, gids[n], ORDER, m->who->gid[n]);
		break;
	case 6:
	case 7:
		add_near(rng, r, AUDIT_LOGINUID, ORDER, m->who->auid);
		break;
	case 8:
		add(r, AUDIT_LOGINUID_SET, operator_of(rng, EQUALITY),
		    rng_below(rng, 2));
		break;
	case 9:
		add_near(rng, r, AUDIT_SESSIONID, ORDER, m->caller->session);
		break;
	case 10:
		add_near(rng, r, AUDIT_PID, ORDER, m->caller->pid);
		break;
	case 11:
		add_near(rng, r, AUDIT_PERS, ALL, m->personality);
		break;
	case 12:
	case 13:
		add_near(rng, r, AUDIT_EXIT, ORDER, m->result);
		break;
	case 14:
		add(r, AUDIT_SUCCESS, operator_of(rng, ORDER),
		    rng_one_in(rng, 8) ? 2 : m->result >= 0);
		break;
	case 15:
		add(r, AUDIT_FIELD_COMPARE, operator_of(rng, EQUALITY),
		    AUDIT_COMPARE_UID_TO_AUID + rng_below(rng, 16));
		break;
	case 16:
		add_arch(rng, r, m);
		break;
	default:
		add_near(rng, r, AUDIT_ARG0 + n, ALL, m->arg[n]);
	}
}

static void make_mask(struct rng *rng, struct rule *r, const struct temper *t,
		      const struct model *m)
{
	struct model other;
	int i;

	if (rng_one_in(rng, t->all)) {
		memset(r->data.mask, 0xff, sizeof(r->data.mask));
		return;
	}
	add_mask(r, m->nr);
	switch (rng_below(rng, 12)) {
	case 0:
		for (i = 0; i < 16; i++)
			r->data.mask[i] |= rng_next(rng) & rng_next(rng);
		break;
	case 1:
		/* A class of numbers, which the kernel puts in their place. */
		add_mask(r, AUDIT_BITMASK_SIZE * 32 - 1 - rng_below(rng, 16));
		break;
	default:
		for (i = rng_below(rng, 5); i > 0; i--) {
			calls_model(rng, &other);
			add_mask(r, other.nr);
		}
	}
}

static void add_place(struct rng *rng, struct rule *r, const struct model *m)
{
	const char *file = file_of(rng, m);

	if (rng_one_in(rng, 3))
		add_text(r, AUDIT_DIR, AUDIT_EQUAL, file);
	else
		add_text(r, AUDIT_WATCH, AUDIT_EQUAL, file);
}

/* As auditctl -w makes them. */
static void make_watch(struct rng *rng, struct rule *r, const struct model *m)
{
	r->data.flags = AUDIT_FILTER_EXIT;
	memset(r->data.mask, 0xff, sizeof(r->data.mask));
	add_place(rng, r, m);
	add(r, AUDIT_PERM, AUDIT_EQUAL, 1 + rng_below(rng, 15));
}

static void make_exit(struct rng *rng, struct rule *r, const struct temper *t,
		      const struct model *m, int list)
{
	int i, fields;

	make_mask(rng, r, t, m);
	/* Often it is for one to decide; all numbers need at least that. */
	fields = rng_one_in(rng, 3) ? 0 : rng_below(rng, t->fields + 1);
	if (r->data.mask[2] == ~0u || rng_below(rng, 8))
		fields++;
	if (rng_below(rng, 3))
		add_arch(rng, r, m);
	if (rng_one_in(rng, 4 * t->files))
		add_place(rng, r, m);
	for (i = 0; i < fields; i++) {
		if (rng_one_in(rng, t->vague))
			add_vague_field(rng, r, m);
		else if (rng_one_in(rng, t->files))
			add_file_field(rng, r, m);
		else
			add_field(rng, r, m);
	}
	/* The longest that there can be. */
	while (rng_one_in(rng, 300) && r->data.field_count < AUDIT_MAX_FIELDS)
		add(r, AUDIT_PID, AUDIT_NOT_EQUAL, 1000000 + fields++);
	r->data.flags = list;
}

/* Rules that do not decide about calls, and must not be taken for some. */
static void make_other(struct rng *rng, struct rule *r, const struct temper *t,
		       const struct model *m)
{
	static const uint32_t records[] = {
		AUDIT_PATH, AUDIT_CWD, AUDIT_PROCTITLE, AUDIT_SOCKADDR,
		AUDIT_USER, AUDIT_EOE,
	};
	static const uint32_t filesystems[] = {
		0x64626720,	/* debugfs */
		0x74726163,	/* tracefs */
		0x01021994,	/* tmpfs */
	};

	switch (rng_below(rng, 6)) {
	case 0:
		/* Tasks that a caller makes; never root's, which are many. */
		memset(r->data.mask, 0xff, sizeof(r->data.mask));
		r->data.flags = AUDIT_FILTER_TASK;
		add(r, AUDIT_UID, AUDIT_EQUAL,
		    m->who->uid[0] ? m->who->uid[0] : 4242);
		break;
	case 1:
		memset(r->data.mask, 0xff, sizeof(r->data.mask));
		r->data.flags = AUDIT_FILTER_USER;
		add_near(rng, r, AUDIT_UID, EQUALITY, m->who->uid[0]);
		break;
	case 2:
		r->data.flags = AUDIT_FILTER_FS;
		r->data.action = AUDIT_NEVER;
		memset(r->data.mask, 0xff, sizeof(r->data.mask));
		add(r, AUDIT_FSTYPE, AUDIT_EQUAL, PICK(rng, filesystems));
		break;
	case 3:
		make_exit(rng, r, t, m, AUDIT_FILTER_URING_EXIT);
		break;
	default:
		r->data.flags = AUDIT_FILTER_EXCLUDE;
		add(r, AUDIT_MSGTYPE, AUDIT_EQUAL, PICK(rng, records));
	}
}

int rules_make(uint64_t seed, unsigned int set, const struct caller *callers,
	       const char *dir, struct rule *rules)
{
	struct rng rng = rng_seeded(seed, set, 1);
	static const struct temper tempers[] = {
		/* all, vague, files, fields */
		{ 1000, 1000, 1000, 3 },	/* decidable to the last */
		{ 40, 60, 8, 2 },
		{ 40, 60, 8, 3 },
		{ 12, 60, 4, 4 },
		{ 6, 100, 20, 5 },
		{ 20, 8, 3, 3 },
	};
	const struct temper *t = &PICK(&rng, tempers);
	struct model m;
	int i, count;

	workload_dir = dir;
	count = 1 + rng_below(&rng, rng_one_in(&rng, 3) ? 8 : MAX_RULES);
	memset(rules, 0, count * sizeof(*rules));
	for (i = 0; i < count; i++) {
		struct rule *r = &rules[i];
		uint32_t who = rng_below(&rng, CALLERS);

		m.who = &identities[who];
		m.caller = &callers[who];
		calls_model(&rng, &m);
		r->data.action = rng_one_in(&rng, 6) ? AUDIT_NEVER :
						       AUDIT_ALWAYS;
		if (rng_one_in(&rng, 12))
			make_other(&rng, r, t, &m);
		else if (rng_one_in(&rng, 3 * t->files))
			make_watch(&rng, r, &m);
		else
			make_exit(&rng, r, t, &m, AUDIT_FILTER_EXIT);
		if (rng_one_in(&rng, 4))
			r->data.flags |= AUDIT_FILTER_PREPEND;
		if (rng_one_in(&rng, 4))
			add_text(r, AUDIT_FILTERKEY, AUDIT_EQUAL, "afp-verify");
	}
	return count;
}

// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "engine.h"

#define GUARD	0xa5a5a5a5a5a5a5a5ULL

/* The address sanitizer watches the end of memory, and a guard hides it. */
static size_t tail(void)
{
#if defined(__SANITIZE_ADDRESS__)
	return 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
	return 0;
#endif
#endif
	return 512;
}

/* Memory that is 8-aligned and not more, with a guard before and after it. */
static void *guarded(size_t size, int fill)
{
	char *block = malloc(sizeof(__u64) + size + tail());
	__u64 guard = GUARD;

	if (!block)
		abort();
	memcpy(block, &guard, sizeof(guard));
	memset(block + sizeof(guard), fill, size);
	memset(block + sizeof(guard) + size, (__u8)GUARD, tail());
	return block + sizeof(guard);
}

/* Return: whether the guards were intact. */
static int release(void *memory, size_t size)
{
	char *block = (char *)memory - sizeof(__u64);
	__u64 guard;
	int intact;

	memcpy(&guard, block, sizeof(guard));
	intact = guard == GUARD;
	for (size_t i = 0; i < tail(); i++)
		intact &= ((__u8 *)memory)[size + i] == (__u8)GUARD;
	free(block);
	return intact;
}

/* The rules as the module hands them over: not a byte more than there is. */
static struct afp_rule *export_rules(const struct ref_rule *rules,
				     __u32 count, struct afp_field **fields)
{
	struct afp_rule *out = malloc(count * sizeof(*out));
	__u32 i, total = 0;

	for (i = 0; i < count; i++)
		total += rules[i].field_count;
	*fields = malloc(total * sizeof(**fields));
	if (!out || !*fields)
		abort();
	for (i = 0, total = 0; i < count; i++) {
		const struct ref_rule *rule = &rules[i];

		memset(&out[i], 0xff, sizeof(out[i]));
		out[i].fields = *fields + total;
		out[i].field_count = rule->field_count;
		out[i].place = rule->place;
		out[i].always = rule->always;
		memcpy(out[i].mask, rule->mask, sizeof(rule->mask));
		memcpy(*fields + total, rule->fields,
		       rule->field_count * sizeof(**fields));
		total += rule->field_count;
	}
	return out;
}

/* Compile into fresh memory that holds @fill. */
static const char *compile(struct engine *e, const struct afp_rule *rules,
			   int fill, struct afp_policy **policy)
{
	void *scratch = guarded(afp_scratch_size(e->count), fill);
	int error;

	*policy = guarded(afp_policy_size(e->count), fill);
	error = afp_compile(rules, e->count, e->classes, *policy, scratch);
	(*policy)->generation = 0;	/* the caller's */
	if (!release(scratch, afp_scratch_size(e->count)))
		return "written outside of the scratch memory";
	if (error)
		return "afp_compile() failed";
	if ((*policy)->size > afp_policy_size(e->count))
		return "policy is larger than afp_policy_size()";
	if ((*policy)->rules != e->count)
		return "policy->rules is not the number of rules";
	return NULL;
}

/* No pointers inside, and nothing needed past its size. */
static struct afp_policy *move(const struct afp_policy *policy)
{
	struct afp_policy *moved = malloc(policy->size);

	if (!moved)
		abort();
	return memcpy(moved, policy, policy->size);
}

static __u32 difference(const struct afp_policy *a, const struct afp_policy *b)
{
	__u32 i = 0;

	if (!memcmp(a, b, a->size))
		return 0;
	while (((const char *)a)[i] == ((const char *)b)[i])
		i++;
	return i;
}

const char *engine_build(struct engine *e, const struct ref_rule *rules,
			 __u32 count, const struct afp_classes *classes)
{
	struct afp_policy *first, *second = NULL;
	struct afp_field *fields;
	struct afp_rule *out;
	const char *wrong;

	engine_free(e);
	e->rules = rules;
	e->count = count;
	e->classes = classes;
	out = export_rules(rules, count, &fields);
	wrong = compile(e, out, 0x5a, &first);
	if (!wrong)
		wrong = compile(e, out, 0xff, &second);
	if (!wrong && first->size != second->size)
		wrong = "two runs of afp_compile() differ in size";
	if (!wrong) {
		e->policy = move(first);
		e->twin = move(second);
		e->differs = difference(first, second);
	}
	if (!release(first, afp_policy_size(count)) ||
	    (second && !release(second, afp_policy_size(count))))
		wrong = "written outside of the policy's memory";
	free(out);
	free(fields);
	return wrong;
}

void engine_free(struct engine *e)
{
	free(e->policy);
	free(e->twin);
	e->policy = NULL;
	e->twin = NULL;
}

/* Unknown ABIs and numbers are known by name, whatever the rules. */
static enum afp_answer out_of_range(const struct engine *e,
				    const struct ref_call *call)
{
	const __u32 *arch = e->classes->arch;

	if (!call->arch || (call->arch != arch[AFP_ABI_NATIVE] &&
			    call->arch != arch[AFP_ABI_COMPAT]))
		return AFP_WALK_ABI;
	if (call->nr < 0 || call->nr >= AFP_NR_MAX)
		return AFP_WALK_NUMBER;
	return AFP_SKIP;
}

/* What the policy says a row does not need must not count. */
static int needs_hold(const struct engine *e, const struct afp_call *call)
{
	struct afp_call other = *call;
	__u32 pair, row, needs, i;

	if (afp_policy_pair(e->policy, call->arch, call->nr, &pair) != AFP_SKIP)
		return 1;
	row = afp_policy_row(e->policy, pair, afp_call_class(call),
			     call->v[AFP_V_A1], call->v[AFP_V_A2]);
	if (row < AFP_ROW_FIRST)
		return 1;
	needs = afp_policy_needs(e->policy, row);
	if (needs & AFP_NEEDS_FILE && !call->v[AFP_V_INODES] &&
	    !call->v[AFP_V_TREES] && e->answer != AFP_SKIP)
		return 0;
	/* What is tested for 0 alone has to become it. */
	for (i = 0; i < AFP_VALUES; i++)
		if (!(needs & AFP_NEEDS(i)))
			other.v[i] = i >= AFP_V_NAMES || i == AFP_V_AUID_SET ?
				     !other.v[i] : ~other.v[i];
	if (!(needs & AFP_NEEDS_CRED)) {
		other.groups = NULL;
		other.group_count = 1;
	}
	return afp_decide_row(e->policy, row, &other) == e->answer;
}

/*
 * The call as it began: what is not known yet is other than it will be, and so
 * is what the call changes of its task.
 */
static void begin(const struct afp_call *end, __u32 alters,
		  struct afp_call *call)
{
	const __u32 task = AFP_NEEDS_CRED | AFP_NEEDS(AFP_V_AUID) |
			   AFP_NEEDS(AFP_V_AUID_SET) |
			   AFP_NEEDS(AFP_V_SESSIONID) | AFP_NEEDS(AFP_V_PERS);
	__u32 i;

	*call = *end;
	for (i = 0; i < AFP_VALUES; i++) {
		if (i == AFP_V_PID || (i >= AFP_V_A0 && i <= AFP_V_A3))
			continue;
		if (task & AFP_NEEDS(i) && !alters)
			continue;
		call->v[i] = i >= AFP_V_NAMES || i == AFP_V_AUID_SET ?
			     !call->v[i] : ~call->v[i];
	}
	if (alters) {
		call->groups = NULL;
		call->group_count = 0;
	}
}

/* Is what was decided at the beginning of the call right? */
static const char *check_early(struct engine *e, const struct afp_call *end)
{
	struct afp_call call;
	__u32 pair, alters;

	e->early = AFP_WALK_NUMBER;
	if (afp_policy_pair(e->policy, end->arch, end->nr, &pair) != AFP_SKIP)
		return NULL;
	alters = e->classes->alters[pair / AFP_NR_MAX][pair % AFP_NR_MAX];
	begin(end, alters, &call);
	e->early = afp_decide_early(e->policy, pair, &call);
	if (!afp_policy_may_name(e->policy, pair, call.v[AFP_V_AUID_SET]) &&
	    e->early != AFP_SKIP)
		return "no rule names a call that begins, and one may match";
	if (e->early != AFP_SKIP)
		return NULL;
	if (alters & AFP_ALTERS_CONTEXT)
		return "decided early, though others use the context";
	if (e->record)
		return "LOST RECORD: the reference records, the engine skips early";
	if (e->answer != AFP_SKIP)
		return "skipped early, and walked at the end";
	return NULL;
}

const char *engine_check(struct engine *e, const struct ref_call *call)
{
	struct afp_call seen, before, again;
	enum afp_answer expected = out_of_range(e, call);

	ref_visible(e->rules, e->count, call, &seen);
	memcpy(&before, &seen, sizeof(before));
	e->answer = afp_decide(e->policy, &seen);
	e->record = ref_record(e->rules, e->count, e->classes, call);

	memcpy(&again, &before, sizeof(again));
	if (afp_decide(e->twin, &again) != e->answer)
		return "the answer depends on what memory held before";
	if (memcmp(&before, &seen, sizeof(seen)))
		return "afp_decide() changed the call";
	if (expected != AFP_SKIP && e->answer != expected)
		return "wrong reason for an unknown ABI or number";
	if (expected == AFP_SKIP && e->answer != AFP_SKIP &&
	    e->answer != AFP_WALK_RULE && e->answer != AFP_WALK_LIMIT)
		return "not an answer of the policy";
	if (e->answer == AFP_WALK_LIMIT && !e->policy->limited)
		return "limit reached in a policy that is not limited";
	if (e->record && e->answer == AFP_SKIP)
		return "LOST RECORD: the reference records, the engine skips";
	if (!needs_hold(e, &before))
		return "a value was read without afp_policy_needs()";
	return check_early(e, &before);
}

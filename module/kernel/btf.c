// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bounded reader of BTF: where a member of a structure is.
 *
 * Every offset and length is checked against the blob before it is used; a
 * blob that does not add up is refused as a whole. What is not needed to find
 * a member is skipped by its length alone.
 */
#include <uapi/linux/btf.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "kernel/btf.h"
#include "kernel/fault.h"

#define AFP_BTF_TYPES_MAX	(1u << 20)
#define AFP_BTF_DEPTH		16

/* Kinds that the oldest headers do not know. */
#define AFP_KIND_DECL_TAG	17
#define AFP_KIND_TYPE_TAG	18
#define AFP_KIND_ENUM64		19

/*
 * Kind and number of members as 7.x defines them. Before, they had 5 and 16
 * bits, and the bits that came with the growth were always 0.
 */
static u32 afp_btf_kind(const struct btf_type *t)
{
	return (t->info >> 24) & 0x7f;
}

static u32 afp_btf_vlen(const struct btf_type *t)
{
	return t->info & 0xffffff;
}

static bool afp_btf_bitfields(const struct btf_type *t)
{
	return t->info >> 31;
}

/* Bytes that follow the common part of a type record, or -1. */
static int afp_btf_extra(const struct btf_type *t)
{
	u32 vlen = afp_btf_vlen(t);

	switch (afp_btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case AFP_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case AFP_KIND_ENUM64:
		return 12 * vlen;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return 8 * vlen;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case 16: /* float */
	case AFP_KIND_TYPE_TAG:
		return 0;
	default:
		return -1;
	}
}

static const struct btf_type *afp_btf_type(const struct afp_btf *btf, u32 id)
{
	if (!id || id >= btf->count)
		return NULL;
	return (const void *)(btf->types + btf->at[id]);
}

static const char *afp_btf_name(const struct afp_btf *btf, u32 offset)
{
	return offset < btf->strings_len ? btf->strings + offset : "";
}

/* Fill btf->at, or only count the types if it is not there yet. */
static int afp_btf_index(struct afp_btf *btf)
{
	u32 at = 0, id = 1;

	while (at < btf->types_len) {
		const struct btf_type *t = (const void *)(btf->types + at);
		int extra;

		if (btf->types_len - at < sizeof(*t))
			return -EINVAL;
		extra = afp_btf_extra(t);
		if (extra < 0 || btf->types_len - at - sizeof(*t) < extra)
			return -EINVAL;
		if (id == AFP_BTF_TYPES_MAX)
			return -E2BIG;
		if (btf->at)
			btf->at[id] = at;
		at += sizeof(*t) + extra;
		id++;
	}
	btf->count = id;
	return 0;
}

/**
 * afp_btf_open - check a BTF blob and index its types
 * @btf: to be filled in; afp_btf_close() releases it
 * @data: the blob, 4-byte aligned
 * @size: its size in bytes
 *
 * Context: process context, sleeps.
 *
 * Return: 0; -EINVAL if the blob is damaged or of a kind we do not know;
 * -E2BIG, -ENOMEM.
 */
int afp_btf_open(struct afp_btf *btf, const void *data, size_t size)
{
	const struct afp_btf_header *h = data;
	u64 types, strings;
	int err;

	memset(btf, 0, sizeof(*btf));
	if (size < sizeof(*h) || h->magic != BTF_MAGIC ||
	    h->version != BTF_VERSION || h->hdr_len < sizeof(*h))
		return -EINVAL;
	types = (u64)h->hdr_len + h->type_off;
	strings = (u64)h->hdr_len + h->str_off;
	if (types % 4 || types + h->type_len > size ||
	    strings + h->str_len > size || !h->str_len)
		return -EINVAL;

	btf->types = data + types;
	btf->types_len = h->type_len;
	btf->strings = data + strings;
	btf->strings_len = h->str_len;
	if (btf->strings[btf->strings_len - 1])
		return -EINVAL;

	err = afp_btf_index(btf);
	if (err)
		return err;
	if (!afp_fault("memory for", "BTF"))
		btf->at = kvcalloc(btf->count, sizeof(*btf->at), GFP_KERNEL);
	if (!btf->at)
		return -ENOMEM;
	return afp_btf_index(btf);
}

/**
 * afp_btf_close - release the index of a BTF blob
 * @btf: as opened, also if that failed
 *
 * Context: process context.
 */
void afp_btf_close(struct afp_btf *btf)
{
	kvfree(btf->at);
	btf->at = NULL;
}

/* Follow typedefs and qualifiers to the type itself. */
static const struct btf_type *afp_btf_strip(const struct afp_btf *btf, u32 id)
{
	const struct btf_type *t = afp_btf_type(btf, id);
	int depth;

	for (depth = 0; t && depth < AFP_BTF_DEPTH; depth++) {
		switch (afp_btf_kind(t)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case AFP_KIND_TYPE_TAG:
			t = afp_btf_type(btf, t->type);
			break;
		default:
			return t;
		}
	}
	return NULL;
}

/**
 * afp_btf_size - the size of a type
 * @btf: an opened blob
 * @id: type id
 * @size: set to its size in bytes
 *
 * Context: any.
 *
 * Return: 0 or -EINVAL.
 */
int afp_btf_size(const struct afp_btf *btf, u32 id, u32 *size)
{
	const struct btf_type *t = afp_btf_strip(btf, id);
	const struct btf_array *array;
	u32 count = 1;
	int depth;

	for (depth = 0; t && depth < AFP_BTF_DEPTH; depth++) {
		switch (afp_btf_kind(t)) {
		case BTF_KIND_ARRAY:
			array = (const void *)(t + 1);
			if (check_mul_overflow(count, array->nelems, &count))
				return -EINVAL;
			t = afp_btf_strip(btf, array->type);
			break;
		case BTF_KIND_PTR:
			*size = count * sizeof(void *);
			return 0;
		case BTF_KIND_INT:
		case BTF_KIND_ENUM:
		case AFP_KIND_ENUM64:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
			return check_mul_overflow(count, t->size, size) ?
			       -EINVAL : 0;
		default:
			return -EINVAL;
		}
	}
	return -EINVAL;
}

/*
 * Find a member by name in a structure, looking into unnamed members too.
 * Its offset is added to *offset. Types that contain themselves end the search
 * at once: each member of each would be looked at again.
 */
static int afp_btf_find(const struct afp_btf *btf, const struct btf_type *t,
			const char *name, size_t len, u32 *offset, u32 *id,
			int depth)
{
	const struct btf_member *m = (const void *)(t + 1);
	int err;
	u32 i;

	if (depth == AFP_BTF_DEPTH)
		return -EINVAL;
	for (i = 0; i < afp_btf_vlen(t); i++, m++) {
		const char *is = afp_btf_name(btf, m->name_off);
		const struct btf_type *inner;
		u32 bits = m->offset, at;

		if (afp_btf_bitfields(t)) {
			if (bits >> 24)
				continue;	/* a bit field */
			bits &= 0xffffff;
		}
		if (bits % 8)
			continue;
		at = *offset + bits / 8;
		if (*is) {
			if (strlen(is) != len || memcmp(is, name, len))
				continue;
			*offset = at;
			*id = m->type;
			return 0;
		}
		inner = afp_btf_strip(btf, m->type);
		if (!inner || (afp_btf_kind(inner) != BTF_KIND_STRUCT &&
			       afp_btf_kind(inner) != BTF_KIND_UNION))
			continue;
		err = afp_btf_find(btf, inner, name, len, &at, id, depth + 1);
		if (!err)
			*offset = at;
		if (err != -ENOENT)
			return err;
	}
	return -ENOENT;
}

/**
 * afp_btf_struct - find a structure by name
 * @btf: an opened blob
 * @name: its name
 *
 * Context: any; reads every type.
 *
 * Return: its type id; 0 if there is none, or more than one.
 */
u32 afp_btf_struct(const struct afp_btf *btf, const char *name)
{
	u32 id, found = 0;

	for (id = 1; id < btf->count; id++) {
		const struct btf_type *t = afp_btf_type(btf, id);

		if (afp_btf_kind(t) != BTF_KIND_STRUCT ||
		    strcmp(afp_btf_name(btf, t->name_off), name))
			continue;
		if (found)
			return 0;
		found = id;
	}
	return found;
}

/**
 * afp_btf_member - where a member of a structure is
 * @btf: an opened blob
 * @id: the structure's type id
 * @path: name of the member; "a.b" is member b of member a
 * @offset: set to the offset in bytes
 * @size: set to the size in bytes
 *
 * Context: any.
 *
 * Return: 0; -ENOENT if there is no such member; -EINVAL if it has no size.
 */
int afp_btf_member(const struct afp_btf *btf, u32 id, const char *path,
		   u32 *offset, u32 *size)
{
	*offset = 0;
	for (;;) {
		const struct btf_type *t = afp_btf_strip(btf, id);
		size_t len = strcspn(path, ".");
		int err;

		if (!t || afp_btf_kind(t) != BTF_KIND_STRUCT)
			return -ENOENT;
		err = afp_btf_find(btf, t, path, len, offset, &id, 0);
		if (err)
			return err;
		if (!path[len])
			return afp_btf_size(btf, id, size);
		path += len + 1;
	}
}

/**
 * afp_btf_members - how many members a structure has
 * @btf: an opened blob
 * @id: the structure's type id
 * @count: set to their number; an unnamed member is one
 *
 * Context: any.
 *
 * Return: 0; -ENOENT if it is no structure.
 */
int afp_btf_members(const struct afp_btf *btf, u32 id, u32 *count)
{
	const struct btf_type *t = afp_btf_strip(btf, id);

	if (!t || afp_btf_kind(t) != BTF_KIND_STRUCT)
		return -ENOENT;
	*count = afp_btf_vlen(t);
	return 0;
}

/**
 * afp_btf_enumerator - the value of an enumeration constant
 * @btf: an opened blob
 * @name: the constant
 * @value: set to its value
 *
 * Context: any.
 *
 * Return: 0 or -ENOENT.
 */
int afp_btf_enumerator(const struct afp_btf *btf, const char *name, s32 *value)
{
	u32 id, i;

	for (id = 1; id < btf->count; id++) {
		const struct btf_type *t = afp_btf_type(btf, id);
		const struct btf_enum *e = (const void *)(t + 1);

		if (afp_btf_kind(t) != BTF_KIND_ENUM)
			continue;
		for (i = 0; i < afp_btf_vlen(t); i++, e++) {
			if (strcmp(afp_btf_name(btf, e->name_off), name))
				continue;
			*value = e->val;
			return 0;
		}
	}
	return -ENOENT;
}

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_KERNEL_BTF_H
#define AFP_KERNEL_BTF_H

#include <linux/types.h>

/*
 * The header as far as it is read. Newer ones are longer, and the kernel's own
 * structure may be longer than that of the BTF which came with it.
 */
struct afp_btf_header {
	__u16 magic;
	__u8 version;
	__u8 flags;
	__u32 hdr_len;
	__u32 type_off;	/* from the end of the header, as str_off */
	__u32 type_len;
	__u32 str_off;
	__u32 str_len;
};

/**
 * struct afp_btf - an opened BTF blob
 * @types: first type record
 * @types_len: bytes of type records
 * @strings: string table, ends in NUL
 * @strings_len: its size in bytes
 * @at: offset of each type's record, by type id
 * @count: number of entries in @at, id 0 included
 */
struct afp_btf {
	const char *types;
	u32 types_len;
	const char *strings;
	u32 strings_len;
	u32 *at;
	u32 count;
};

int afp_btf_open(struct afp_btf *btf, const void *data, size_t size);
void afp_btf_close(struct afp_btf *btf);
u32 afp_btf_struct(const struct afp_btf *btf, const char *name);
int afp_btf_size(const struct afp_btf *btf, u32 id, u32 *size);
int afp_btf_member(const struct afp_btf *btf, u32 id, const char *path,
		   u32 *offset, u32 *size);
int afp_btf_members(const struct afp_btf *btf, u32 id, u32 *count);
int afp_btf_enumerator(const struct afp_btf *btf, const char *name, s32 *value);

#endif /* AFP_KERNEL_BTF_H */

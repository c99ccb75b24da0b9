// SPDX-License-Identifier: GPL-2.0-only
/*
 * fentry FUNCTION READY: attach a BPF program to the entry of a kernel function,
 * make the file READY, wait for SIGTERM, then detach and print how often the
 * function was entered. Exit code 1 if it cannot be attached.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static void fail(const char *what)
{
	fprintf(stderr, "fentry: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Bytes of a type's record behind its header. */
static size_t more(const struct btf_type *t)
{
	size_t n = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case 17:		/* a declaration's tag */
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return n * 8;
	case BTF_KIND_DATASEC:
	case 19:		/* an enumeration of 64 bits */
		return n * 12;
	default:
		return 0;
	}
}

static __u32 type_of_function(const char *name)
{
	const char *path = "/sys/kernel/btf/vmlinux";
	const struct btf_header *h;
	const char *at, *end;
	struct stat st;
	int fd = open(path, O_RDONLY);
	char *data;
	ssize_t got = 0, n;
	__u32 id = 1;

	if (fd < 0 || fstat(fd, &st))
		fail(path);
	data = malloc(st.st_size);
	while (data && (n = read(fd, data + got, st.st_size - got)) > 0)
		got += n;
	if (!data || got != st.st_size)
		fail(path);
	close(fd);
	h = (const void *)data;
	at = data + h->hdr_len + h->type_off;
	end = at + h->type_len;
	while (at < end) {
		const struct btf_type *t = (const void *)at;

		if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC &&
		    !strcmp(data + h->hdr_len + h->str_off + t->name_off, name))
			break;
		at += sizeof(*t) + more(t);
		id++;
	}
	errno = ENOENT;
	if (at >= end)
		fail(name);
	free(data);
	return id;
}

int main(int argc, char **argv)
{
	static char log[65536];
	union bpf_attr attr;
	sigset_t set;
	int map, prog, link, sig;
	__u32 key = 0;
	__u64 count = 0;

	if (argc != 3) {
		fprintf(stderr, "usage: fentry FUNCTION READY\n");
		return 2;
	}
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(key);
	attr.value_size = sizeof(count);
	attr.max_entries = 1;
	map = bpf(BPF_MAP_CREATE, &attr);
	if (map < 0)
		fail("BPF_MAP_CREATE");

	struct bpf_insn program[] = {
		/* r1 = the counter; r2 = 1; add, atomically; return 0 */
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 1,
		  .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = map },
		{ 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = 1 },
		{ .code = BPF_STX | BPF_DW | BPF_XADD, .dst_reg = 1,
		  .src_reg = 2 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_TRACING;
	attr.expected_attach_type = BPF_TRACE_FENTRY;
	attr.attach_btf_id = type_of_function(argv[1]);
	attr.insns = (__u64)(unsigned long)program;
	attr.insn_cnt = sizeof(program) / sizeof(program[0]);
	attr.license = (__u64)(unsigned long)"GPL";
	attr.log_buf = (__u64)(unsigned long)log;
	attr.log_size = sizeof(log);
	attr.log_level = 1;
	prog = bpf(BPF_PROG_LOAD, &attr);
	if (prog < 0) {
		fprintf(stderr, "%s", log);
		fail("BPF_PROG_LOAD");
	}
	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.prog_fd = prog;
	link = bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
	if (link < 0)
		fail("attach");
	close(creat(argv[2], 0644));
	sigwait(&set, &sig);
	close(link);
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	attr.key = (__u64)(unsigned long)&key;
	attr.value = (__u64)(unsigned long)&count;
	if (bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		fail("BPF_MAP_LOOKUP_ELEM");
	printf("%llu\n", (unsigned long long)count);
	return 0;
}

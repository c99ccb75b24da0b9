// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: fuse DIR READY
 *
 * A file system in user space, mounted at DIR, in which directories can be made,
 * and no question for their extended attributes is answered before SIGUSR1 comes.
 * READY appears when it is mounted, and again, after having been removed, when
 * such a question has come. Ends with the mount.
 *
 * The kernel's own protocol, without a library: what a library answers by itself
 * is what this is about.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OTHER = FUSE_ROOT_ID + 1 };	/* a directory that is there: "other" */

static int dev;
static const char *ready;
static uint64_t held[16];
static int nr_held;
static volatile sig_atomic_t answer;

static void fail(const char *what)
{
	fprintf(stderr, "fuse: %s: %m\n", what);
	exit(1);
}

static void on_signal(int sig)
{
	(void)sig;
	answer = 1;
}

static void appear(void)
{
	int fd = open(ready, O_CREAT | O_WRONLY, 0644);

	if (fd < 0)
		fail(ready);
	close(fd);
}

static void reply(uint64_t unique, int error, const void *data, size_t len)
{
	struct fuse_out_header head = {
		.len = sizeof(head) + len,
		.error = error,
		.unique = unique,
	};
	struct iovec parts[] = {
		{ &head, sizeof(head) },
		{ (void *)data, len },
	};

	/* Whoever asked may be gone. */
	if (writev(dev, parts, len ? 2 : 1) < 0 && errno != ENOENT)
		fail("answer");
}

static struct fuse_attr attr_of(uint64_t node)
{
	struct fuse_attr attr = {
		.ino = node,
		.mode = S_IFDIR | 0755,
		.nlink = 2,
		.blksize = 4096,
	};

	return attr;
}

static void serve(const struct fuse_in_header *in)
{
	static uint64_t node = OTHER;
	const struct fuse_init_in *init = (void *)(in + 1);
	struct fuse_init_out version = {
		.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		.max_write = 4096,
	};
	struct fuse_attr_out got = { .attr = attr_of(in->nodeid) };
	struct fuse_entry_out made = { 0 };
	struct fuse_open_out opened = { 0 };

	switch (in->opcode) {
	case FUSE_INIT:
		if (init->minor < version.minor)
			version.minor = init->minor;
		version.max_readahead = init->max_readahead;
		reply(in->unique, 0, &version, sizeof(version));
		break;
	case FUSE_GETATTR:
		reply(in->unique, 0, &got, sizeof(got));
		break;
	case FUSE_LOOKUP:
		if (strcmp((const char *)(in + 1), "other")) {
			reply(in->unique, -ENOENT, NULL, 0);
			break;
		}
		made.nodeid = OTHER;
		made.attr = attr_of(OTHER);
		made.entry_valid = 3600;
		reply(in->unique, 0, &made, sizeof(made));
		break;
	case FUSE_MKDIR:
		made.nodeid = ++node;
		made.attr = attr_of(node);
		reply(in->unique, 0, &made, sizeof(made));
		break;
	case FUSE_GETXATTR:
		if (in->nodeid <= OTHER) {
			reply(in->unique, -ENODATA, NULL, 0);
			break;
		}
		if (nr_held == sizeof(held) / sizeof(held[0]))
			fail("too many questions");
		held[nr_held++] = in->unique;
		appear();
		break;
	case FUSE_OPENDIR:
		reply(in->unique, 0, &opened, sizeof(opened));
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		break;
	default:
		reply(in->unique, -EOPNOTSUPP, NULL, 0);
	}
}

int main(int argc, char **argv)
{
	struct sigaction act = { .sa_handler = on_signal };
	static char request[FUSE_MIN_READ_BUFFER * 2];
	char options[64];

	if (argc != 3) {
		fprintf(stderr, "usage: fuse DIR READY\n");
		return 2;
	}
	ready = argv[2];
	/* without SA_RESTART: a read ends then */
	sigaction(SIGUSR1, &act, NULL);
	dev = open("/dev/fuse", O_RDWR);
	if (dev < 0)
		fail("/dev/fuse");
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=0,group_id=0", dev);
	if (mount("fuse", argv[1], "fuse", 0, options))
		fail("mount");
	appear();
	for (;;) {
		ssize_t len = read(dev, request, sizeof(request));

		if (len < 0 && errno == ENODEV)
			return 0;
		if (len < 0 && errno != EINTR)
			fail("question");
		if (len >= (ssize_t)sizeof(struct fuse_in_header))
			serve((void *)request);
		while (answer && nr_held)
			reply(held[--nr_held], -ENODATA, NULL, 0);
	}
}

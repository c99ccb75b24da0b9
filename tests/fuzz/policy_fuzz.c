// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzz the policy engine: bytes become a rule list and calls, and the engine
 * is compared with the reference.
 *
 * A libFuzzer target. Built without libFuzzer, with -DAFP_REPLAY, it runs the
 * files that are its arguments.
 */
#include <stdio.h>
#include <stdlib.h>

#include "generate.h"

int LLVMFuzzerTestOneInput(const __u8 *data, size_t size)
{
	static struct scenario s;
	struct input in = { data, data + size };
	struct engine e = { 0 };
	struct ref_call call;
	const char *wrong;
	__u32 i;

	generate_rules(&in, &s);
	wrong = engine_build(&e, s.rules, s.count, &s.classes);
	for (i = 0; !wrong && (i < 4 || in.at < in.end); i++) {
		if (i % 4)
			generate_hidden(&in, &call);
		else
			generate_call(&in, &s, &call);
		wrong = scenario_check(&e, &s, &call);
	}
	engine_free(&e);
	if (!wrong)
		return 0;
	printf("# %s; smallest case:\n", wrong);
	scenario_report(&s, &call);
	fflush(stdout);
	abort();
}

#ifdef AFP_REPLAY
int main(int argc, char **argv)
{
	static __u8 data[1 << 20];

	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof(data),
						   file));
		fclose(file);
		printf("%s: as expected\n", argv[i]);
	}
	return 0;
}
#endif

# SPDX-License-Identifier: GPL-2.0-only
# What one can do here; every target is a script or a Makefile further down.

KDIR ?= /lib/modules/$(shell uname -r)/build
KERNEL ?= 6.1
KERNELS ?= 5.10 6.1 6.12 7.3
OUT ?=
FUZZ_SECONDS ?= 600
SEED ?=
export KERNELS

all: ## Build the module for KDIR (default: the running kernel)
	@tools/dkms-install headers "$(KDIR)"
	$(MAKE) -C "$(KDIR)" M="$(CURDIR)/module" modules

tools: ## Build the user space tools into build/tools/
	$(MAKE) -C tools

install: ## Install the module on this system with DKMS (needs root)
	@tools/dkms-install install

uninstall: ## Undo install
	@tools/dkms-install uninstall

deb: ## Build the Debian packages in a chroot, print their paths
	@packaging/deb

demo: ## Show the main job in a VM, on a stock kernel; a few minutes
	@tools/demo

test: ## Everything that CI runs
	@tests/run

test-all: ## The same on each kernel, planted faults, long runs; some hours
	@tests/run -a

check: ## Lint everything
	@tests/check

test-unit: ## Test the policy engine in user space
	@tests/unit/run

test-vm: ## Boot the test kernels and run all scenarios; KERNELS="6.1 6.12"
	@tests/vm/all

test-fuzz: ## Fuzz the policy engine; FUZZ_SECONDS=600
	@tests/fuzz/run "$(FUZZ_SECONDS)"

test-verify: ## Compare millions of decisions with the kernel's, an hour; KERNEL=6.1
	@tests/vm/verify "$(KERNEL)" $(SEED)

test-soak: ## Everything at once for half an hour; KERNEL=6.1
	@tests/vm/run -t 5400 -a afp.seconds=1800 "$(KERNEL)" soak

test-planted: ## Plant faults in the module, show that scenarios go red; KERNEL=6.1
	@tests/vm/planted "$(KERNEL)"

test-sanitize: ## Scenarios on kernels with KASAN, lockdep, kmemleak, KCSAN; hours
	@tests/sanitize

test-dkms: ## DKMS add, build, install, remove in private trees; KERNELS=...
	@tests/dkms/run

test-deb: ## Build the Debian packages and look at them
	@tests/deb

test-system: ## Whole Debian systems in VMs: packages, DKMS, boot, purge; RELEASES="12 13"
	@tests/system $(RELEASES)

bench: ## Measure in VMs, exactly, five minutes; KERNEL=6.1 OUT=bench.json CHARTS=DIR
	@tests/bench/run "$(KERNEL)" "$(OUT)" "$(CHARTS)"

bench-macro: ## Whole programs under the STIG rules in a VM; KERNEL=6.1 OUT=macro.json
	@tests/bench/macro "$(KERNEL)" "$(OUT)"

bench-scaling: ## Calls on 1, 2 and 4 processors at once, in VMs; KERNEL=6.1
	@tests/bench/scaling "$(KERNEL)"

bench-host: tools ## Time system calls on this machine, as root; ARGS="-r FILE -o OUT.json"
	@tests/bench/host $(ARGS)

vm-module: ## Build for a test kernel, print the path of the .ko; KERNEL=6.1
	@tests/vm/build-module "$(KERNEL)"

clean: ## Remove what was built, but not the test kernels
	rm -rf build/module build/guest build/log build/tools build/unit build/fuzz
	find module -name '*.o' -o -name '*.ko' -o -name '*.mod' \
		-o -name '*.mod.c' -o -name '.*.cmd' -o -name '.*.d' \
		-o -name Module.symvers -o -name modules.order | xargs rm -f

distclean: clean ## Remove the test kernels as well (chroots: needs root)
	rm -rf --one-file-system build

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' Makefile | expand -t 14

.PHONY: all tools install uninstall deb demo test test-all check test-unit test-vm \
	test-fuzz test-verify test-soak test-planted test-sanitize test-dkms test-deb test-system \
	bench bench-macro bench-scaling bench-host vm-module clean distclean help

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one place that says which version this is. Module, tools and packages
 * read it; it may know nothing else.
 */
#ifndef AUDIT_FASTPATH_VERSION_H
#define AUDIT_FASTPATH_VERSION_H

/** AFP_VERSION - version of the whole project, "major.minor.patch" */
#define AFP_VERSION "0.1.0"

#endif /* AUDIT_FASTPATH_VERSION_H */

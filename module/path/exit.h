/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef AFP_PATH_EXIT_H
#define AFP_PATH_EXIT_H

int afp_exit_arm(const char **refused);
void afp_exit_disarm(void);

#endif /* AFP_PATH_EXIT_H */

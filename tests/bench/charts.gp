# SPDX-License-Identifier: GPL-2.0-only
# The charts of tests/bench/run: dir, out and kernel are given.
set terminal svg size 720,400 font "sans,13" background "white"
set border 3
set tics nomirror
set grid ytics linecolor rgb "#dddddd"
set key top left

set output out . "/rules.svg"
set title "getpid(), by the number of rules that name another call (Linux " . kernel . ")"
set xlabel "rules"
set ylabel "instructions"
set logscale x 2
set logscale y
plot dir . "/stock.dat" with linespoints lw 2 pt 7 lc rgb "#c0392b" title "stock", \
	dir . "/ftrace.dat" with linespoints lw 2 pt 7 lc rgb "#7f8c8d" title "backend=ftrace", \
	dir . "/direct.dat" with linespoints lw 2 pt 7 lc rgb "#2471a3" title "backend=direct"

set output out . "/levels.svg"
unset logscale
set title "Debian's STIG rules, by no rules (Linux " . kernel . ")"
set xlabel ""
set ylabel "times the cost without rules"
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.9
set boxwidth 0.9
set yrange [0:*]
set key top right
plot dir . "/levels.dat" using 2:xtic(1) lc rgb "#c0392b" title "stock", \
	"" using 3 lc rgb "#7f8c8d" title "backend=ftrace", \
	"" using 4 lc rgb "#2471a3" title "backend=direct", \
	"" using 5 lc rgb "#bbbbbb" title "audit=0"

# SPDX-License-Identifier: GPL-2.0-only
# The charts of tests/bench/run: dir, out and kernel are given, and more, the
# levels above filter that were measured. One colour is one thing in both.
set terminal svg size 760,460 font "sans,13" background "white"
set border 3
set tics nomirror
set grid ytics linecolor rgb "#dddddd"
# Beside the plot, so that no line or column is under it.
set key outside bottom center horizontal maxrows 2 samplen 2

stock = "#c0392b"
ftrace = "#7f8c8d"
direct = "#2471a3"
collect = "#27875a"
entry = "#e0a030"
off = "#cccccc"
title_of(level) = "level=" . level

set output out . "/rules.svg"
set title "getpid(), by the number of rules that name another call (Linux " . kernel . ")"
set xlabel "rules"
set ylabel "instructions"
set logscale x 2
set logscale y
plot dir . "/stock.dat" with linespoints lw 2 pt 7 lc rgb stock title "stock", \
	dir . "/ftrace.dat" with linespoints lw 2 pt 7 lc rgb ftrace title "backend=ftrace", \
	dir . "/direct.dat" with linespoints lw 2 pt 7 lc rgb direct title "backend=direct", \
	for [i = 1:words(more)] dir . "/" . word(more, i) . ".dat" \
		with linespoints lw 2 pt 7 lc rgb value(word(more, i)) \
		title title_of(word(more, i))

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
column_of(level) = level eq "collect" ? 5 : 6
plot dir . "/levels.dat" using 2:xtic(1) lc rgb stock title "stock", \
	"" using 3 lc rgb ftrace title "backend=ftrace", \
	"" using 4 lc rgb direct title "backend=direct", \
	for [i = 1:words(more)] "" using (column(column_of(word(more, i)))) \
		lc rgb value(word(more, i)) title title_of(word(more, i)), \
	"" using 7 lc rgb off title "audit=0"

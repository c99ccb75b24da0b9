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

# An iteration over no words is one over an empty word, so by hand.
lines = ""
columns = ""
do for [i = 1:2] {
	level = word("collect entry", i)
	style = " lc rgb " . level . " title 'level=" . level . "'"
	if (strstrt(more, level)) {
		lines = lines . ", dir . '/" . level . ".dat'" . \
			" with linespoints lw 2 pt 7" . style
		columns = columns . ", dir . '/levels.dat' using " . (4 + i) . style
	}
}

set output out . "/rules.svg"
set title "getpid(), by the number of rules that name another call (Linux " . kernel . ")"
set xlabel "rules"
set ylabel "instructions"
set logscale x 2
set logscale y
eval "plot dir . '/stock.dat' with linespoints lw 2 pt 7 lc rgb stock title 'stock'" . \
	", dir . '/ftrace.dat' with linespoints lw 2 pt 7 lc rgb ftrace title 'backend=ftrace'" . \
	", dir . '/direct.dat' with linespoints lw 2 pt 7 lc rgb direct title 'backend=direct'" . \
	lines

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
eval "plot dir . '/levels.dat' using 2:xtic(1) lc rgb stock title 'stock'" . \
	", dir . '/levels.dat' using 3 lc rgb ftrace title 'backend=ftrace'" . \
	", dir . '/levels.dat' using 4 lc rgb direct title 'backend=direct'" . \
	columns . ", dir . '/levels.dat' using 7 lc rgb off title 'audit=0'"

# Every boot against the order of the commits, with the levels of both ends; below, the probability of each commit to be the one. Commits behind the answer that are like GOOD lie on branches that do not have it: the order is one of many that put parents first.
set xrange [-0.56:3.56]
set arrow 1 from 2, graph 0 to 2, graph 1 nohead dt 3 lw 1.2
set label 1 'cccccccccccc' at 2, graph 0.97 right offset -0.7,0
set multiplot
set lmargin 11
set rmargin 2
set origin 0,0.34
set size 1,0.66
set ylabel 'add+exec at 50 (items/s)'
set logscale y
set yrange [23.3188:1187.36]
set ytics (50, 100, 200, 500, 1000)
$good << EOD
0 742.1 
EOD
$bad << EOD
2 37.31 
EOD
plot 742.1 with lines dt 2 lw 1.5 lc rgb '#0072B2' title 'level of GOOD', $good using 1:2 with points pt 7 ps 0.8 lc rgb '#0072B2' title 'like GOOD', $bad using 1:2 with points pt 9 ps 0.8 lc rgb '#D55E00' title 'like BAD'
unset label 1
set origin 0,0
set size 1,0.36
set key off
set xlabel 'commits in their order, 0: v6.1'
$mass << EOD
1 0.004 
2 0.992 
3 0.004 
EOD
unset logscale y
set yrange [0:1]
set ytics 0.5
set ylabel 'probability'
set boxwidth 1
set style fill solid 0.8 noborder
plot $mass using 1:2 with boxes lc rgb '#009E73' title 'of each commit'
unset multiplot
# add+exec against marks, for each kernel and variant: the mean over boots.
set ylabel 'add+exec (items/s)'
set logscale y
set yrange [6.25:193.6]
set ytics (10, 20, 50, 100)
set xlabel 'items that exist (mark)'
set offsets graph 0.03, graph 0.03
$line0 << EOD
50 110 
100 80 
EOD
$line1 << EOD
50 11 
100 10 
EOD
plot $line0 using 1:2 with linespoints lc rgb '#0072B2' pt 7 dt 1 lw 1.8 ps 0.8 title 'v6.1 none', $line1 using 1:2 with linespoints lc rgb '#D55E00' pt 9 dt 1 lw 1.8 ps 0.8 title 'v6.1 all'
# add+exec at 50: every boot of each kernel, the bar is their mean.
set ylabel 'add+exec at 50 (items/s)'
set logscale y
set yrange [6.25:193.6]
set ytics (10, 20, 50, 100)
$boots << EOD
-0.125 100 
0.125 121 
0.875 10 
1.125 12.1 
EOD
$means << EOD
-0.32 110 0.64 0 
0.68 11 0.64 0 
EOD
set xtics ('v6.1 none' 0, 'v6.1 all' 1)
set xrange [-0.7:1.70]
set key off
plot $boots using 1:2 with points pt 7 ps 0.7 lc rgb '#0072B2', $means using 1:2:3:4 with vectors nohead lw 2.5 lc rgb '#D55E00'
# cycles: every boot of each kernel, the bar is their mean.
set ylabel 'cycles (count)'
set yrange [0:5.75]
$boots << EOD
0 5 
EOD
$means << EOD
-0.32 5 0.64 0 
EOD
set xtics ('v6.1 none' 0, 'v6.1 all' 1)
set xrange [-0.7:1.70]
set key off
plot $boots using 1:2 with points pt 7 ps 0.7 lc rgb '#0072B2', $means using 1:2:3:4 with vectors nohead lw 2.5 lc rgb '#D55E00'

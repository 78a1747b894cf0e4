# add+exec against marks, for each kernel and variant: the mean over boots.
set ylabel 'add+exec (items/s)'
set logscale y
set yrange [6.25:256]
set ytics (10, 20, 50, 100, 200)
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
$line2 << EOD
50 100 
100 80 
EOD
plot $line0 using 1:2 with linespoints lc rgb '#0072B2' pt 7 dt 1 lw 1.8 ps 0.8 title 'v6.1 none', $line1 using 1:2 with linespoints lc rgb '#D55E00' pt 9 dt 1 lw 1.8 ps 0.8 title 'v6.1 all', $line2 using 1:2 with linespoints lc rgb '#009E73' pt 5 dt 1 lw 1.8 ps 0.8 title 'v6.1 off'
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
2 100 
EOD
$means << EOD
-0.32 110 0.64 0 
0.68 11 0.64 0 
1.68 100 0.64 0 
EOD
set xtics ('v6.1 none' 0, 'v6.1 all' 1, 'v6.1 off' 2, 'v6.1 zero' 3) rotate by -30
set xrange [-0.7:3.70]
set key off
plot $boots using 1:2 with points pt 7 ps 0.7 lc rgb '#0072B2', $means using 1:2:3:4 with vectors nohead lw 2.5 lc rgb '#D55E00'
# cycles: every boot of each kernel, the bar is their mean.
set ylabel 'cycles (count)'
set yrange [0:11.5]
$boots << EOD
0 5 
2 10 
EOD
$means << EOD
-0.32 5 0.64 0 
1.68 10 0.64 0 
EOD
set xtics ('v6.1 none' 0, 'v6.1 all' 1, 'v6.1 off' 2, 'v6.1 zero' 3) rotate by -30
set xrange [-0.7:3.70]
set key off
plot $boots using 1:2 with points pt 7 ps 0.7 lc rgb '#0072B2', $means using 1:2:3:4 with vectors nohead lw 2.5 lc rgb '#D55E00'

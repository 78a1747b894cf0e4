#include "report/html_parts.h"

namespace bisect_run::report {

// Colours after Okabe and Ito, with a sign or a word beside every one of them. Dark where the
// reader wants it dark, light on paper.
const char* const kPageStyle = R"css(
:root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--dim:#59636e;--line:#d5dae0;--box:#f5f7f9;
--bad:#b34700;--good:#005a8f;--link:#005a8f}
@media (prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e4e7ea;--dim:#a2abb5;--line:#3a424a;
--box:#1d2226;--bad:#ff9147;--good:#63b9ee;--link:#63b9ee}}
@media print{:root{--bg:#fff;--fg:#000;--dim:#444;--line:#bbb;--box:#fff;--bad:#8a3700;
--good:#00456e;--link:#000}details>*{display:block}figure,table,pre{break-inside:avoid}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1rem 1rem 3rem;max-width:62rem;background:var(--bg);color:var(--fg);
font:16px/1.5 system-ui,sans-serif;overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line);padding-bottom:.2rem}
h3{font-size:1rem;margin:1.2rem 0 .3rem}
p{margin:.5rem 0}
a{color:var(--link)}
code,pre{font-family:ui-monospace,monospace;font-size:.875rem}
pre{background:var(--box);border:1px solid var(--line);border-radius:4px;padding:.6rem .8rem;
overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere}
.answer{border-left:4px solid var(--bad);padding:.2rem 0 .2rem 1rem;margin:1rem 0}
.answer .commit{font-size:1.15rem;font-weight:600}
.figures{display:flex;flex-wrap:wrap;gap:.3rem 2rem;margin:.6rem 0}
.figures strong{display:block;font-size:1.35rem;line-height:1.3}
.figures span{color:var(--dim);font-size:.875rem}
.dim{color:var(--dim)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:.875rem;margin:.4rem 0}
th,td{text-align:left;vertical-align:top;padding:.2rem .7rem .2rem 0;
border-bottom:1px solid var(--line);min-width:4rem}
th{color:var(--dim);font-weight:600}
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
tr.bad td:first-child,.slower{color:var(--bad);font-weight:600}
tr.good td:first-child,.faster{color:var(--good);font-weight:600}
tr.skip{color:var(--dim)}
.log td:nth-child(4){min-width:18rem}
td small{color:var(--dim);display:block}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.4rem 0;
font-size:.9375rem}
dt{color:var(--dim)}dd{grid-column:2;margin:0;min-width:0}
details{margin:.6rem 0}summary{cursor:pointer;font-weight:600}
figure{margin:1rem 0}figcaption{color:var(--dim);font-size:.875rem}
figure svg{display:block;width:100%;height:auto}
figure svg [color=black]{color:var(--fg)}figure svg [stroke=black]{stroke:var(--fg)}
figure svg [fill=black]{fill:var(--fg)}figure svg [color=gray]{color:var(--line)}
figure svg [stroke=gray]{stroke:var(--line)}
.narrow{display:none}
footer{margin-top:3rem;color:var(--dim);font-size:.875rem}
@media (max-width:640px){.wide{display:none}.narrow{display:block}dl{display:block}
dd{margin:0 0 .35rem}h1{font-size:1.3rem}
.log tr{display:grid;grid-template-columns:5.2rem 3.4rem 4.8rem 1fr;
border-bottom:1px solid var(--line)}.log td,.log th{border:0;min-width:0!important}
.log td:last-child,.log th:last-child{grid-column:1/-1;color:var(--dim)}
.log td:empty{display:none}}
@media print{.wide{display:block}.narrow{display:none}}
)css";

}  // namespace bisect_run::report

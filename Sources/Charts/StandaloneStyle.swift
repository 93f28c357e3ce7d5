/// The style sheet within a drawing that is a file of its own: the same classes that a theme colours.
///
/// `chart-line` `chart-dot` `chart-end` the series · `chart-band` its intervals · `chart-comparison` a second
/// series · `chart-bar` counts, `chart-zero` zeros · `chart-target` `chart-critical` levels · `chart-release`
/// releases · `chart-grid` `chart-axis` `chart-tick` the axes · `chart-hatch` provisional days ·
/// `chart-absent` with `chart-missing` `chart-failed` `chart-not-collected` `chart-no-sessions` days without
/// a value · `chart-value` and `…-label` texts · `chart-legend` the legend · `chart-empty` the words of an
/// empty plot · `chart-warning` `chart-critical-end` end marks of sparklines.
let standaloneStyle: StaticString = """
    svg{font-family:system-ui,sans-serif;color:var(--i);\
    --i:#3b4351;--s:#fff;--l:#0b63b5;--t:#14713d;--k:#b42318;--w:#925400}\
    @media(prefers-color-scheme:dark){svg{--i:#b9c1cd;--s:#14181f;--l:#6cb4f5;--t:#5cc98a;--k:#ff8a7e;--w:#f2b54a}}\
    .chart-surface{fill:var(--s)}.chart-line,.chart-dot{stroke:var(--l)}.chart-end{fill:var(--l);stroke:var(--l)}\
    .chart-band,.chart-bar,.chart-value{fill:var(--l)}\
    .chart-target{stroke:var(--t)}.chart-target-label{fill:var(--t)}\
    .chart-critical,.chart-failed{stroke:var(--k)}.chart-critical-label{fill:var(--k)}\
    .chart-warning{fill:var(--w);stroke:var(--w)}.chart-critical-end{fill:var(--k);stroke:var(--k)}
    """

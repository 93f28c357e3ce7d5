/// The files of a theme to begin with, by their paths.
func themeStart(_ name: String) -> [String: [UInt8]] {
    [
        "theme.yml": Array(themeFileText(name).utf8), "assets/colours.css": Array(coloursText.utf8),
        "templates/partials/footer.html": Array(footerText.utf8),
    ]
}

private func themeFileText(_ name: String) -> String {
    """
    name: \(name)
    description: Our own colors and footer.
    # What 'plimsoll check' measures; without this the pairs of the default theme count.
    # contrast:
    #   text: [ink on paper, soft on paper]     # 4.5 to 1
    #   marks: [accent on paper]                # 3 to 1

    """
}

private let coloursText = """
    /* Five colors make both palettes; change these, then run 'plimsoll check'. */

    :root {
      color-scheme: light dark;
      --ink: #1d2230;     /* text */
      --paper: #fdfdfb;   /* the ground */
      --accent: #5b2d86;  /* links, series of charts, new things */
      --good: #17633f;    /* targets met, recoveries */
      --bad: #a1261d;     /* targets missed, alerts, failures */
    }

    @media screen and (prefers-color-scheme: dark) {
      :root {
        --ink: #e6e6ee;
        --paper: #15141c;
        --accent: #c7a6ef;
        --good: #86d0a6;
        --bad: #ff9f88;
      }
    }

    /* Everything else is mixed from the five. */
    :root {
      --soft: color-mix(in srgb, var(--ink) 71%, var(--paper));
      --line: color-mix(in srgb, var(--ink) 15%, var(--paper));
      --line-strong: color-mix(in srgb, var(--ink) 50%, var(--paper));
      --wash: color-mix(in srgb, var(--ink) 4%, var(--paper));
      --good-wash: color-mix(in srgb, var(--good) 10%, var(--paper));
      --bad-wash: color-mix(in srgb, var(--bad) 10%, var(--paper));
      --accent-wash: color-mix(in srgb, var(--accent) 10%, var(--paper));
    }

    """

private let footerText = """
    {{! The words at the foot of every page. A name that does not exist is an error with line and column. }}
    <p class="freshness"><span class="sign sign-clock" aria-hidden="true"></span>{{frame.freshness}} Report of {{frame.asOf}}.</p>
    <p>{{frame.siteTitle}}: ask your own team before you ask the numbers.</p>

    """

import Analysis

/// The commented example of `alerts` that `init` writes into the configuration.
let alertsExample = """
    # alerts:                      # what of the activity is told; each app may have its own
    #   show: everything           # or alerts: only what asks for attention
    #   newNote: false             # a kind turned off
    #   newIssue: { limit: 5 }     # at most so many a day; what is cut is counted and told
    #   velocity: { leastShare: 2, leastUsers: 50 }   # per cent of sessions, users of a day
    #   stability: { leastPoints: 1 }                 # percentage points
    """

/// The names of the kinds of event in files.
private let kindNames = EventKind.allCases.map(\.key).joined(separator: ", ")

/// The commented example that `init` writes into `Content/mutes.yml`.
let mutesExample = """
    # What needs nobody's attention for a time: a list, of which every entry is reviewed like any other change.
    # Muted events are still counted and shown folded; they are no open alerts and stand in no feed.
    # Of two mutes that hold for an event the first counts.
    #
    # - app: my-app                # an app or all; and any of kind, issue, version, source
    #   kind: velocity             # \(kindNames)
    #   issue: 1a2b3c              # the source's id
    #   until: 2026-12-01          # the day on which it is told again
    #   untilVersion: 4.3.0        # or when it is seen in that version or a later one
    #   untilLevel: { users: 200, share: 5 }   # or when it gets worse: users a day, per cent of sessions
    #   by: Josh                   # who says so, and why: both must be given
    #   why: fixed in 4.3.0, which is rolling out
    #
    # - kind: sourceTrouble
    #   source: usage
    #   forever: true              # for good
    #   by: Josh
    #   why: a test account that comes and goes

    """

import Analysis

/// The names of the kinds of event in files.
private let kindNames = EventKind.allCases.map(\.key).joined(separator: ", ")

/// The commented example that `init` writes into `Content/mutes.yml`.
let mutesExample = """
    # Activity that needs no attention for a time: a list, reviewed like any other change.
    # Muted activity is still counted and shown folded; it is not an open alert and not in feeds.
    # If several mutes match, the first one counts.
    #
    # - app: my-app                # an app, or all; plus any of kind, issue, version, source
    #   kind: velocity             # \(kindNames)
    #   issue: 1a2b3c              # id at the source
    #   until: 2026-12-01          # the day on which it is shown again
    #   untilVersion: 4.3.0        # or until it is seen in this version or a later one
    #   untilLevel: { users: 200, share: 5 }   # or until it gets worse: users a day, percent of sessions
    #   by: Josh                   # who and why: both required
    #   why: fixed in 4.3.0, which is rolling out
    #
    # - kind: sourceTrouble
    #   source: usage
    #   forever: true              # permanently
    #   by: Josh
    #   why: a test account that comes and goes

    """

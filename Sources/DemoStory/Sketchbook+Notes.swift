extension AppPlan {
    /// What the team wrote while it happened, and one note that would do harm if it were taken on trust.
    static let sketchbookNotes: [NotePlan] = [
        NotePlan(
            id: "n-201", at: "2026-10-14T08:20:00Z", author: "On call", issue: "atomic-54",
            text: """
                Seen since **4.2.1**: a stroke of one point empties the ring buffer, and `Atomic.swift:54` \
                reads its first element. Phased release is to be stopped.
                """),
        NotePlan(
            id: "n-202", at: "2026-10-17T07:45:00Z", author: "Engine team", issue: "atomic-54",
            text: "Repaired in **4.2.2** (376): an empty buffer is skipped. Closed; watch until the 22nd."),
        NotePlan(
            id: "n-203", at: "2026-10-17T09:05:00Z", author: "Release desk", release: "4.2.2",
            text: "4.2.2 goes to everybody at once, *not* in phases: it repairs `atomic-54` and nothing else."
        ),
        NotePlan(
            id: "n-204", at: "2026-10-23T08:00:00Z", author: "Release desk",
            text: "Back to where we were before 4.2.1. Phases start at 2% from now on."),
        NotePlan(
            id: "n-205", at: "2026-11-11T13:37:00Z", author: "<b>Mallory</b> & \"friends\"",
            issue: "export-77",
            text: """
                <script>alert("note")</script>
                <img src=x onerror="alert(2)"> [click me](javascript:alert(3)) <javascript:alert(4)>

                <table><tr><td>raw &amp; unfinished ![pixel](http://tracker.example/pixel.gif)
                """),
        NotePlan(
            id: "n-206", at: "2026-11-19T16:40:00Z", author: "On call", issue: "safari-1337",
            text: """
                Only in **4.3.0**, only when a shared link is opened twice:

                1. open a gallery link from a message,
                2. go back before the page is shown,
                3. open it again.

                > Cannot be repeated on a slow network.

                The guard is `presentedViewController == nil`; see the \
                [steps](https://telemetry.example/sketchbook/issues/safari-1337).
                """),
    ]
}

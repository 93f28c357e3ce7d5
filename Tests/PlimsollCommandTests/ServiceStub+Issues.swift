import LoopbackServer

extension ServiceStub {
    static let glitchtip: LoopbackServer.Handler = { request in
        try bearer(request) {
            switch request.path {
            case "/api/0/": .json(#"{"version":"0","auth":{"scopes":["project:admin","org:read"]}}"#)
            case "/api/0/organizations/harbour-lab/projects/": .json(try fixture("glitchtip/projects.json"))
            case "/api/0/organizations/harbour-lab/issues/": .json(try fixture("glitchtip/issues-1.json"))
            case "/api/0/organizations/harbour-lab/issues-stats/": .json(try fixture("glitchtip/stats.json"))
            case "/api/0/issues/21/comments/": .json(try fixture("glitchtip/comments-21.json"))
            case "/api/0/issues/22/events/latest/": .json(try fixture("glitchtip/event-22.json"))
            default: notFound
            }
        }
    }

    static let bugsink: LoopbackServer.Handler = { request in
        bearer(request) {
            let page = { (results: String) in
                StubResponse.json(#"{"next":null,"previous":null,"results":[\#(results)]}"#)
            }
            return switch request.path.replacing("/api/canonical/0/", with: "") {
            case "projects/": page(#"{"id":2,"team":"t","name":"Sketchbook","slug":"sketchbook"}"#)
            case "issues/":
                page(
                    """
                    {"id":"i1","friendly_id":"SKETCHBOOK-1","project":2,"digest_order":1,
                    "first_seen":"2026-11-14T05:06:43Z","last_seen":"2026-11-19T02:07:45Z",
                    "digested_event_count":8345,"stored_event_count":1,"calculated_type":"RangeError",
                    "calculated_value":"index 7 beyond bounds","transaction":"Canvas"}
                    """)
            case "issues/i1/event-counts/":
                .json(
                    """
                    {"start":"2026-10-24T00:00:00Z","end":"2026-11-20T06:00:00Z","interval_seconds":3600,
                    "buckets":[{"timestamp":"2026-11-19T00:00:00Z","count":5577}]}
                    """)
            case "events/": page(#"{"id":"e1"}"#)
            case "events/e1/": .json(#"{"id":"e1","data":{"level":"fatal"}}"#)
            case "releases/", "issues/i1/tags/", "issue-history/": page("")
            default: notFound
            }
        }
    }

    static let socorro: LoopbackServer.Handler = { request in
        guard request.path == "/api/SuperSearch/", request.parameter("product") == "Fenix" else {
            return .json(#"{"errors":{"product":["Not a valid product"]}}"#, status: 400)
        }
        let isVersions = request.parameter("_aggs.signature") == "version"
        let term = #"{"term":"mozalloc_abort | Brush::Paint","count":2345"#
        let versions = #","facets":{"version":[{"term":"9.10.0","count":2345}]}"#
        let days = #"[{"term":"2026-11-19T00:00:00+00:00","count":2345,"facets":{"signature":[\#(term)}]}}]"#
        return .json(
            #"{"hits":[],"total":2345,"facets":{"signature":[\#(term)\#(isVersions ? versions : "")}],"histogram_date":\#(days)},"errors":[]}"#
        )
    }
}

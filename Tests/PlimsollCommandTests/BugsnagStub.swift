import LoopbackServer

/// A stand-in for Bugsnag's Data Access API with one project.
enum BugsnagStub {
    /// A server whose figures end on a day; `change` may respond in its place.
    static func start(
        lastDay: Int,
        change: @escaping @Sendable (RecordedRequest) async throws -> StubResponse? = { _ in nil }
    ) async throws -> LoopbackServer {
        try await LoopbackServer.start { request in
            try await change(request) ?? answer(to: request, lastDay: lastDay)
        }
    }

    /// A server that tags its responses and reports when they have not changed; it admits these tokens.
    static func startTagging(lastDay: Int, tokens: [String] = [token]) async throws -> LoopbackServer {
        try await LoopbackServer.start { request in
            var answer = answer(to: request, lastDay: lastDay, tokens: tokens)
            guard answer.status == 200 else { return answer }
            let tag = "\"\(answer.body.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) })\""
            guard request.header("If-None-Match") != tag else {
                return StubResponse(status: 304, headers: [("ETag", tag)])
            }
            answer.headers.append(("ETag", tag))
            return answer
        }
    }

    private static func answer(
        to request: RecordedRequest, lastDay: Int, tokens: [String] = [token]
    ) -> StubResponse {
        guard tokens.contains(where: { request.header("Authorization") == "token \($0)" }) else {
            return .json(#"{"errors":["Unauthorized"]}"#, status: 401)
        }
        switch request.path {
        case "/user/organizations": return .json(#"[{"id":"org1","name":"Quay","slug":"quay"}]"#)
        case "/organizations/org1/projects":
            return .json(
                #"[{"id":"p1","name":"Ferry app","slug":"ferry","html_url":"https://app.example/quay/ferry"}]"#
            )
        case "/projects/p1/stability_trend": return .json(trend(to: lastDay))
        case "/projects/p1/release_groups":
            return .json(
                #"[{"id":"g","app_version":"3.1","first_released_at":"2026-11-04T08:00:00Z","total_sessions_count":9000,"unhandled_sessions_count":90,"sessions_count_in_last_24h":800}]"#
            )
        case "/projects/p1/releases":
            return .json(
                #"[{"id":"r","app_version":"3.1","app_version_code":"31","app_bundle_version":"","release_time":"2026-11-04T08:00:00Z","release_stage":{"name":"production"}}]"#
            )
        case "/projects/p1/event_fields":
            return .json(#"[{"custom":false,"display_id":"app.release_stage","filter_options":{}}]"#)
        case "/projects/p1/errors": return .json(errors(to: lastDay))
        case "/projects/p1/errors/e1/comments":
            return .json(
                #"[{"id":"c1","message":"We see it on <b>old</b> phones","created_at":"2026-11-18T09:00:00Z","collaborator":{"name":"Crew"}}]"#
            )
        default: return .json(#"{"errors":["Not found"]}"#, status: 404)
        }
    }

    /// The response of the trend, zero-filled rates included.
    static func trend(to lastDay: Int, key: String = "timeline_points") -> String {
        let points = Quay.days(to: lastDay).map { day in
            let (start, end) = (Quay.padded(day), Quay.padded(day + 1))
            return
                #"{"bucket_start":"2026-11-\#(start)T00:00:00.000Z","bucket_end":"2026-11-\#(end)T00:00:00.000Z","#
                + #""total_sessions_count":\#(8000 + day),"unhandled_sessions_count":40,"unhandled_rate":0.005,"#
                + #""users_seen":\#(3000 + day),"users_with_unhandled":30,"unhandled_user_rate":0.01}"#
        }
        return
            #"{"project_id":"p1","release_stage_name":"production","\#(key)":[\#(points.joined(separator: ","))]}"#
    }

    /// The one error with its trend: a beginning within a day, the ten days, and the day that is not over.
    private static func errors(to lastDay: Int) -> String {
        let days = Quay.days(to: lastDay).map { day in
            bucket("\(Quay.padded(day))T00:00:00Z", "\(Quay.padded(day + 1))T00:00:00Z", 70 + day)
        }
        let (first, today) = (Quay.padded(lastDay - 9), Quay.padded(lastDay + 1))
        let before = bucket("\(Quay.padded(lastDay - 10))T06:00:00Z", "\(first)T00:00:00Z", 3331)
        let after = bucket("\(today)T00:00:00Z", "\(today)T06:00:00Z", 4441)
        let trend = ([before] + days + [after]).joined(separator: ",")
        return #"""
            [{"id":"e1","error_class":"java.lang.IllegalStateException","message":"mooring <script>alert(1)</script> | lost",
              "severity":"error","status":"open","events":944,"users":21,"first_seen_unfiltered":"2026-11-17T10:00:00Z",
              "last_seen_unfiltered":"2026-11-18T10:00:00Z","comment_count":1,"release_stages":["production"],
              "grouping_fields":{"file":"Mooring.kt","lineNumber":12},"trend":[\#(trend)]}]
            """#
    }

    private static func bucket(_ from: String, _ to: String, _ events: Int) -> String {
        #"{"from":"2026-11-\#(from)","to":"2026-11-\#(to)","events_count":\#(events)}"#
    }
}

/// A GlitchTip with one project whose issues come to 100 MB of JSON.
enum IssuePages {
    /// How many pages the list has.
    static let count = 350
    /// How many issues a page has.
    private static let length = 100

    static func answer(_ target: Substring) -> LoadServer.Answer {
        let halves = target.split(separator: "?", maxSplits: 1)
        let (path, query) = (halves.first ?? "", halves.dropFirst().first ?? "")
        if path.contains("/projects") { return json(#"[{"id":"7","slug":"bench","name":"Bench"}]"#) }
        guard path.contains("/issues"), !path.contains("stats") else { return json("[]") }
        let cursor = query.split(separator: "&").first { $0.hasPrefix("cursor=") }
        let page = cursor.flatMap { Int($0.dropFirst("cursor=".count)) } ?? 0
        let elements = (0..<length).map { issue(page * length + $0) }
        let link = """
            Link: <http://localhost/?cursor=\(page + 1)>; rel="next"; \
            results="\(page + 1 < count)"; cursor="\(page + 1)"
            """
        return json("[\(elements.joined(separator: ","))]", headers: [link])
    }

    /// About 3 kB, most of it what an issue carries along and no one requested.
    private static func issue(_ number: Int) -> String {
        """
        {"id":"\(number)","title":"IndexError: list index out of range in sheet \(number)",\
        "culprit":"pages.load in sheet","count":"\(1 + number % 900)","userCount":\(number % 300),\
        "level":"error","status":"unresolved","type":"error","numComments":0,\
        "firstSeen":"2026-11-01T08:00:00Z","lastSeen":"2026-11-19T23:00:00Z",\
        "metadata":{"type":"IndexError","value":"list index out of range","filename":"pages.py",\
        "function":"load"},"annotations":[\(burden)]}
        """
    }

    private static let burden = Array(repeating: #""an annotation that is passed over""#, count: 68)
        .joined(separator: ",")

    private static func json(_ text: String, headers: [String] = []) -> LoadServer.Answer {
        LoadServer.Answer(headers: headers, body: Array(text.utf8))
    }
}

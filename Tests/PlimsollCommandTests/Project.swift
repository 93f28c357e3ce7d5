import Foundation

/// The token of all tests; it must never be found anywhere.
let token = "t0ken-9f8e7d6c5b4a"

/// Figures of the apps of the test projects, in the forms that their sources use.
enum Quay {
    /// Ten days up to and with a day of November 2026.
    static func days(to last: Int) -> [Int] { Array(last - 9...last) }

    /// The configuration with the app Ferry from a stand-in for Bugsnag and the app Buoy from files.
    static func configuration(
        bugsnag: String, day: Int, secret: String = "token: ${QUAY_TOKEN}", timeout: Int = 60
    ) -> String {
        """
        title: Quay
        asOf: 2026-11-\(day)T06:00:00Z
        timeout: \(timeout)
        apps:
          - id: ferry
            name: Ferry
            platform: android
            sources:
              - provider: bugsnag
                project: ferry
                url: \(bugsnag)
                \(secret)
          - id: buoy
            name: Buoy
            sources:
              - provider: files
                path: data
        retries: {attempts: 4, longestWait: 0}

        """
    }

    /// The configuration with two apps from files.
    static func configuration(day: Int) -> String {
        """
        title: Quay
        asOf: 2026-11-\(day)T06:00:00Z
        apps:
          - id: buoy
            name: Buoy
            sources: [{provider: files, path: data}]
          - id: lamp
            name: Lamp
            sources: [{provider: files, path: more}]

        """
    }

    /// A day of a release, or of all of them, in a snapshot of these.
    static func releaseDay(_ day: Int, _ version: String?, _ sessions: Int, _ crashed: Int) -> String {
        let release = version.map { #""release":"\#($0)","# } ?? ""
        return
            #"{"date":"2026-11-\#(padded(day))",\#(release)"sessions":\#(sessions),"crashedSessions":\#(crashed)}"#
    }

    /// A snapshot file of the morning of the 30th with releases and the days on which they came out, one of which it is not
    /// known when it did, and days.
    static func releaseSnapshot(
        _ releases: [(version: String, day: Int)], undated: String, _ days: [String]
    ) -> String {
        let listed = releases.map { version, day in
            #"{"version":"\#(version)","releasedAt":"2026-11-\#(day)T08:00:00Z"}"#
        }
        return """
            {"format":"plimsoll-snapshot","version":1,"app":"buoy","capturedAt":"2026-11-30T05:00:00Z",
            "provides":["sessions","releases","releaseHealth"],
            "releases":[\(listed.joined(separator: ",")),{"version":"\(undated)"}],
            "health":[\(days.joined(separator: ","))]}
            """
    }

    /// A snapshot file of a morning, with the ten days before it.
    static func snapshot(of app: String, day: Int, users: Int = 5000) -> String {
        let health = days(to: day - 1).map {
            #"{"date":"2026-11-\#(padded($0))","sessions":\#(users * 2),"crashedSessions":\#(users / 100),"users":\#(users + $0),"crashedUsers":\#(users / 200)}"#
        }
        return """
            {"format":"plimsoll-snapshot","version":1,"app":"\(app)","capturedAt":"2026-11-\(day)T05:00:00Z",
            "provides":["sessions","users","releases","issues"],
            "health":[\(health.joined(separator: ",\n"))],
            "releases":[{"version":"1.4","build":"9","releasedAt":"2026-11-02T08:00:00Z"}],
            "issues":[{"id":"knot","title":"Knot came loose","file":"Rope.swift","line":7,"events":12,"users":9}]}

            """
    }

    static func padded(_ day: Int) -> String { day < 10 ? "0\(day)" : "\(day)" }
}

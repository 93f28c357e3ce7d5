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

extension Response {
    /// Requests left in the hour by `X-Rate-Limit: user-hour-lim:3600;user-hour-rem:3121;`, as App Store Connect
    /// writes it; nil when the field is missing or in another form.
    var hourlyRequestsLeft: Int? {
        guard let text = headers["X-Rate-Limit"], text.utf8.count <= 200 else { return nil }
        for part in text.split(separator: ";") {
            let halves = part.split(separator: ":")
            guard halves.count == 2, halves[0].drop(while: { $0 == " " }) == "user-hour-rem" else { continue }
            return Int(halves[1]).flatMap { $0 >= 0 ? $0 : nil }
        }
        return nil
    }
}
